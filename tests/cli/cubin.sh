#!/usr/bin/env bash
# simsm CONFIG CODE --launch FILE: kernels of machine code, what they compute, what is refused.
. tests/tools/cli.sh

code=tests/data/sass/execute/kernels.sm_75.cubin
launch=$scratch/vecadd.yaml

cat >"$launch" <<'YAML'
kernel: vecadd
grid: 40
block: [256]
buffers:
  a: {count: 10000, type: f32, fill: iota}
  b: {count: 10000, type: f32, fill: value, value: 0.5}
  c: {size: 40000, out: c.bin}
arguments:
  - buffer: a
  - buffer: b
  - buffer: c
  - {i32: 10000, name: n}
YAML

# Runs simsm, expects the status, and leaves its output in $scratch/out and $scratch/err.
expect()
{
    local want=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$want" ] ||
        fail "simsm $*: status $status instead of $want: $(cat "$scratch/err")"
}

said()
{
    grep -qF -- "$1" "$scratch/err" || fail "'$1' is not in: $(cat "$scratch/err")"
}

# Executed alone, and executed for the timing model: the same results and counts.
expect 0 configs/t4.yaml "$code" --launch "$launch" --functional
grep -q 'vecadd: 40 blocks of 256 threads' "$scratch/out" || fail "no head of --functional"
counted=$(awk '$1 == "warp" { print $3 }' "$scratch/out")
[ "$(od -An -t f4 -j 4 -N 4 "$scratch/c.bin" | tr -d ' ')" = 1.5 ] || fail "c[1] is not 1.5"
[ "$(od -An -t f4 -j 39996 -N 4 "$scratch/c.bin" | tr -d ' ')" = 9999.5 ] || fail "c[9999]"
mv "$scratch/c.bin" "$scratch/functional.bin"
expect 0 configs/t4.yaml "$code" --launch "$launch" --check --json "$scratch/a.json" --csv - --quiet
cmp "$scratch/c.bin" "$scratch/functional.bin" || fail "results depend on the timing run"
timed=$(awk -F, '$1 == "smsp__inst_executed.sum" { print $3 }' "$scratch/out")
[ "$counted" = "$timed" ] || fail "$counted warp instructions executed, $timed simulated"

# The whole file, run in another order of SMs, gives the same instructions.
expect 0 configs/t4.yaml "$code" --launch "$launch" --sms 3 --no-skip --csv - --quiet
[ "$(awk -F, '$1 == "smsp__inst_executed.sum" { print $3 }' "$scratch/out")" = "$timed" ] ||
    fail "instructions depend on the number of SMs"

# Arguments with names are parameters; a sweep varies them; a recording replays the launch.
expect 0 sweep configs/t4.yaml "$code" --vary "param.launch=$launch" --vary param.n=100,10000 --no-plot
[ "$(wc -l <"$scratch/out")" -ge 3 ] || fail "the sweep has too few rows"
mv "$scratch/out" "$scratch/rows"
expect 0 sweep configs/t4.yaml "$code" --launch "$launch" --vary param.n=100,10000 --no-plot
cut -d' ' -f2- "$scratch/rows" | awk '{ print $(NF) }' >"$scratch/one"
awk '{ print $(NF) }' "$scratch/out" | cmp -s - "$scratch/one" || fail "--launch of a sweep has no effect"
expect 2 sweep configs/t4.yaml "$code" --launch "$launch" --param n=5 --vary param.n=100,10000
said "--vary param.n: the parameter also has a value, 'n=5'"
expect 0 configs/t4.yaml "$code" --launch "$launch" --param n=100 --functional
[ "$(od -An -t f4 -j 400 -N 4 "$scratch/c.bin" | tr -d ' ')" = 0 ] || fail "n=100 was not taken"

# Findings.
expect 1 configs/t4.yaml "$code" --launch "$launch" --param n=20000 --functional
said 'Invalid __global__ read of size 4 bytes'
said 'vecadd+0x'
expect 1 configs/t4.yaml "$code" --launch "$launch" --param n=20000 --quiet
said 'Invalid __global__ read of size 4 bytes'

