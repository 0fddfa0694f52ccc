#!/usr/bin/env bash
# A GTX 1080 beside what is published of it. There is no machine code to run for it (nvcc 13 builds none,
# and the simulator executes none), so that its points are text traces: what a turn of a chain takes, at
# least and at most, branch included; four FFMA are in a turn. Sources: Turing Tuning Guide (arithmetic:
# 6); MT4G, Quadro P6000 (shared memory 38 to 40, L2 227 to 232, DRAM 413 to 415, and opening a row).
. tests/tools/cli.sh

cycles() # REPEATS INSTRUCTION
{
    cat >"$scratch/chain.trace" <<END
kernel chain
grid 1
block 1
registers 16
shared 1024
buffer small = 64K
buffer large = 256M
loop $1 {
$(printf '%b' "$2")
}
END
    "$SIMSM" configs/gtx1080.yaml "$scratch/chain.trace" --json "$scratch/chain.json" >"$scratch/out" ||
        fail "a chain of $2"
    sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' "$scratch/chain.json" | head -n 1
}

while IFS='|' read -r least most instruction; do
    short=$(cycles 512 "$instruction")
    long=$(cycles 768 "$instruction")
    [ -n "$short" ] && [ -n "$long" ] || fail "no cycles of $instruction"
    [ $((long - short)) -ge $((least * 256)) ] && [ $((long - short)) -le $((most * 256)) ] ||
        fail "$instruction: $((long - short)) cycles for 256, expected $least to $most each"
done <<'END'
24|30|FFMA R4, R4, R5, R4\nFFMA R4, R4, R5, R4\nFFMA R4, R4, R5, R4\nFFMA R4, R4, R5, R4
38|48|LDS R4, [R4 + 4*lane]
227|240|LDG R4, [R4.64 + chase(small, 64K, 128)]
413|450|LDG R4, [R4.64 + chase(large, 256M, 128)]
END
