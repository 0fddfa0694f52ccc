#!/usr/bin/env bash
# simsm closure: points in the simulator beside what is known of them, each verdict, and the list of
# known misses.
. tests/tools/cli.sh

# Runs simsm closure t4, expects the status, and leaves its output in $scratch/out and $scratch/err.
expect()
{
    local want=$1 status=0
    shift
    "$SIMSM" closure t4 --tables "$scratch/tables" --data "$scratch" "$@" \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$want" ] || fail "simsm closure t4 $*: status $status instead of $want"
}

shown()
{
    grep -qE -- "$1" "$scratch/out" || fail "'$1' is not shown"
}

mkdir -p "$scratch/tables/sm_75"
cp tests/data/sass/execute/clocks.sm_75.cubin "$scratch/tables/sm_75/clocks.cubin"
cat >"$scratch/tables/clocks.yaml" <<'YAML'
kernels: clocks.cu
defaults:
  shows: ops.fp32.latency
  unit: cycles
  kernel: chain
  grid: 1
  block: 32
  buffers: {out: {count: 2, type: u64}, sink: {count: 32, type: f32}}
  arguments: [buffer: out, buffer: sink, {f32: 0.5}]
points:
  - {name: chain, kind: latency, result: {of: out, take: span}}
  - {name: latency, kind: latency, result: {of: out, take: span, over: 64}}
  - {name: rate, kind: throughput, unit: instructions/cycle, result: {of: out, take: span, per: 64}}
  - {name: loaded, kind: loaded, result: {of: out, take: span}}
  - {name: shown, kind: info, result: {of: out, take: span}}
  - {name: order, kind: order, result: {of: out, take: list, count: 1}}
  - {name: metric, kind: size, result: {metric: smsp__inst_executed.sum}}
  - {name: fails, kind: size, arguments: [buffer: out], result: {of: out, take: span}}
  - {name: slow, slow: true, kind: size, result: {of: out, take: span}}
  - {name: unknown, kind: latency, result: {of: out, take: span}}
YAML

# What the simulator gives is what is known at first: all is within.
cat >"$scratch/calib.csv" <<'CSV'
file,point,unit,value,min,max,runs,note
clocks,chain,cycles,1,1,1,7,
clocks,latency,cycles,4,4,4,7,
clocks,rate,instructions/cycle,0.25,0.25,0.25,7,
clocks,loaded,cycles,256,256,256,7,
clocks,shown,cycles,1,1,1,7,
clocks,order,cycles,0,,,7,
clocks,metric,instructions,1,1,1,7,
clocks,unknown,cycles,,,,0,the kernel did not end
CSV
expect 1
cycles=$(awk '$1 == "chain" { print $3 }' "$scratch/out")
count=$(awk '$1 == "metric" { print $3 }' "$scratch/out")
[ "$cycles" -ge 256 ] && [ "$cycles" -le 262 ] || fail "64 dependent FFMA take $cycles cycles"
shown '^  latency +4 .* ok$'
shown '^  rate .* ok$'
shown '^  shown .* info$'
shown '^  order .* off$'
shown '^3 more points were not run'
list=$(awk '$1 == "simulated" { print $2 }' "$scratch/out")
sed -i "s/chain,cycles,1,1,1/chain,cycles,$cycles,1,1/; s/order,cycles,0/order,cycles,$list/
        s/metric,instructions,1,1,1/metric,instructions,$count,1,1/" "$scratch/calib.csv"
expect 0
expect 0 --off
! grep -q ' ok$' "$scratch/out" || fail "--off shows what is ok"

# Tolerances: a cycle or 2 % for a latency, 3 % for a rate, 5 % under load, nothing for a count.
measured() # FOLDER CHAIN RATE LOADED: what was measured, so many percent below what is simulated
{
    mkdir -p "$scratch/$1"
    awk -F, -v OFS=, -v cycles="$cycles" -v chain="$2" -v rate="$3" -v loaded="$4" '
        $2 == "chain" { $4 = sprintf("%.9g", cycles / (1 + chain / 100)) }
        $2 == "rate" { $4 = sprintf("%.9g", 64 / cycles / (1 + rate / 100)) }
        $2 == "loaded" { $4 = sprintf("%.9g", cycles / (1 + loaded / 100)) }
        { print }' "$scratch/calib.csv" >"$scratch/$1/calib.csv"
}
measured within 1.5 2.5 4.5
expect 0 --data "$scratch/within"
measured within -1.5 -2.5 -4.5
expect 0 --data "$scratch/within"
measured off 2.5 3.5 5.5
sed -i "s/instructions,$count/instructions,$((count + 1))/" "$scratch/off/calib.csv"
expect 1 --data "$scratch/off" --csv "$scratch/a.csv" --json "$scratch/a.json" -j 1
for point in chain rate loaded metric; do
    shown "^  $point .* off$"
