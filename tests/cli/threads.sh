#!/usr/bin/env bash
# --threads N: the same report, counters and timeline, byte for byte, for any N.
. tests/tools/cli.sh

# as THREADS INPUT...: run.csv, run.out, and run.lines, what the timeline shows.
as()
{
    local threads=$1
    shift
    "$SIMSM" "$@" --threads "$threads" --csv "$scratch/run.csv" --json "$scratch/run.json" --timeline "$scratch/run.smtl" >"$scratch/run.out" ||
        fail "$* --threads $threads: status $?"
    for sm in 0 39; do
        for from in 2000 7000; do
            "$SIMSM" timeline "$scratch/run.smtl" --sm $sm --cycles $from:$((from + 900)) --width 1000
        done
    done >"$scratch/run.lines"
}

compare() # INPUT THREADS...
{
    local input=$1 threads
    shift
    # shellcheck disable=SC2086
    as 1 $input
    for kind in csv json lines out; do mv "$scratch/run.$kind" "$scratch/one.$kind"; done
    for threads; do
        # shellcheck disable=SC2086
        as "$threads" $input
        cmp "$scratch/one.csv" "$scratch/run.csv" || fail "$input: counters with $threads threads"
        cmp "$scratch/one.json" "$scratch/run.json" || fail "$input: JSON with $threads threads"
        cmp "$scratch/one.out" "$scratch/run.out" || fail "$input: report with $threads threads"
        cmp "$scratch/one.lines" "$scratch/run.lines" || fail "$input: timeline with $threads threads"
    done
}

compare "configs/t4.yaml traces/divergent.trace --param rounds=1" 2 3 8 64
compare "configs/h200.yaml traces/lessons/latency.trace" 2 64
compare "configs/t4.yaml traces/policies/reuse.trace --param rounds=1 --policy ccws" 3
compare "configs/t4.yaml traces/policies/stream.trace --policy dyncta" 3
compare "configs/t4.yaml traces/divergent.trace --fast" 2 8

# Representative launches of many, timed with fewer queues: the same estimate and launches.
for i in $(seq 6); do
    cp tests/data/accelsim/list.traceg "$scratch/kernel-$i.traceg"
    sed -i "s/0x00007f10/0x00007f1$i/g" "$scratch/kernel-$i.traceg"
    echo "kernel-$i.traceg"
    echo "kernel-$i.traceg"
done >"$scratch/kernels.g"
sampled() # THREADS
{
    "$SIMSM" t4 "$scratch/kernels.g" --sample --fast --threads "$1" --full --table "$scratch/table.$1" \
        --json "$scratch/run.json" >"$scratch/out" 2>"$scratch/err" || fail "--sample --threads $1: status $?"
    cat "$scratch/out" "$scratch"/run*.json* >"$scratch/sampled.$1"
}
sampled 1
for threads in 2 8; do
    sampled $threads
    cmp "$scratch/table.1" "$scratch/table.$threads" || fail "--sample: the table with $threads threads"
    cmp "$scratch/sampled.1" "$scratch/sampled.$threads" || fail "--sample: the estimate with $threads threads"
done

for wrong in 0x2 -1 two 5000; do
    "$SIMSM" configs/t4.yaml traces/divergent.trace --threads "$wrong" >"$scratch/out" 2>"$scratch/err" &&
        fail "--threads $wrong was taken"
    grep -q -- '--threads: expected a whole number' "$scratch/err" || fail "--threads $wrong: no clear message"
done
