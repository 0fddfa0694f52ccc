#!/usr/bin/env bash
# simsm results: tables and pictures of a sweep; machine code is executed once and simulated under
# every configuration as if it had been executed there.
. tests/tools/cli.sh
here=$PWD
code=$here/tests/data/sass/execute/kernels.sm_75.cubin
cat >"$scratch/vecadd.yaml" <<'YAML'
kernel: vecadd
grid: 40
block: [256]
buffers:
  a: {count: 10000, type: f32, fill: iota}
  b: {count: 10000, type: f32, fill: value, value: 0.5}
  c: {size: 40000}
arguments: [{buffer: a}, {buffer: b}, {buffer: c}, {i32: 10000, name: n}]
YAML
cat >"$scratch/s.yaml" <<SPEC
configs: [t4]
kernels:
  - {name: waves, trace: $here/traces/lessons/waves.trace}
  - {name: vecadd, code: $code, launch_file: vecadd.yaml, vary: {param.n: [10000, 100]}}
vary:
  sm.scheduler: [lrr, gto]
  memory.fixed_latency: [100, 200, 400]
set: {gpu.sms: 2, memory.model: fixed}
SPEC
results=$scratch/s.sqlite
"$SIMSM" sweep "$scratch/s.yaml" --quiet 2>"$scratch/err" || fail "the sweep"
[ "$(find "$scratch/s.recordings" -name '*.smtr' | wc -l)" -eq 2 ] || fail "two recordings are enough"

# The recording is simulated as the code is.
"$SIMSM" t4 "$code" --launch "$scratch/vecadd.yaml" --param n=100 --quiet --csv "$scratch/hand.csv" \
    --set gpu.sms=2 --set memory.model=fixed --set sm.scheduler=lrr --set memory.fixed_latency=200
"$SIMSM" results "$results" --where kernel=vecadd --where param.n=100 --where sm.scheduler=lrr \
    --where memory.fixed_latency=200 --json "$scratch/p.json"
while IFS=, read -r name _ value _; do
    grep -qE "\"$name\": $value(\.0)?,?\$" "$scratch/p.json" || fail "$name is not $value"
done < <(grep -E '^(sm__cycles_elapsed.max|smsp__inst_executed.sum|smsp__thread_inst_executed.sum),' "$scratch/hand.csv")
point=$(sed -n 's/.*"point": "\([0-9]*\)".*/\1/p' "$scratch/p.json")
"$SIMSM" results "$results" --rerun "$point" >"$scratch/out"
grep -q -- "--launch $scratch/vecadd.yaml --param n=100" "$scratch/out" || fail "the command for machine code"

# The recordings are used again, and made again where they are lost.
touch -d 2001-01-01 "$scratch"/s.recordings/*.smtr
sed -i 's/\[100, 200, 400\]/[100, 200, 400, 800]/' "$scratch/s.yaml"
"$SIMSM" sweep "$scratch/s.yaml" >"$scratch/out" 2>"$scratch/err" || fail "the longer sweep"
grep -q '24 points: 24 done, 0 failed; 6 of them in this run' "$scratch/out" || fail "points of the longer sweep"
[ "$(find "$scratch/s.recordings" -name '*.smtr' -newermt 2002-01-01 | wc -l)" -eq 0 ] || fail "recorded anew"

# A table: each cell is what the list has.
"$SIMSM" results "$results" --rows memory.fixed_latency --columns sm.scheduler --where kernel=waves \
    --csv "$scratch/table.csv"
[ "$(head -n 1 "$scratch/table.csv")" = 'memory.fixed_latency,lrr,gto' ] || fail "the head of the table"
"$SIMSM" results "$results" --where kernel=waves --where memory.fixed_latency=400 --where sm.scheduler=gto \
    --value sm__cycles_elapsed.max >"$scratch/out"
[ "$(awk 'NR == 2 { print $NF }' "$scratch/out")" = "$(sed -n 's/^400,.*,//p' "$scratch/table.csv")" ] || fail "a cell"

# A point that has no value of a key stands under a dash.
"$SIMSM" results "$results" --rows kernel --columns param.n --csv "$scratch/dash.csv"
[ "$(head -n 1 "$scratch/dash.csv")" = 'kernel,-,10000,100' ] || fail "no dash: $(head -n 1 "$scratch/dash.csv")"

# Of bars just below the baseline, no figure lies on its line.
cat >"$scratch/near.yaml" <<SPEC
configs: [t4]
kernels: [$here/traces/lessons/waves.trace]
vary: {memory.fixed_latency: [396, 400, 404]}
set: {gpu.sms: 2, memory.model: fixed}
SPEC
"$SIMSM" sweep "$scratch/near.yaml" --quiet || fail "the sweep of near values"
"$SIMSM" results "$scratch/near.sqlite" --rows kernel --columns memory.fixed_latency --value sm__cycles_elapsed.max \
    --baseline memory.fixed_latency=404 --draw bars --svg "$scratch/near.svg" >"$scratch/out"
grep -q '>relative to memory.fixed_latency=404</text>' "$scratch/near.svg" || fail "the axis does not say what it is"
guide=$(sed -n 's/.*class="guide" d="M64 \([0-9.]*\)H.*/\1/p' "$scratch/near.svg")
sed -n 's/.* y="\([0-9.]*\)" class="small">.*/\1/p' "$scratch/near.svg" |
    awk -v guide="$guide" '$1 > guide - 2 && $1 - 9 < guide { bad = 1 } END { exit bad || NR == 0 }' ||
    fail "a figure lies on the line"

