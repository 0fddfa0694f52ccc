#!/usr/bin/env bash
# simsm sweep --print-jobs, --task and --collect: tasks that other processes run, in any order, and that
# are killed, leave the same results as one sweep; no point that is done runs again.
. tests/tools/cli.sh
cp traces/divergent.trace "$scratch/d.trace"
cat >"$scratch/s.yaml" <<'SPEC'
configs: [teaching]
kernels: [{trace: d.trace, param: {rounds: 1}}]
vary: {sm.warp_slots: [64, 63]}
set: {gpu.sms: 1}
seeds: 1:8:1
SPEC
spec=$scratch/s.yaml tasks=$scratch/s.tasks

sweep() # STATUS WORDS ARGUMENT...
{
    local want=$1 words=$2 status=0
    shift 2
    "$SIMSM" sweep "$spec" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$want" ] || fail "$*: status $status, not $want"
    grep -qF -- "$words" "$scratch/out" "$scratch/err" || fail "$*: no '$words'"
}

figures()
{
    "$SIMSM" results "$1" --csv - | sed 's/,[^,]*,[^,]*,[^,]*,[^,]*$//' | cut -d, -f2- | sort
}

sweep 1 '16 points: 8 done, 8 failed' --results "$scratch/here.sqlite"
figures "$scratch/here.sqlite" >"$scratch/a"

