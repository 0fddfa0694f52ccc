#!/usr/bin/env bash
# Launches that end in a way that is easily got wrong (tests/data/sass/ends/ends.cu).
. tests/tools/cli.sh
data=tests/data/sass/ends

# launch KERNEL GRID BLOCK WORDS ARGUMENTS: writes $scratch/KERNEL.yaml; `out` is written to out.bin
launch()
{
    cat >"$scratch/$1.yaml" <<YAML
kernel: $1
grid: $2
block: $3
buffers:
  out: {count: $4, type: u32, out: $scratch/out.bin}
arguments:
  - buffer: out
${5:-}
YAML
}

# run STATUS GPU KERNEL OPTIONS...: what it says becomes $scratch/said
run()
{
    local expected=$1 gpu=$2 kernel=$3 code=$data/ends.sm_90.cubin status=0
    shift 3
    [ "$gpu" = a100 ] && code=$data/ends.sm_80.cubin
    "$SIMSM" "$gpu" "$code" --launch "$scratch/$kernel.yaml" "$@" >"$scratch/said" 2>&1 || status=$?
    [ $status -eq "$expected" ] ||
        fail "$kernel on $gpu $*: status $status: $(grep -v '^ *[0-9]' "$scratch/said" | tail -n 5)"
}

says() # PATTERN WHAT
{
    grep -q -- "$1" "$scratch/said" || fail "$2: $(tail -n 5 "$scratch/said")"
}

# words EXPECTED...: the words of out.bin, each once with its count
words()
{
    local found
    found=$(od -An -v -tu4 -w4 "$scratch/out.bin" | sort -n | uniq -c | awk '{ printf "%s%sx%s", s, $1, $2; s = " " }')
    [ "$found" = "$1" ] || fail "$2: $found in place of $1"
}

# A warp whose guard is false does not arrive at a barrier: neither where others wait for it nor where
# it would never come.
launch passes_over 1 96 192
for gpu in h200 a100; do
    cut=2300 # behind its launch_cycles
    [ $gpu = h200 ] || cut=1750
    for mode in "" --functional "--max-cycles $cut"; do
        expected=0
        [ "${mode#--max}" = "$mode" ] || expected=3
        # shellcheck disable=SC2086
        run $expected $gpu passes_over $mode --quiet
        words "98x1 2x2 2x3 $(seq -f '2x%.0f' -s ' ' 4 32) 32x100" "passes_over on $gpu $mode"
    done
done
launch stuck 1 64 128
for mode in "" --functional "--max-cycles 2300"; do
    # shellcheck disable=SC2086
    run 1 h200 stuck $mode --quiet
    says 'warp 0 .*waits for the block at .*BAR.SYNC' "stuck $mode: the line of warp 0"
    says 'warp 1 .*spins on memory that nobody changes' "stuck $mode: the line of warp 1"
done

# Arrivals at barriers in shared memory count on GPUs where they are atomic operations, too.
launch arrives 2 128 128
for gpu in h200 a100; do
    run 0 $gpu arrives --quiet
    words 128x1 "arrives on $gpu"
done

# Whoever looks for a livelock while the store that ends the wait is under way finds none. Looks come
# every 100,000 cycles; the length of the launch goes over 200,000 in small steps.
length() # N
{
    launch set_last 2 1 64 "  - {i32: $1, name: n}"
    run 0 h200 set_last --quiet --csv "$scratch/length.csv" --sms 2
    awk -F, '$1 == "sm__cycles_elapsed.max" { print $3 }' "$scratch/length.csv"
}
first=$(length 20000)
second=$(length 30000)
[ "$second" -gt "$first" ] || fail "set_last: $first cycles, then $second"
for more in $(seq -100 60 2600); do
    length $((20000 + (200000 + more - first) * 10000 / (second - first))) >"$scratch/ignored"
done

# Who looks at a phase once, and then sleeps for longer than waits for phases may last, is not stuck.
launch rests 1 32 64 "  - {i32: 120, name: milliseconds}"
run 0 h200 rests --quiet --sms 2
words "32x0 32x1" rests

# A launch that fails has the same figures on any number of threads and without skipping, and its
# report says that it is not whole.
launch sleeps 3 32 64 "  - {i32: 20000, name: n}"
run 1 h200 sleeps --sms 4
cp "$scratch/said" "$scratch/one"
says INCOMPLETE "the report of a launch that fails"
for mode in "--threads 2" "--threads 3" --no-skip; do
    # shellcheck disable=SC2086
    run 1 h200 sleeps --sms 4 $mode
    sed 's/; options .*//' "$scratch/one" >"$scratch/a"
    sed 's/; options .*//' "$scratch/said" >"$scratch/b"
    cmp -s "$scratch/a" "$scratch/b" || fail "sleeps $mode: $(diff "$scratch/a" "$scratch/b" | head -n 4)"
done

for mode in "" --no-skip; do
    # shellcheck disable=SC2086
    run 1 a100 stuck --sms 4 $mode
    sed 's/; options .*//' "$scratch/said" >"$scratch/stuck$mode"
done
cmp -s "$scratch/stuck" "$scratch/stuck--no-skip" ||
    fail "stuck --no-skip: $(diff "$scratch/stuck" "$scratch/stuck--no-skip" | head -n 4)"

# Waits for a phase that never ends are found although their back-off reads clocks.
launch waits_for_one_more 1 32 64
for mode in "" --functional "--max-cycles 2300"; do
    # shellcheck disable=SC2086
    run 1 h200 waits_for_one_more $mode --quiet --sms 2
    says 'waits for a barrier in shared memory (mbarrier) at .*PHASECHK' "waits_for_one_more $mode"
done

# A fault that is found when the launch goes on without time fails it.
launch bad_arrival 1 32 64
run 1 h200 bad_arrival --quiet
for at in $(seq 2000 13 2440); do
    run 1 h200 bad_arrival --quiet --max-cycles "$at"
    says 'Invalid arrival at the barrier' "bad_arrival, cut at $at"
done

# Any number of accesses may overtake one that waits in front of L1.
launch overtakes 4 1024 4194304 "  - {i32: 20, name: n}"
run 0 h200 overtakes --quiet --sms 4
