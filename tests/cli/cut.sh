#!/usr/bin/env bash
# A launch that --max-cycles stops goes on without time from where it is: wherever it is cut, memory
# holds the same in the end.
. tests/tools/cli.sh
waits=tests/data/sass/waits

# run OUT OPTIONS... : simulates $code with $launch; its outputs become OUT
run()
{
    local out=$1 status=0
    shift
    "$SIMSM" "$gpu" "$code" --launch "$launch" --sms 2 --quiet "$@" >"$scratch/said" 2>&1 || status=$?
    [ $status -eq 0 ] || [ $status -eq 3 ] || fail "$launch $*: status $status: $(head -n 3 "$scratch/said")"
    cat "$scratch"/*.bin >"$scratch/$out"
    return $status
}

# cut GPU CODE LAUNCH STEP: cuts the launch at every STEP-th cycle up to its end
cut()
{
    gpu=$1 code=$2 launch=$3
    local at=1 cuts=0
    rm -f "$scratch"/*.bin
    run whole || fail "$launch: is stopped without a limit"
    while ! run other --max-cycles "$at"; do
        cmp -s "$scratch/whole" "$scratch/other" || fail "$launch, cut at cycle $at: other results"
        at=$((at + $4)) cuts=$((cuts + 1))
    done
    [ $cuts -gt 20 ] || fail "$launch: cut $cuts times"
}

# with_outputs LAUNCH NAME...: writes LAUNCH with an output file for each buffer that is named
with_outputs()
{
    local from=$1 name
    shift
    cp "$from" "$scratch/$(basename "$from")"
    for name; do
        sed -i "s/^  $name: {/  $name: {out: $name.bin, /" "$scratch/$(basename "$from")"
    done
}

with_outputs "$waits/lock.yaml" total
cut t4 "$waits/waits.sm_75.cubin" "$scratch/lock.yaml" 997
cut h200 "$waits/waits.sm_90.cubin" "$scratch/lock.yaml" 997
with_outputs "$waits/chain.yaml" sum
cut t4 "$waits/waits.sm_75.cubin" "$scratch/chain.yaml" 211
cut h200 "$waits/waits.sm_90.cubin" "$scratch/chain.yaml" 211

# Clocks do not go back where the launch goes on without time.
cat >"$scratch/clocks.yaml" <<'YAML'
kernel: clocks
grid: 1
block: 1
buffers:
  out: {count: 1, type: u32, out: out.bin}
  sum: {count: 1, type: u32, out: sum.bin}
arguments:
  - buffer: out
  - buffer: sum
  - {i32: 30, name: n}
YAML
cut h200 tests/data/sass/ends/ends.sm_90.cubin "$scratch/clocks.yaml" 11
[ "$(od -An -tu4 "$scratch/out.bin" | xargs)" = 0 ] || fail "clocks go back: $(od -An -tu4 "$scratch/out.bin")"

# Barriers of all kinds, copies, atomic operations, malloc, divergence.
cp tests/data/sass/cut/cut.yaml "$scratch"
cut h200 tests/data/sass/cut/cut.sm_90.cubin "$scratch/cut.yaml" "${STEP:-37}"
