#!/usr/bin/env bash
# simsm why: the planted fault comes first, an experiment costs what the mended kernel does, the same
# output on any number of processes, and mistakes are refused before anything runs.
. tests/tools/cli.sh

# Writes a trace: a loop around the lines of the standard input.
kernel() # NAME
{
    printf 'kernel %s\ngrid 160\nblock 256\nregisters 16\nshared 4096\nlocal 1024\nbuffer data = 256M\nloop 16 {\n' "$1"
    cat
    printf '}\nSTG [R0 + data + 4*global_thread], R6\n'
} >"$scratch/$1.trace"

cycles() # TRACE ARGUMENTS...
{
    local trace=$1
    shift
    "$SIMSM" t4 "$scratch/$trace.trace" --quiet --json "$scratch/run.json" "$@"
    sed -n 's/.*"sm__cycles_elapsed.max": *\([0-9]*\).*/\1/p' "$scratch/run.json"
}

# Fails unless removing the cost KEY from FAULTY takes as long as MENDED, up to PERCENT.
same_time() # KEY FAULTY MENDED PERCENT
{
    local without mended plain
    plain=$(cycles "$2")
    without=$(cycles "$2" --set "what_if.$1=true")
    mended=$(cycles "$3")
    [ "$without" -lt "$plain" ] || fail "what_if.$1 changes nothing: $plain cycles"
    [ $((100 * (without > mended ? without - mended : mended - without))) -le $(($4 * mended)) ] ||
        fail "what_if.$1: $2 takes $plain cycles, $without without the cost, $3 takes $mended"
}

kernel rows <<<'LDG R4, [R2 + data + 4*global_thread]
FADD R6, R4, R6'
kernel columns <<<'LDG R4, [R2 + data + 128*global_thread]
FADD R6, R4, R6'
kernel banks <<<'LDS R4, [R2 + 4*thread]
FADD R6, R4, R6'
kernel conflicts <<<'LDS R4, [R2 + 128*(thread % 32)]
FADD R6, R4, R6'
kernel singles <<<'FFMA R6, R6, R7, R8'
kernel doubles <<<'DFMA R6, R6, R10, R12'
kernel conversions <<<'F2F.F64.F32 R10, R6
F2F.F32.F64 R6, R10'
kernel moves <<<'IADD3 R10, R6, R7, R8
IADD3 R6, R10, R7, R8'
kernel registers <<<'IADD3 R4, R6, R7, R8
FADD R6, R4, R6'
kernel spills <<<'LDL R4, [R2 + 16]
FADD R6, R4, R6'

same_time no_bank_conflicts conflicts banks 2
same_time fp64_as_fp32 doubles singles 2
same_time fp64_as_fp32 conversions moves 2
same_time free_local spills registers 2

# Dense accesses read each sector once; other words of the lines are read by nobody here.
plain=$(cycles columns)
dense=$(cycles columns --set what_if.coalesced=true)
[ $((2 * dense)) -lt "$plain" ] || fail "what_if.coalesced: $dense of $plain cycles"

# The first advice, its line and its figure.
"$SIMSM" why t4 "$scratch/columns.trace" --json "$scratch/why.json" >"$scratch/out"
grep -q '^  1\. Uncoalesced global access: costs' "$scratch/out" || fail "another advice comes first"
grep -q 'line 9: LDG .*; 32.0 sectors a' "$scratch/out" || fail "no line or no figure"
grep -q '"advice": "uncoalesced"' "$scratch/why.json" || fail "$(cat "$scratch/why.json")"
"$SIMSM" why t4 "$scratch/conflicts.trace" >"$scratch/out"
grep -q '^  1\. Bank conflicts in shared memory: costs' "$scratch/out" || fail "another advice comes first"

# One experiment alone; the same bytes on one process.
"$SIMSM" why t4 "$scratch/columns.trace" --what-if coalesced >"$scratch/out"
grep -q "what_if.coalesced: .* instead of" "$scratch/out" || fail "--what-if prints no cycles"
"$SIMSM" why t4 "$scratch/spills.trace" >"$scratch/out"
"$SIMSM" why t4 "$scratch/spills.trace" --jobs 1 >"$scratch/one"
cmp "$scratch/out" "$scratch/one" || fail "the number of processes changes the output"

# A recording with two kinds of launch; the longer one comes first.
"$SIMSM" record t4 "$scratch/rows.trace" "$scratch/columns.trace" -o "$scratch/two.smtr" --quiet
"$SIMSM" why t4 "$scratch/two.smtr" >"$scratch/out"
[ "$(grep -c ', 1 launch, ' "$scratch/out")" -ge 1 ] || fail "no kinds of launch"
head -1 "$scratch/out" | grep -q '^columns,' || fail "the longest launch does not come first"

# Chosen launches: by name and by number; of two choices, what both choose.
chosen() # KERNEL ARGUMENTS...
{
    local kernel=$1
    shift
    "$SIMSM" why t4 "$scratch/two.smtr" "$@" --what-if coalesced >"$scratch/out"
    [ "$(grep -c ', grid ' "$scratch/out")" -eq 1 ] || fail "not one kind of launch: $*"
    head -1 "$scratch/out" | grep -q "^$kernel," || fail "not the launch of $kernel: $*"
}
chosen rows --kernels '^ro'
chosen rows --launches 1:2
chosen columns --launches 2:9
chosen columns --launches 1:3 --kernels col
status=0
"$SIMSM" why t4 "$scratch/two.smtr" --kernels none 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] || fail "status $status, not 1: no launch is chosen"
grep -q 'choose no launch' "$scratch/err" || fail "$(cat "$scratch/err")"

refuse() # TEXT ARGUMENTS...
{
    local text=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
    grep -qF -- "$text" "$scratch/err" || fail "no '$text': $*"
    [ ! -s "$scratch/out" ] || fail "something was printed: $*"
}

refuse 'there is no such experiment' why t4 "$scratch/rows.trace" --what-if nothing
refuse 'name traces or recordings' why t4
refuse 'cannot read this trace' why t4 "$scratch/none.trace"
refuse 'would overwrite the input' why t4 "$scratch/rows.trace" --json "$scratch/rows.trace"
refuse 'is no regular expression' why t4 "$scratch/two.smtr" --kernels '('
refuse 'expected A:B' why t4 "$scratch/two.smtr" --launches 2:2
refuse 'both choose launches' why t4 "$scratch/two.smtr" --launches 1:2 --launch-number 1
refuse 'expected a whole number' why t4 "$scratch/rows.trace" --jobs 0
refuse 'no such program' why t4 -- ./none

# Experiments that change what warps wait for are refused where instructions are executed as they issue.
refuse 'needs a trace or a recording' h200 traces/lessons/copy_ahead.sm_90a.cubin \
    --launch traces/lessons/copy_ahead.yaml --set what_if.full_lanes=true --quiet
