#!/usr/bin/env bash
# simsm sweep SPEC.yaml and simsm results: points are run once, and again when something about them
# has changed; failures are rows; Ctrl-C and kills lose nothing; a point can be run again by hand.
. tests/tools/cli.sh
cp traces/lessons/waves.trace "$scratch/w.trace"
cat >"$scratch/s.yaml" <<'SPEC'
configs: [t4, teaching]
kernels:
  - w.trace
  - {trace: w.trace, name: other, vary: {run.seed: [1, 2]}}
vary:
  sm.scheduler: [gto, lrr]
set: {gpu.sms: 1}
exclude: [{config: teaching, sm.scheduler: lrr}]
SPEC
results=$scratch/s.sqlite

sweep() # WORDS ARGUMENT...: the sweep succeeds and says so
{
    local words=$1
    shift
    "$SIMSM" sweep "$scratch/s.yaml" "$@" >"$scratch/out" 2>"$scratch/err" || fail "status $?"
    grep -qF -- "$words" "$scratch/out" || fail "no '$words'"
}

# One point is in it twice: seed 1 is what `w` has anyway.
sweep '6 points: 6 done, 0 failed; 6 of them in this run'
sweep '6 points: 6 done, 0 failed; 0 of them in this run'
[ ! -e "$results.lock" ] || fail "the lock is left over"
"$SIMSM" results "$results" --check >"$scratch/out" || fail "damaged"
"$SIMSM" results "$results" >"$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 10 ] || fail "nine rows and a head expected"
"$SIMSM" results "$results" --where config=t4 --where sm.scheduler=lrr --where gpu.sms=1 >"$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 4 ] || fail "three rows and a head expected"

# The figures are those of the same run by hand; the command for it is printed.
point=$(awk '$3 == "other" && $5 == 2 { print $1; exit }' "$scratch/out")
"$SIMSM" results "$results" --rerun "$point" >"$scratch/again"
grep -q '^#.*changed' "$scratch/again" && fail "nothing has changed"
(cd "$scratch" && PATH=$(dirname "$SIMSM"):$PATH && sed 's/^simsm point.*/& --quiet --csv hand.csv/' again | bash) ||
    fail "the command does not run: $(cat "$scratch/again")"
"$SIMSM" results "$results" --where point="$point" --json "$scratch/p.json"
while IFS=, read -r name _ value _; do
    grep -qE "\"$name\": $value(\.0)?,?\$" "$scratch/p.json" || fail "$name is not $value in the results"
done < <(grep -E '^(sm__cycles_elapsed.max|smsp__inst_executed.sum|dram__bytes_read.sum),' "$scratch/hand.csv")

# A changed input makes new points, and only of those that read it.
sed 's/^ *- w.trace/  - v.trace/' "$scratch/s.yaml" >"$scratch/v.yaml"
mv "$scratch/v.yaml" "$scratch/s.yaml"
cp "$scratch/w.trace" "$scratch/v.trace"
sweep '0 of them in this run'
echo '# changed' >>"$scratch/v.trace"
sweep '9 points: 9 done, 0 failed; 3 of them in this run'

# What a program may read is named under files: it decides too.
echo 1 >"$scratch/data"
cat >"$scratch/e.yaml" <<'SPEC'
configs: [teaching]
kernels: [{trace: w.trace, files: [data]}]
set: {gpu.sms: 1}
SPEC
for now in 1 0; do
    "$SIMSM" sweep "$scratch/e.yaml" >"$scratch/out" || fail "a sweep with files"
    grep -qF "1 point: 1 done, 0 failed; $now of them in this run" "$scratch/out" || fail "files: not $now now"
done
echo 2 >"$scratch/data"
"$SIMSM" sweep "$scratch/e.yaml" >"$scratch/out" || fail "a sweep with files"
grep -qF '; 1 of them in this run' "$scratch/out" || fail "a changed file makes no new point"

# Another jobs count, another file: the same figures.
figures() # RESULTS
{
    "$SIMSM" results "$1" --csv - | cut -d, -f3-120
}
sweep '9 of them in this run' --jobs 1 --results "$scratch/one.sqlite"
figures "$scratch/one.sqlite" | sort >"$scratch/a"
figures "$results" | sort >"$scratch/b"
cmp "$scratch/a" "$scratch/b" || fail "figures depend on the number of jobs"
(sed 's/gpu.sms: 1/gpu.sms: 4/' "$scratch/s.yaml" && echo 'threads: 3') >"$scratch/t.yaml"
"$SIMSM" sweep "$scratch/t.yaml" --quiet || fail "threads"
sed -i 's/threads: 3/threads: 1/' "$scratch/t.yaml"
"$SIMSM" sweep "$scratch/t.yaml" >"$scratch/out"
grep -qF '; 0 of them in this run' "$scratch/out" || fail "the number of threads makes other points"
"$SIMSM" sweep "$scratch/t.yaml" --results "$scratch/one.t.sqlite" --quiet
figures "$scratch/t.sqlite" | sort >"$scratch/a"
figures "$scratch/one.t.sqlite" | sort >"$scratch/b"
cmp "$scratch/a" "$scratch/b" || fail "figures depend on the number of threads"