done
shown '^  latency .* ok$'
expect 1 --data "$scratch/off" --csv - -j 3
awk -F, '$2 == "chain" { exit !($10 > 0.0249 && $10 < 0.0251) }' "$scratch/a.csv" || fail "the error of chain"
cmp "$scratch/out" "$scratch/a.csv" || fail "--csv depends on the number of threads"
grep -q '"verdict": "off"' "$scratch/a.json" || fail "no verdict in --json"

# Known misses: written down they pass; worse, or good again, they fail.
expect 0 --data "$scratch/off" --write-known
[ "$(grep -c '^clocks,' "$scratch/off/closure-known.csv")" = 4 ] || fail "not four known misses"
expect 0 --data "$scratch/off"
shown '^  chain .* known$'
expect 1 --data "$scratch/off" --set sm.dependence=scoreboard --set ops.fp32.latency=5
shown '^  chain .* worse than known$'
shown '^  latency .* ok$' # a cycle
# A twentieth more, and half a percent, is no worse.
sed 's/^clocks,chain,[^,]*/clocks,chain,0.0215/' "$scratch/off/closure-known.csv" >"$scratch/near.csv"
expect 0 --data "$scratch/off" --known "$scratch/near.csv"
sed -i 's/^clocks,chain,[^,]*/clocks,chain,0.018/' "$scratch/near.csv"
expect 1 --data "$scratch/off" --known "$scratch/near.csv"
shown '^  chain .* worse than known$'
expect 1 --known "$scratch/off/closure-known.csv"
shown '^  chain .* needlessly known$'

# Reasons of groups are told, and stay with their points; the first that fits is taken.
shown_reason()
{
    expect 0 --data "$scratch/off"
    shown "^  $1 .* known: $2\$"
}
cat >"$scratch/off/closure-reasons.csv" <<'CSV'
file,points,reason
other,*,no point of this table
clocks,cha*n,"an odd clock, a late one"
clocks,*a*,all with an a
CSV
shown_reason chain 'an odd clock, a late one'
shown_reason loaded 'all with an a'
shown '^1 known misses have no reason'
expect 0 --data "$scratch/off" --write-known
rm "$scratch/off/closure-reasons.csv"
shown_reason chain 'an odd clock, a late one'

# Slow ones can be left out.
echo 'clocks,slow,cycles,1,1,1,7,' >>"$scratch/calib.csv"
expect 1
shown '^  slow .* off$'
expect 0 --quick
shown '^1 more points were not run: they are slow'

# A point that cannot be simulated says why.
echo 'clocks,fails,cycles,1,1,1,7,' >>"$scratch/calib.csv"
expect 1
shown '^  fails .* failed: .*chain has 3 parameters, but there are 1 arguments'

# Published values, with their trust and source; a measured value goes before.
mkdir "$scratch/published"
cat >"$scratch/published/published.csv" <<'CSV'
file,point,unit,value,min,max,trust,source
clocks,latency,cycles,4,,,paper,"Somebody, 2019"
CSV
expect 0 --data "$scratch/published" --json -
grep -q '"source": "Somebody, 2019"' "$scratch/out" || fail "no source"
sed -i 's/cycles,4,,/cycles,9,4,9/' "$scratch/published/published.csv" # sources differ
expect 0 --data "$scratch/published"
sed -i 's/cycles,9,4,9/cycles,9,8,9/' "$scratch/published/published.csv"
expect 1 --data "$scratch/published"
sed -i 's/paper/gossip/' "$scratch/published/published.csv"
expect 2 --data "$scratch/published"
grep -q 'published.csv:2: trust: measured, vendor' "$scratch/err" || fail "trust is not checked"
expect 2 --data "$scratch/tables"

# A folder without tables is told as such, whether tables are named or not.
for name in '' clocks; do
    status=0
    "$SIMSM" closure t4 --tables "$scratch/nowhere" --data "$scratch" $name >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = 2 ] && grep -q 'has no tables of points (\*.yaml): say with --tables' "$scratch/err" ||
        fail "closure without tables: status $status"
done

# No measured value is below 0.
sed -i 's/^clocks,latency,cycles,.*/clocks,latency,cycles,-4,-4,-4,7,/' "$scratch/calib.csv"
expect 2
grep -q "calib.csv:3: value: a number of 0 or more is expected, found '-4'" "$scratch/err" || fail "a negative value is taken"
