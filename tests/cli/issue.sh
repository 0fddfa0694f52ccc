#!/usr/bin/env bash
# Machine code that is executed as it issues: what blocks do depends on time alone, not on threads,
# on skipping, or on where windows end.
. tests/tools/cli.sh
data=tests/data/sass/waits
bench=tests/bench/kernels

# run OUT CONFIG CODE LAUNCH OPTIONS...
run()
{
    local out=$1 config=$2 code=$3 launch=$4
    shift 4
    "$SIMSM" "$config" "$code" --launch "$launch" --quiet --csv "$scratch/$out.csv" "$@" >"$scratch/said" 2>&1 ||
        fail "fails: $launch $*: $(cat "$scratch/said")"
}

same() # CONFIG CODE LAUNCH OPTIONS...
{
    local what
    run one "$@"
    for what in "--threads 2" "--threads 3" --no-skip; do
        # shellcheck disable=SC2086
        run other "$@" $what
        cmp -s "$scratch/one.csv" "$scratch/other.csv" || fail "$3 with $what: other figures"
    done
}

for launch in lock flag counter chain pause; do
    same t4 "$data/waits.sm_75.cubin" "$data/$launch.yaml"
    same h200 "$data/waits.sm_90.cubin" "$data/$launch.yaml" --sms 12
done
same h200 "$bench/kernels.sm_90.cubin" "$bench/atomics.yaml" --sms 20
same h200 "$bench/kernels.sm_90.cubin" "$bench/pipeline.yaml" --sms 20

# A queue of unequal items.
same h200 "$bench/kernels.sm_90.cubin" "$bench/queue.yaml" --sms 20 --param n=500

# Memory that answers sooner than the SMs exchange what they have done: a chain of blocks, each of which
# polls a counter and adds to the sum of the block before.
cat >"$scratch/chain.yaml" <<YAML
kernel: chain
grid: 16
block: 32
buffers:
  sum: {count: 16, out: $scratch/sums}
  ready: {count: 16}
arguments:
  - buffer: sum
  - buffer: ready
YAML
expected=$(seq -s ' ' 16)
for memory in full fast fixed ideal "fixed --set memory.fixed_latency=7" "ideal --set memory.ideal_latency=3"; do
    # shellcheck disable=SC2086
    same h200 "$data/waits.sm_90.cubin" "$scratch/chain.yaml" --sms 12 --memory $memory
    sums=$(od -An -v -tu4 -w64 "$scratch/sums" | xargs)
    [ "$sums" = "$expected" ] || fail "--memory $memory: sums $sums"
done

# Barriers whose numbers are in registers, in a recording too.
cat >"$scratch/turns.yaml" <<YAML
kernel: turns
grid: 1
block: 256
buffers:
  out: {count: 12, out: $scratch/seen}
arguments:
  - buffer: out
  - i32: 6
YAML
turns=tests/data/sass/execute/turns.sm_90.cubin
same h200 "$turns" "$scratch/turns.yaml"
seen=$(od -An -v -tu4 -w48 "$scratch/seen" | xargs)
[ "$seen" = "$(seq -s ' ' 0 11)" ] || fail "turns by numbers in registers: $seen"
"$SIMSM" record h200 "$turns" --launch "$scratch/turns.yaml" -o "$scratch/turns.smtr" >"$scratch/said"
"$SIMSM" h200 "$scratch/turns.smtr" --quiet >"$scratch/said" 2>&1 ||
    fail "turns by numbers in registers, recorded: $(cat "$scratch/said")"

cat >"$scratch/crowd.yaml" <<YAML
kernel: crowd
grid: 1
block: 32
arguments:
  - u32: 4194304
YAML
status=0
"$SIMSM" h200 "$turns" --launch "$scratch/crowd.yaml" --quiet >"$scratch/said" 2>&1 || status=$?
[ $status -eq 1 ] && grep -q 'BAR names 4194304 threads, at most 2047 can take part' "$scratch/said" ||
    fail "4194304 threads: $status: $(cat "$scratch/said")"

# A flag that nobody sets: the warps that poll it are named, in place of polling for ever.
cat >"$scratch/wait.yaml" <<'YAML'
kernel: waits_for_ever
grid: 3
block: 64
buffers:
  out: {count: 1024, type: u32}
arguments:
  - buffer: out
YAML
status=0
"$SIMSM" h200 tests/data/sass/execute/kernels.sm_90.cubin --launch "$scratch/wait.yaml" --quiet \
    >"$scratch/said" 2>&1 || status=$?
[ $status -eq 1 ] && grep -q 'spins on memory that nobody changes at waits_for_ever' "$scratch/said" ||
    fail "a wait for ever: status $status: $(cat "$scratch/said")"
