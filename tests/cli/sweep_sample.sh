#!/usr/bin/env bash
# simsm sweep with `sample`: a kernel's launches are one point, whose figures are those of --sample;
# and memory.model: fast, which is a key like any other.
. tests/tools/cli.sh
for i in $(seq 10 33); do
    sed "s/0x00007f10/0x00007f$i/g" tests/data/accelsim/list.traceg >"$scratch/kernel-$i.traceg"
    echo "kernel-$i.traceg"
done >"$scratch/alike.g"
cat >"$scratch/s.yaml" <<'SPEC'
configs: [t4]
kernels:
  - {trace: alike.g, name: sampled, sample: true}
  - {trace: alike.g, name: full}
vary: {memory.model: [full, fast]}
SPEC
"$SIMSM" sweep "$scratch/s.yaml" >"$scratch/out" 2>"$scratch/err" || fail "the sweep"
grep -qF '50 points: 50 done' "$scratch/out" || fail "not one point for each model and for each launch"

# The figures are those of the command that --rerun prints, and near those of all launches.
results=$scratch/s.sqlite
value() # METRIC MODEL
{
    "$SIMSM" results "$results" --where kernel=sampled --where memory.model="$2" --value "$1" --json - |
        sed -n "s/^ *\"$1\": \([0-9.]*\),*/\1/p"
}
for model in full fast; do
    point=$("$SIMSM" results "$results" --where kernel=sampled --where memory.model=$model --value cycles --csv - | awk -F, 'NR == 2 { print $2 }')
    "$SIMSM" results "$results" --rerun "$point" >"$scratch/again"
    grep -q ' --sample$' "$scratch/again" || fail "--rerun without --sample"
    (cd "$scratch" && PATH=$(dirname "$SIMSM"):$PATH && sed 's/^simsm point.*/& --quiet --json hand.json/' again | bash) ||
        fail "the command does not run: $(cat "$scratch/again")"
    cycles=$(sed -n '/"total"/,/}/s/.*"cycles": \([0-9]*\).*/\1/p' "$scratch/hand.sample.json")
    half=$(sed -n 's/.*"half_95": \([0-9.]*\).*/\1/p' "$scratch/hand.sample.json" | head -n 1)
    timed=$(sed -n '/"total"/,/}/s/.*"timed": \([0-9]*\).*/\1/p' "$scratch/hand.sample.json")
    awk -v a="$cycles" -v b="$(value sm__cycles_elapsed.max $model)" -v c="$half" -v d="$(value simsm__sample_cycles_half_95.sum $model)" \
        'BEGIN { exit !(a - b < 1 && b - a < 1 && c - d < 0.1 && d - c < 0.1 && c > 0) }' || fail "$model: other cycles than by hand"
    [ "$(value simsm__sample_timed.sum $model)" = "$timed.0" ] || [ "$(value simsm__sample_timed.sum $model)" = "$timed" ] ||
        fail "$model: other launches are timed than by hand"
    [ "$timed" -lt 24 ] || fail "all launches are timed"
    full=$("$SIMSM" results "$results" --where kernel=full --rows memory.model --value cycles --reduce sum --csv - | sed -n "s/^$model,//p")
    awk -v a="$cycles" -v b="$full" 'BEGIN { exit !(a > 0.97 * b && a < 1.03 * b) }' || fail "$model: $cycles cycles, all launches take $full"
done
[ "$(value smsp__inst_executed.sum full)" = "$(value smsp__inst_executed.sum fast)" ] || fail "instructions depend on the memory model"
"$SIMSM" results "$results" --where kernel=sampled --json "$scratch/sampled.json"
! grep -qE '"(launch__waves|.*stalled_barrier).*": [0-9]' "$scratch/sampled.json" || fail "a sum over launches has figures of one"
"$SIMSM" results "$results" --where kernel=full --json "$scratch/full.json"
! grep -q '"simsm__sample.*": [0-9]' "$scratch/full.json" || fail "a launch that is timed has figures of a sample"

# As a task for another machine.
"$SIMSM" sweep "$scratch/s.yaml" --results "$scratch/t.sqlite" --print-jobs --array-size 2 >"$scratch/jobs"
bash "$scratch/jobs" >"$scratch/out" 2>"$scratch/err" || fail "the tasks"
"$SIMSM" sweep "$scratch/s.yaml" --results "$scratch/t.sqlite" --collect --quiet || fail "--collect"
for file in s t; do
    "$SIMSM" results "$scratch/$file.sqlite" --where kernel=sampled --csv - | cut -d, -f3-150 >"$scratch/$file.csv"
done
cmp "$scratch/s.csv" "$scratch/t.csv" || fail "a task has other figures"

if "$SIMSM" results "$results" --where kernel=sampled --rows kernel --columns memory.model --draw stack --svg "$scratch/none.svg" 2>"$scratch/err"; then
    fail "bars of what has no warp states"
fi
grep -qF 'no point that is done has warp states' "$scratch/err" || fail "no word of warp states"

refuse() # WORDS KERNEL [LINE]
{
    local status=0
    printf 'configs: [t4]\nkernels: [%s]\n%s\n' "$2" "${3:-}" >"$scratch/r.yaml"
    "$SIMSM" sweep "$scratch/r.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] && grep -qF -- "$1" "$scratch/err" || fail "status $status, not 2, or no '$1'"
}
cp traces/lessons/waves.trace "$scratch/one.trace"
refuse 'r.yaml:2:11: sample is for the launches of a recording' '{trace: one.trace, sample: true}'
refuse 'sample stands for all launches: leave out `launches`' '{trace: alike.g, sample: true, launches: 2}'
refuse 'sample cannot estimate launches that max_cycles cuts off' '{trace: alike.g, sample: true}' 'max_cycles: 100'
refuse 'a launch file has one' '{code: a, launch_file: b, sample: true}'
