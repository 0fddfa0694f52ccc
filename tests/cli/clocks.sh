#!/usr/bin/env bash
# Kernels that read clocks: of launch files, of recordings, of programs (compiled here where there is
# an nvcc). What needs no nvcc is tested everywhere.
. tests/tools/cli.sh
code=tests/data/sass/execute/clocks.sm_90.cubin

cat >"$scratch/chain.yaml" <<'YAML'
kernel: chain
grid: 3
block: 64
buffers:
  out: {count: 12, type: u64, out: chain.bin}
  sink: {count: 192, type: f32}
arguments:
  - buffer: out
  - buffer: sink
  - {f32: 0.5}
YAML
cat >"$scratch/spin.yaml" <<'YAML'
kernel: spin
grid: 1
block: 32
buffers:
  out: {count: 32, type: u32}
arguments:
  - buffer: out
  - {u32: 5000}
YAML

# times: of the six warps, their second reads less their first
times()
{
    od -An -v -w16 -tu8 "$scratch/chain.bin" | awk '{ print $2 - $1 }'
}

cycles()
{
    sed -n 's/^ *"cycles": *\([0-9]*\).*/\1/p' "$scratch/out.json" | head -n 1
}

run()
{
    "$SIMSM" h200 "$@" --quiet --json "$scratch/out.json" >"$scratch/out" 2>"$scratch/err" || fail "fails: $*"
}

run "$code" --launch "$scratch/chain.yaml"
[ ! -s "$scratch/err" ] || fail "chain: something is told"
for time in $(times); do
    [ "$time" -ge 252 ] && [ "$time" -lt 300 ] || fail "chain: 64 dependent FFMA take $time cycles"
done
cp "$scratch/chain.bin" "$scratch/first.bin"
first=$(cycles)
run "$code" --launch "$scratch/chain.yaml" --no-skip
cmp "$scratch/chain.bin" "$scratch/first.bin" || fail "chain: other values with --no-skip"

# A recording knows no values, and takes as long.
"$SIMSM" record h200 "$code" --launch "$scratch/chain.yaml" -o "$scratch/chain.smtr" >"$scratch/out"
run "$scratch/chain.smtr"
[ "$(cycles)" -eq "$first" ] || fail "chain: $first cycles, and $(cycles) of its recording"

# Executed alone: four cycles for each instruction of both warps of a block, which take turns.
"$SIMSM" h200 "$code" --launch "$scratch/chain.yaml" --functional --quiet
[ "$(times | sort -u | xargs)" = "504 516" ] || fail "chain: executed alone it takes $(times)"

# A loop that waits for 5000 cycles takes as long as the clock says.
run "$code" --launch "$scratch/spin.yaml"
[ ! -s "$scratch/err" ] || fail "spin: something is told"
[ "$(cycles)" -gt 5000 ] && [ "$(cycles)" -lt 12000 ] || fail "spin: $(cycles) cycles"

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
. tests/tools/programs.sh
allow_sanitizer
LD_PRELOAD='' "$nvcc" -O2 -arch=sm_90 -cudart shared -o "$scratch/clocks" tests/data/cuda/clocks.cu >"$scratch/out" 2>&1 ||
    fail "clocks.cu does not compile"
"$SIMSM" run h200 --quiet -- "$scratch/clocks" >"$scratch/out" 2>"$scratch/err" || fail "clocks fails"
[ "$(wc -l <"$scratch/out")" -eq 3 ] || fail "clocks: not each printf once"
for time in $(grep -v times "$scratch/out"); do
    [ "$time" -ge 252 ] && [ "$time" -lt 2000 ] || fail "clocks: 64 dependent FFMA take $time cycles"
done
grep -qx "times 2, later 1" "$scratch/out" || fail "clocks: a launch is executed not once, or time goes back"
[ ! -s "$scratch/err" ] || fail "clocks: something is told"