# Mistakes in the launch file, each with its place.
mistake()
{
    local text=$1
    shift
    sed "$@" "$launch" >"$scratch/bad.yaml"
    expect 2 configs/t4.yaml "$code" --launch "$scratch/bad.yaml" --functional
    said "$text"
}
mistake "bad.yaml:2:1: there is no key 'gird' here; is 'grid' meant?" 's/grid/gird/'
mistake "bad.yaml:3:1: grid is given twice" 's/block: .*/grid: 2/'
mistake "grid is missing" '/^grid/d'
mistake "has no kernel 'vecsub'" 's/vecadd/vecsub/'
mistake "there is no buffer 'd'" 's/buffer: c/buffer: d/'
mistake "has 4 parameters, but there are 3 arguments" '/buffer: c$/d'
mistake "parameter 3 of vecadd has 4 bytes, but this argument has 8" 's/i32: 10000/i64: 10000/'
mistake "'1e3' is no number that i32 can hold" 's/i32: 10000/i32: 1e3/'
mistake "buffer b: value is no number of this type" 's/value: 0.5/value: half/'
mistake "buffer c: either size (bytes) or count" 's/size: 40000, //'
mistake "a whole number such as 4096 or 4 KiB is expected" 's/size: 40000/size: 40 kB/'
mistake "blocks of 2048 threads" 's/\[256\]/[2, 1024]/'
mistake "is no launch file" 's/.*//'
mistake "2:7: a size from 1 to 2147483647 is expected, found 0" 's/grid: 40/grid: 0/'
mistake "2:11: a size from 1 to 65535 is expected, found 70000" 's/grid: 40/grid: [1, 70000]/'
mistake "vecadd: a stack of 104857600 bytes; a thread has at most 524288" 's/^grid/stack: 100 MiB\ngrid/'
mistake "at least 1 (without this key: no limit of your own) is expected, found '0'" 's/^grid/max_instructions: 0\ngrid/'
mistake "zero, value, iota, random or file is expected, found 'ramp'" 's/fill: iota/fill: ramp/'
mistake "true or false is expected, found 'maybe'" 's/^grid/cooperative: maybe\ngrid/'
mistake "buffer a: the GPU's memory has no room for its 40000 bytes; give" 's/^grid/memory: 4 KiB\ngrid/'
mistake "buffer b: the GPU's memory has no room for its 8589934588 bytes; give \`memory:\` more than 17179869184 bytes" \
    's/count: 10000/count: 2147483647/'
mistake "buffer a: the GPU's memory has no room for its 17179869176 bytes" 's/count: 10000, type: f32/count: 2147483647, type: f64/'
mistake "a second document begins here; one is expected" "\$a ---\ngrid: 3"

expect 2 configs/t4.yaml "$code"
said '--launch FILE.yaml'
expect 2 configs/h200.yaml "$code" --launch "$launch"
said 'no machine code that runs on sm_90'
expect 2 configs/t4.yaml "$code" --launch "$scratch/none.yaml"
said 'none.yaml'
expect 2 configs/t4.yaml "$code" --launch "$launch" --param m=3 --functional
said "no argument can take 'm=3'"
expect 2 configs/t4.yaml "$code" --functional
said '--functional needs --launch'
expect 2 configs/t4.yaml "$code" --launch "$launch" --functional --json "$scratch/none.json"
said '--json is of timed launches, and --functional times none'

printf '.version 8.0\n.target sm_75\n' >"$scratch/k.ptx"
expect 2 configs/t4.yaml "$scratch/k.ptx" --launch "$launch"
said 'k.ptx: is PTX, no machine code: compile it'
expect 2 configs/gtx1080.yaml "$code" --launch "$launch"
said 'has sm_75; code for sm_61 is not executed, code for sm_75 to sm_90 is: choose another GPU'
# Code of a GPU whose configuration is for traces only: byte 49 of an ELF file names its SM.
{ head -c 49 "$code" && printf '\144' && tail -c +51 "$code"; } >"$scratch/sm_100.cubin"
expect 2 configs/b200.yaml "$scratch/sm_100.cubin" --launch "$launch"
said 'has sm_100; code for sm_100 is not executed'

# A limit of instructions is told, also where no report is.
sed 's/^grid.*/grid: 40\nmax_instructions: 1000/' "$launch" >"$scratch/limited.yaml"
for option in --functional --quiet; do
    expect 3 configs/t4.yaml "$code" --launch "$scratch/limited.yaml" $option
    said 'stopped by max_instructions after 1'
done
expect 3 sweep configs/t4.yaml "$code" --launch "$scratch/limited.yaml" --vary gpu.sms=1,2 --no-plot
[ "$(grep -c 'failed: .*stopped by max_instructions' "$scratch/out")" -eq 2 ] || fail "points that are stopped"

# Ctrl-C is heard while blocks are executed, or buffers filled, which takes minutes here, and is told.
sed 's/^grid.*/grid: 40000000/' "$launch" >"$scratch/large.yaml"
sed 's/count: 10000, type: f32, fill: iota/count: 10000000000, type: u8, fill: random/' "$launch" >"$scratch/filled.yaml"
for file in large filled; do
    for command in "$code --functional" "$code --quiet" "sweep $code --vary gpu.sms=1,2 --no-plot" \
        "record $code -o $scratch/large.smtr"; do
        words=()
        case $command in
        sweep* | record*) words=("${command%% *}") command=${command#* } ;;
        esac
        status=0
        # shellcheck disable=SC2086
        timeout --preserve-status -k 20 -s INT 1 "$SIMSM" "${words[@]}" configs/t4.yaml $command \
            --launch "$scratch/$file.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
        [ "$status" -eq 130 ] || fail "Ctrl-C: status $status: $command, $file"
        said 'simsm: stopped by Ctrl-C'
        if ls "$scratch"/*.part "$scratch"/large.smtr 2>/dev/null; then fail "Ctrl-C leaves a file: $command"; fi
    done
done
