# simsm disasm: what it lists of each kind of file, and what it refuses.
. tests/tools/cli.sh
data=tests/data/sass/module

# expect STATUS PATTERN ARGUMENT...: exit status, and a line of output that matches
expect() {
    status=$1 pattern=$2
    shift 2
    code=0
    "$SIMSM" disasm "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
    [ "$code" -eq "$status" ] || fail "expected status $status, got $code: $*"
    cat "$scratch/out" "$scratch/err" | grep -Eq -- "$pattern" || fail "no line matches /$pattern/: $*"
}

# also PATTERN: a line of the same output
also() {
    grep -Eq -- "$1" "$scratch/out" || fail "no line matches /$1/"
}

# Code, heads and lines.
expect 0 '^unit 0: code for sm_80, 1 kernel$' "$data/lines.sm_80.cubin"
also '^kernel _Z4tinyPi \(tiny\)$'
also '^  sm_80, 8 registers, 0 B shared memory, 0 B local memory, 0 barriers$'
also '^  parameter 0: offset 0, 8 B$'
also '^        // /tmp/sass/tiny.cu:3$'
also '^  0050  STG.E \[R2.64\], R5$'
also '^  0060  EXIT$'
also '^\.L_70:$'
also '^16 instructions, all known$'
expect 0 '^  W0       releases scoreboard 0' --control "$data/lines.sm_80.cubin"
expect 0 '^  0060  B------:R-:W-:-:S05  000fea0003800000 000000000000794d  EXIT$' \
    --control "$data/lines.sm_80.cubin"

# The same instructions from every toolkit and SM; each line with a pc is counted.
for file in features.sm_75 features.sm_80 features.sm_90 features.12.sm_80; do
    expect 0 '^kernel _Z7boundedPi5mixedcx \(bounded\)$' "$data/$file.cubin"
    also '^  blocks of at most 128 threads$'
    also '^  parameter 1: offset 8, 24 B$'
    also 'calls functions of the runtime'
    also '^\$_Z5callsPfi\$_Z6helperfi:$'
    listed=$(grep -Ec '^  [0-9a-f]{4}  ' "$scratch/out")
    also "^$listed instructions, "
done

# One kernel, by either name.
expect 0 '^kernel _ZN5outer5innerIfEEvPT_ \(outer::inner\)$' --kernel outer::inner \
    "$data/features.sm_75.cubin"
[ "$(grep -c '^kernel' "$scratch/out")" = 1 ] || fail "more than one kernel"
expect 0 '^kernel _Z5plainPfPKfi' --kernel _Z5plainPfPKfi "$data/features.sm_75.cubin"
expect 2 "features.sm_75.cubin: has no kernel 'nner' among its [0-9]+; names that hold it: _ZN5outer5inner" \
    --kernel nner "$data/features.sm_75.cubin"
expect 2 "did you mean 'plain'" --kernel plian "$data/features.sm_75.cubin"

# Linked code: functions of their own, each once, behind all kernels.
expect 0 '^function _Z3farfi \(far\)$' "$data/linked.sm_80.cubin"
also '^function _Z6deeperf \(deeper\)$'
[ "$(grep -c '^function' "$scratch/out")" = 2 ] || fail "more than two functions"
[ "$(grep -Eo '^  [0-9a-f]{4}' "$scratch/out" | sort | uniq -d | wc -l)" = 0 ] ||
    fail "two instructions at one offset"

# Containers; intermediate code is named.
for file in zstd.fatbin lz4.fatbin host.o; do
    expect 0 '^unit 0: PTX for compute_90, which is no machine code$' "$data/$file"
    also '^unit 0: code for sm_75, 1 kernel$'
    also '^40 instructions, all known$'
    expect 0 '^unit 0: code for sm_90, 1 kernel$' --sm 90 "$data/$file"
    expect 0 '^16 instructions, all known$' --sm=sm_90 --kernel tiny "$data/$file"
done
expect 2 '^unit 0: PTX for compute_80' "$data/ptx.fatbin"
expect 2 'ptx.fatbin: has no machine code for sm_75 to sm_90' "$data/ptx.fatbin"
printf '!<arch>\nrest' >"$scratch/lib.a"
expect 2 'lib.a: is an archive of objects: take them out with' "$scratch/lib.a"
expect 2 'host.o: has no code for sm_86, but for sm_80, which also runs on it$' --sm 86 \
    "$data/host.o"
expect 2 'has sm_75, sm_80, sm_90, PTX .*; code for sm_70 is not executed' --sm 70 \
    "$data/host.o"

# Nothing to list.
expect 0 'code for sm_90, 2 kernels, not linked: addresses in it are missing' "$data/unlinked.sm_90.cubin"
expect 2 'no/such.cubin: cannot read this program: No such file' no/such.cubin
expect 2 'tiny.cu: holds no GPU code: a cubin, a fatbin, or a program' "$data/tiny.cu"
head -c 5000 "$data/features.sm_80.cubin" >"$scratch/cut.cubin"
expect 2 'cut.cubin: is a damaged cubin: .*cut' "$scratch/cut.cubin"
expect 2 'name a file' --control
expect 2 "--sm: expected a number such as 80, found '8x'" --sm 8x "$data/host.o"
expect 2 'one file at a time' "$data/host.o" "$data/host.o"