# Relative to a baseline, and pictures of all kinds.
"$SIMSM" results "$results" --rows kernel --columns memory.fixed_latency --baseline memory.fixed_latency=100 \
    --speedup --draw bars --svg "$scratch/bars.svg" >"$scratch/out"
awk '/^(waves|vecadd)/ { n += $2 == 1 && $3 < 1 } END { exit n != 2 }' "$scratch/out" || fail "the baseline is 1, slower memory less"
awk '/^waves/ { a = $3 } /^vecadd/ { b = $3 } /^geometric mean/ {
    d = $4 / sqrt(a * b); exit !(d > 0.999 && d < 1.001) }' "$scratch/out" || fail "the geometric mean"
"$SIMSM" results "$results" --rows memory.fixed_latency --columns kernel --draw curves --svg "$scratch/curves.svg" \
    --title 'A & B' >/dev/null
"$SIMSM" results "$results" --rows memory.fixed_latency --columns sm.scheduler --where kernel=waves \
    --value cycles --value IPC --baseline memory.fixed_latency=100 --speedup --title One --title Two \
    --draw curves --svg "$scratch/panels.svg" >/dev/null || fail "two panels"
for text in One Two 'viewBox="0 0 800 720"' '>0.5<' '>sm.scheduler<'; do
    grep -qF -- "$text" "$scratch/panels.svg" || fail "no $text in two panels"
done
"$SIMSM" results "$results" --rows kernel --columns sm.scheduler --draw stack --svg "$scratch/stack.svg"
for kind in bars curves panels stack; do
    grep -q '</svg>' "$scratch/$kind.svg" || fail "$kind.svg is not whole"
    ! grep -q 'nan\|inf' "$scratch/$kind.svg" || fail "$kind.svg has no numbers"
done
if command -v rsvg-convert >/dev/null; then
    "$SIMSM" results "$results" --rows kernel --columns sm.scheduler --draw stack --png "$scratch/stack.png"
    [ "$(head -c 8 "$scratch/stack.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "no PNG"
    [ "$(find "$scratch" -name 'stack.png*' | wc -l)" -eq 1 ] || fail "files are left beside the PNG"
fi
status=0
PATH=$scratch "$SIMSM" results "$results" --rows kernel --draw bars --png "$scratch/none.png" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] || fail "no rsvg-convert: status $status"
grep -qF 'rsvg-convert cannot be started' "$scratch/err" || fail "no rsvg-convert: no clear message"
[ -z "$(find "$scratch" -name 'none.png*')" ] || fail "half a picture"
grep -q 'A &amp; B' "$scratch/curves.svg" || fail "the title"
tail -n 1 "$scratch/stack.svg" | grep -q '^<?simsm .*--rows kernel --columns sm.scheduler --draw stack' || fail "how it was made"

# Beside what was measured: here the simulation itself, which has no error.
"$SIMSM" results "$results" --where sm.scheduler=lrr --where memory.fixed_latency=200 --where param.n=100 \
    --value sm__cycles_elapsed.max --csv "$scratch/one.csv"
cycles=$(awk -F, 'NR == 2 { print $10 }' "$scratch/one.csv")
printf 'program,launch,kernel,grid,block,sm__cycles_elapsed.max\nvecadd,1,vecadd,40x1x1,256x1x1,%s\n' "$cycles" >"$scratch/ncu.csv"
"$SIMSM" results "$results" --where sm.scheduler=lrr --where memory.fixed_latency=200 --where param.n=100 \
    --measured "$scratch/ncu.csv" --draw scatter --svg "$scratch/scatter.svg" >"$scratch/out" 2>"$scratch/err" ||
    fail "--measured"
grep -q '1 of them matched' "$scratch/out" || fail "no launch is matched"
grep -qE "^ +$cycles +$cycles +\+0.0 % +sm__cycles_elapsed.max" "$scratch/out" || fail "an error where there is none"

refuse() # WORDS ARGUMENT...
{
    local words=$1 status=0
    shift
    "$SIMSM" results "$results" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
    grep -qF -- "$words" "$scratch/err" || fail "no '$words'"
}
refuse 'no point has this key' --rows color
refuse 'no point has this' --rows kernel --baseline sm.scheduler=none
refuse 'is not a number' --rows kernel --draw curves --svg "$scratch/x.svg"
refuse 'give one --value' --rows kernel --value IPC --value cycles --draw bars --svg "$scratch/x.svg"
refuse 'needs --svg' --rows kernel --draw bars
refuse 'name the key of the rows' --columns kernel
refuse '--draw scatter needs --measured' --rows kernel --draw scatter --svg "$scratch/x.svg"
refuse 'choose one configuration' --measured "$scratch/ncu.csv"
refuse 'expected mean, geomean' --rows kernel --reduce middle
refuse 'would overwrite' --csv "$results"
[ ! -e "$scratch/x.svg" ] || fail "half a picture"
