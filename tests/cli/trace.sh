# simsm trace info and check: what they print, and their exit statuses.
. tests/tools/cli.sh

# expect STATUS PATTERN COMMAND...: exit status, and a line of output that matches
expect() {
    status=$1 pattern=$2
    shift 2
    code=0
    "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
    [ "$code" -eq "$status" ] || fail "expected status $status, got $code: $*"
    cat "$scratch/out" "$scratch/err" | grep -Eq "$pattern" || fail "no line matches /$pattern/: $*"
}

# Every shipped trace is good.
find traces -name '*.trace' | sort >"$scratch/traces"
[ -s "$scratch/traces" ] || fail "there are no traces"
while read -r trace; do
    expect 0 "^$trace: good; " "$SIMSM" trace check "$trace"
done <"$scratch/traces"

expect 0 '^grid +320 x 1 x 1: 320 blocks$' "$SIMSM" trace info traces/divergent.trace
grep -Eq '^0x00b0 +[0-9]+  branch +cbu +@!\(lanes 0-7\) BRA 0x00e0$' "$scratch/out" || fail "listing"
grep -Eq '^  all warps +[0-9]+$' "$scratch/out" || fail "count of all warps"
total=$(sed -n 's/^  all warps *//p' "$scratch/out")
[ "$total" -ge 500000 ] && [ "$total" -le 1500000 ] || fail "the example has $total instructions"
expect 0 '^  all warps +[0-9]+$' "$SIMSM" trace info traces/divergent.trace --param rounds=1
[ "$(sed -n 's/^  all warps *//p' "$scratch/out")" -lt "$total" ] || fail "--param has no effect"
expect 0 'more than 20000000' "$SIMSM" trace info traces/bench/fma.trace --param n=100000000
expect 0 'SSY 0x00a0' "$SIMSM" trace info traces/divergent.trace --config configs/gtx1080.yaml

# The documentation names every instruction, and its first example works.
sed -n 's/^MNEMONIC("\([^"]*\)".*/\1/p' sim/trace/mnemonics.def >"$scratch/names"
[ -s "$scratch/names" ] || fail "there are no instructions"
while read -r name; do
    grep -qw "$name" docs/trace-format.md || fail "docs/trace-format.md lacks $name"
done <"$scratch/names"
for page in docs/trace-format.md traces/README.md; do
    sed -n '/^    kernel/,/^[^ ]/s/^    //p' "$page" >"$scratch/example.trace"
    expect 0 'example.trace: good' "$SIMSM" trace check "$scratch/example.trace"
done

# A kernel that does what it should not.
cat >"$scratch/bad.trace" <<'END'
kernel bad
grid 2
block 96
registers 8
shared 128
local 16
buffer a = 1K
LDG.64 R2, [a + 4*thread]
STS [4*thread], R1
LDG R1, [a + 1000 + 4*lane]
LDL R1, [4*lane]
warps 0 { BAR.SYNC 0 }
warps 1 { BAR.SYNC 1, 96 }
lanes 0-15 { BAR.SYNC 2, 32 }
END
expect 0 . "$SIMSM" trace convert "$scratch/bad.trace" "$scratch/bad.smtr" # knows as much
for file in bad.trace bad.smtr; do
    expect 1 "$file: [0-9]+ findings$" "$SIMSM" trace check "$scratch/$file"
    for pattern in ':8: LDG.64 .*: misaligned: lane 1 ' ':9: STS .*outside shared memory: lane 0 ' \
        ':10: LDG .*outside all buffers: lane 6 ' ':11: LDL .*outside local memory: lane 4 ' \
        ':12: BAR.SYNC 0: barrier 0 never opens: 1 of 3 warps' ':13: .*barrier 1 never opens' \
        ':14: .*partial barrier: lanes 0x0000ffff '; do
        grep -Eq "$pattern" "$scratch/out" || fail "no finding matches /$pattern/"
    done
done

# One bad file does not hide the others.
expect 1 '^traces/divergent.trace: good' "$SIMSM" trace check "$scratch/bad.trace" traces/divergent.trace

# A loop that would take years is cut, not awaited.
cat >"$scratch/long.trace" <<'END'
kernel long
grid 100000
block 1024
registers 8
loop 4000000000 { loop 4000000000 { NOP } }
END
expect 0 'good; .*not to their end' "$SIMSM" trace check "$scratch/long.trace"

# Wrong input: status 2, and the place.
printf 'kernel x\ngrid 1\nblock 32\nregisters 8\nFMFA R1, R2, R3, R4\n' >"$scratch/slip.trace"
expect 2 "^simsm: $scratch/slip.trace:5:1: unknown instruction \"FMFA\"; did you mean \"FFMA\"\?$" \
    "$SIMSM" trace check "$scratch/slip.trace"
: >"$scratch/empty.trace"
expect 2 'empty.trace:1:1: the header lacks "kernel"' "$SIMSM" trace info "$scratch/empty.trace"
head -c 100000 /dev/urandom >"$scratch/binary.trace"
expect 2 '^simsm: ' "$SIMSM" trace check "$scratch/binary.trace"
expect 2 'No such file' "$SIMSM" trace check "$scratch/none.trace"
expect 2 'is a directory' "$SIMSM" trace check "$scratch"
expect 2 'larger than 16 MiB' "$SIMSM" trace check /dev/zero
expect 2 'has no param "x"' "$SIMSM" trace info traces/divergent.trace --param x=1
expect 2 'name an action' "$SIMSM" trace
expect 2 'name a trace' "$SIMSM" trace info
expect 2 'expected info, check, dump or convert' "$SIMSM" trace show traces/divergent.trace
expect 1 'standard output failed' sh -c '"$0" trace info traces/divergent.trace >/dev/full' "$SIMSM"