# What fails is a row with its reason, and does not run again unless one wants it to.
cat >"$scratch/f.yaml" <<SPEC
configs: [teaching]
kernels: [{trace: $PWD/traces/divergent.trace, vary: {param.rounds: [1, 1000000]}}]
vary: {sm.warp_slots: [64, 63], limit: {short: {gpu.end_cycles: 1}, long: {gpu.end_cycles: 2}}}
set: {gpu.sms: 1}
seconds: 2
SPEC
failing() # WORDS ARGUMENT...
{
    local words=$1 status=0
    shift
    "$SIMSM" sweep "$scratch/f.yaml" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 1 ] || fail "status $status, not 1"
    grep -qF -- "$words" "$scratch/out" || fail "no '$words'"
}
failing '8 points: 2 done, 6 failed; 4 of them in this run'
failing '0 of them in this run'
"$SIMSM" results "$scratch/f.sqlite" --failed >"$scratch/out"
[ "$(grep -c 'stopped after 2 s' "$scratch/out")" -eq 2 ] || fail "endless points"
[ "$(grep -c 'warp_slots' "$scratch/out")" -eq 5 ] || fail "contradictory configurations"
sed -i 's/1000000/2/; s/\[64, 63\]/64/; s/^seconds: 2/seconds: 60/' "$scratch/f.yaml"
echo 'max_cycles: 100' >>"$scratch/f.yaml"
failing '4 points: 2 done, 2 failed; 2 of them in this run'
"$SIMSM" results "$scratch/f.sqlite" --failed | grep -q 'stopped after 100 cycles' || fail "max_cycles"
sed -i '/max_cycles/d' "$scratch/f.yaml"
failing '0 of them in this run'
"$SIMSM" sweep "$scratch/f.yaml" --retry >"$scratch/out" 2>"$scratch/err" || fail "retry"
grep -q '4 done, 0 failed; 2 of them in this run' "$scratch/out" || fail "retry"

# What is left of a file of results that was cut off is damaged, wherever that was.
for bytes in 8 50 100 600 20000; do
    for option in --check --json=-; do
        status=0
        head -c "$bytes" "$results" >"$scratch/cut.sqlite"
        "$SIMSM" results "$scratch/cut.sqlite" "$option" >"$scratch/out" 2>"$scratch/err" || status=$?
        [ "$status" -eq 1 ] || fail "$bytes bytes, $option: status $status, not 1"
        grep -qF 'cut.sqlite: the file is damaged' "$scratch/err" || fail "$bytes bytes: $(cat "$scratch/err")"
    done
done

# Ctrl-C: what is done stays, the rest comes next time.
cat >"$scratch/i.yaml" <<SPEC
configs: [teaching]
kernels: [{trace: $PWD/traces/divergent.trace, vary: {param.rounds: [1, 1000000]}}]
set: {gpu.sms: 1}
SPEC
status=0
bash -c '
    trap - INT
    "$0" sweep "$1" --jobs 1 &
    sleep 2
    kill -INT $!
    wait $!' "$SIMSM" "$scratch/i.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C: status $status"
grep -qF '2 points: 1 done, 0 failed, 1 left' "$scratch/out" || fail "Ctrl-C: what is done"

# kill -9; a hundred times: tests/tools/sweep_kills "$SIMSM"
bash tests/tools/sweep_kills "$SIMSM" 6 >"$scratch/out" 2>"$scratch/err" || fail "kill -9"

refuse() # WORDS ARGUMENT...
{
    local words=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
    grep -qF -- "$words" "$scratch/err" || fail "no '$words'"
}
sed 's/^set:.*/vary: {gpu.launch_cycles: 1:2000000000:1}/' "$scratch/e.yaml" >"$scratch/many.yaml"
refuse 'gpu.launch_cycles has more than 100000 values' sweep "$scratch/many.yaml"
cat >"$scratch/dead.yaml" <<SPEC
configs: [t4]
kernels: [w.trace, {trace: w.trace, name: other, vary: {param.n: [1, 2]}}]
set: {gpu.sms: 1}
exclude:
  - {kernel: other, param.n: 1}
  - {kernel: w, param.n: [1, 2]}
SPEC
refuse 'dead.yaml:6:5: exclude: no point has all of {kernel: w, param.n: [1, 2]}' sweep "$scratch/dead.yaml"
mkfifo "$scratch/pipe"
refuse 'pipe: is not a regular file' sweep "$scratch/s.yaml" --results "$scratch/pipe"
[ -p "$scratch/pipe" ] || fail "results have taken the place of a pipe"
refuse 'is a directory' sweep "$scratch/s.yaml" --results "$scratch"
refuse 'is for the short form' sweep "$scratch/s.yaml" --csv x
refuse 'is for a SPEC.yaml' sweep t4 "$scratch/w.trace" --vary gpu.sms=1 --retry
refuse 'SPEC.yaml, or CONFIG' sweep
refuse "--vary 'foo': expected KEY=a,b,c" sweep t4 "$scratch/w.trace" --vary foo
refuse 'is not a file of results of' results traces/divergent.trace
refuse 'cannot be read' results "$scratch/none"
sqlite3 "$scratch/other.sqlite" 'CREATE TABLE a (b)' 2>/dev/null && refuse 'is not a file of results of' results "$scratch/other.sqlite"
refuse 'no point has this key' results "$results" --where color=red
refuse 'config=t99: nothing matches; config is t4, teaching' results "$results" --where config=t99
refuse 'expected KEY=from:to:step, but in 4:1:1 FROM is above TO' sweep t4 "$scratch/w.trace" --vary gpu.sms=4:1:1
"$SIMSM" results "$results" --failed >"$scratch/out" || fail "that nothing has failed is no mistake"
refuse 'no such metric' results "$results" --value nothing
refuse 'has no point 999' results "$results" --rerun 999