# The commands run from any folder; half of them, then the others.
sweep 1 '8 of 16 points failed' --print-jobs --array-size 3
[ "$(wc -l <"$scratch/out")" -eq 3 ] || fail "three commands expected"
mv "$scratch/out" "$scratch/jobs"
(cd / && sed -n 2p "$scratch/jobs" | sh) >"$scratch/out" 2>"$scratch/err" || fail "a task: status $?"
[ ! -s "$scratch/out" ] || fail "a quiet task says something"
sweep 1 '16 points: 3 done, 8 failed, 5 left; 3 of them in this run' --collect
sweep 1 '3 done, 8 failed, 5 left; 0 of them in this run' --collect
# A task again: what it has done it leaves out.
before=$(stat -c %Y%i "$tasks"/*.point)
find "$tasks" -name '*.point' >"$scratch/points"
(cd / && sed -n 2p "$scratch/jobs" | sed 's/--quiet/--verbose/' | sh) >"$scratch/out" 2>"$scratch/err" || fail "again: $?"
grep -q '0 of them in this run' "$scratch/out" || fail "a task runs points again"
[ "$before" = "$(stat -c %Y%i "$tasks"/*.point)" ] || fail "points are written again"
xargs -P 2 -I{} sh -c '{}' <"$scratch/jobs" >"$scratch/out" 2>"$scratch/err" || fail "xargs: $?"
# A damaged file is none, and its point is run again.
one=$(find "$tasks" -name '*.point' | grep -vxF -f "$scratch/points" | tail -1)
head -c 100 "$one" >"$scratch/part"
mv "$scratch/part" "$one"
sweep 1 '7 done, 8 failed, 1 left; 4 of them in this run' --collect
xargs -P 2 -I{} sh -c '{}' <"$scratch/jobs" >"$scratch/out" 2>"$scratch/err" || fail "xargs again: $?"
sweep 1 '16 points: 8 done, 8 failed' --collect
figures "$scratch/s.sqlite" >"$scratch/b"
cmp "$scratch/a" "$scratch/b" || fail "figures depend on who runs the points"
[ ! -e "$tasks" ] || fail "the folder of tasks is left over: $(ls "$tasks")"
"$SIMSM" results "$scratch/s.sqlite" --check >"$scratch/out" || fail "damaged"
sweep 1 '0 of them in this run'

# Tasks that are killed at random, and begun again, as schedulers do; a failure that is a row; and
# GNU parallel, where it is installed.
cat >"$spec" <<'SPEC'
configs: [teaching]
kernels: [{trace: d.trace, param: {rounds: 1}}]
set: {gpu.sms: 1}
seeds: 11:40:1
max_cycles: 30000000
SPEC
rm -f "$scratch/here.sqlite" "$scratch/s.sqlite"
sweep 0 '30 points: 30 done' --results "$scratch/here.sqlite"
figures "$scratch/here.sqlite" >"$scratch/a"
"$SIMSM" sweep "$spec" --print-jobs --array-size 2 | sed 's/--quiet/--quiet --verbose/' >"$scratch/jobs"
for round in 1 2 3 4; do
    sh -c "exec $(sed -n "$((round % 2 + 1))p" "$scratch/jobs")" >>"$scratch/told" 2>"$scratch/err" &
    process=$!
    sleep "0.$((RANDOM % 400 + 100))"
    kill -KILL $process 2>/dev/null || true
    wait $process 2>/dev/null || true
done
if command -v parallel >/dev/null; then
    parallel -j2 <"$scratch/jobs" >>"$scratch/told" 2>"$scratch/err" || fail "parallel: $?"
else
    xargs -P 2 -I{} sh -c '{}' <"$scratch/jobs" >>"$scratch/told" 2>"$scratch/err" || fail "xargs: $?"
fi
sweep 0 '30 points: 30 done, 0 failed; 30 of them in this run' --collect
figures "$scratch/s.sqlite" >"$scratch/b"
cmp "$scratch/a" "$scratch/b" || fail "figures after kills"
twice=$(sed -n 's/.* point [0-9]* done: \(.*\) (.*/\1/p' "$scratch/told" | sort | uniq -d)
[ -z "$twice" ] || fail "points have run twice: $twice"

# What has changed since is not run under a wrong name; a sweep here takes what tasks have left.
sed -i 's/11:40:1/51:53:1/' "$spec"
"$SIMSM" sweep "$spec" --print-jobs >"$scratch/jobs"
sh -c "$(sed -n 1p "$scratch/jobs")" >"$scratch/out" 2>"$scratch/err" || fail "a task: $?"
echo '# changed' >>"$scratch/d.trace"
sh -c "$(sed -n 2p "$scratch/jobs")" >"$scratch/out" 2>"$scratch/err" && fail "a changed trace was taken"
grep -qF 'has changed since task' "$scratch/err" || fail "no clear message"
sed -i '$d' "$scratch/d.trace"
sweep 0 '3 points: 3 done, 0 failed; 3 of them in this run'

# Points that have failed wait again with --retry.
sed -i 's/51:53:1/61:62:1/; s/30000000/100/' "$spec"
"$SIMSM" sweep "$spec" --print-jobs >"$scratch/jobs"
sh -c "$(sed -n 1p "$scratch/jobs")" >"$scratch/out" 2>"$scratch/err" || fail "a task whose point fails: $?"
sweep 1 '2 points: 0 done, 1 failed, 1 left; 1 of them in this run' --collect
sed -i '/max_cycles/d' "$spec"
"$SIMSM" sweep "$spec" --print-jobs --retry >"$scratch/jobs"
[ "$(wc -l <"$scratch/jobs")" -eq 2 ] || fail "a failed point again, and one that waits"
sh "$scratch/jobs" >"$scratch/out" 2>"$scratch/err" || fail "again: $?"
sweep 0 '2 points: 2 done, 0 failed; 2 of them in this run' --collect

# Two sweeps with the same results leave each other's tasks alone.
sed 's/61:62/81:82/' "$spec" >"$scratch/u.yaml"
"$SIMSM" sweep "$scratch/u.yaml" --results "$scratch/s.sqlite" --print-jobs >"$scratch/jobs"
sed -i 's/61:62/83:83/' "$spec"
"$SIMSM" sweep "$spec" --print-jobs | sh >"$scratch/out" 2>"$scratch/err" || fail "the second sweep: $?"
sweep 0 '1 point: 1 done, 0 failed; 1 of them in this run' --collect
sh "$scratch/jobs" >"$scratch/out" 2>"$scratch/err" || fail "the tasks of the first sweep are gone: $?"
"$SIMSM" sweep "$scratch/u.yaml" --results "$scratch/s.sqlite" --collect >"$scratch/out" || fail "the first sweep"
grep -qF '2 points: 2 done, 0 failed; 2 of them in this run' "$scratch/out" || fail "the first sweep"
[ ! -e "$tasks" ] || fail "the folder of tasks is left over: $(ls "$tasks")"

# Machine code is recorded before it is given away; names may have blanks and quotes.
mkdir "$scratch/it's a folder"
cp tests/data/sass/execute/kernels.sm_75.cubin "$scratch/it's a folder/k.cubin"
cat >"$scratch/it's a folder/vecadd.yaml" <<'YAML'
kernel: vecadd
grid: 40
block: [256]
buffers:
  a: {count: 10000, type: f32, fill: iota}
  b: {count: 10000, type: f32, fill: value, value: 0.5}
  c: {size: 40000}
arguments:
  - buffer: a
  - buffer: b
  - buffer: c
  - {i32: 10000, name: n}
YAML
cat >"$scratch/it's a folder/c.yaml" <<'SPEC'
configs: [t4]
kernels: [{name: vecadd, code: k.cubin, launch_file: vecadd.yaml, vary: {param.n: [10000, 100]}}]
vary: {sm.scheduler: [gto, lrr]}
SPEC
spec="$scratch/it's a folder/c.yaml"
sweep 0 '4 of them in this run' --results "$scratch/here.code.sqlite"
(cd "$scratch/it's a folder" && "$SIMSM" sweep c.yaml --print-jobs --array-size 2 --jobs 2) >"$scratch/jobs" 2>"$scratch/err"
sh "$scratch/jobs" >"$scratch/out" 2>"$scratch/err" || fail "machine code: $?"
sweep 0 '4 points: 4 done, 0 failed; 4 of them in this run' --collect
"$SIMSM" results "$scratch/it's a folder/c.sqlite" --rerun 1 >"$scratch/again" || fail "--rerun"
eval "set -- $(grep '^simsm results ' "$scratch/again" | sed 's/>.*//')"
[ "$3" = "$scratch/it's a folder/c.sqlite" ] || fail "--rerun quotes the results as $3"
figures "$scratch/here.code.sqlite" >"$scratch/a"
figures "$scratch/it's a folder/c.sqlite" >"$scratch/b"
cmp "$scratch/a" "$scratch/b" || fail "figures of machine code"
sed -i 's/10000, 100/10000, 200/' "$spec"
"$SIMSM" sweep "$spec" --print-jobs >"$scratch/jobs"
rm -r "$scratch/it's a folder/c.recordings"
sh "$scratch/jobs" >"$scratch/out" 2>"$scratch/err" && fail "a recording that is gone"
grep -qF 'the recording is missing' "$scratch/err" || fail "no word of the recording"
spec=$scratch/s.yaml

refuse() # WORDS ARGUMENT...
{
    local words=$1 status=0
    shift
    "$SIMSM" sweep "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
    grep -qF -- "$words" "$scratch/err" || fail "no '$words'"
}
refuse 'give only one of' "$spec" --slurm --print-jobs
refuse 'need --slurm' "$spec" --partition work
refuse '--array-size needs' "$spec" --array-size 4
refuse 'expected a whole number from 1' "$spec" --slurm --array-size 0
refuse 'as in 1.3' "$spec" --task 1
refuse 'the batch has ended' "$spec" --task 9.1
refuse 'is for a SPEC.yaml' t4 "$scratch/d.trace" --vary gpu.sms=1 --collect
sed -i 's/83:83/71:72/' "$spec"
status=0
PATH=$scratch "$SIMSM" sweep "$spec" --slurm >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] || fail "no sbatch: status $status"
grep -qF 'sbatch cannot be started' "$scratch/err" || fail "no sbatch: no clear message"
