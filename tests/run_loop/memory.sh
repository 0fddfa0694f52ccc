# Simulating takes less than 100 MB, and for a recording or machine code the window of it that is
# unpacked: for all of traces/bench on T4 and H200, a grid of many blocks, machine code, a recording.
# Machine code that fills an H200 takes more, for the registers of all its warps. $MEASURE is
# bench_measure.
. tests/tools/cli.sh

limit=$((100 * 1000 * 1000 / 1024)) # kB
window=$((8 * 1024 + 16 * 1024))    # kB: eight chunks (recording.c), streams of resident blocks
full=$((177 * 1000 * 1000 / 1024))  # kB: measured 171 MB
few=$((10 * 1000 * 1000 / 1024))    # kB: measured 6 MB

within() # KILOBYTES ARGUMENT...
{
    local most=$1 peak
    shift
    peak=$("$MEASURE" "$scratch/run.json" "$SIMSM" "$@" --quiet --json "$scratch/run.json" 2>"$scratch/err" |
        cut -d' ' -f3)
    [ -n "$peak" ] || fail "$*: no run"
    [ "$peak" -le "$most" ] || fail "$*: $peak kB, more than $most"
    echo "$peak kB: $*"
}

for gpu in t4 h200; do
    for kernel in fma divergent mixed vecadd scatter; do
        within $limit $gpu traces/bench/$kernel.trace --param n=4
    done
done
within $limit h200 traces/bench/scatter.trace --param n=20
within $limit h200 traces/bench/scatter.trace --param n=4 --memory fast

sed 's/^grid .*/grid 60000/; s/^block .*/block 32/' traces/bench/fma.trace >"$scratch/grid.trace"
within $limit t4 "$scratch/grid.trace" --param n=1

launch=tests/run_loop/launches/phases.yaml
within $((limit + window)) h200 cuda/calib/sm_90/mbarrier.cubin --launch $launch
"$SIMSM" record h200 cuda/calib/sm_90/mbarrier.cubin --launch $launch -o "$scratch/phases.smtr" --quiet ||
    fail "no recording"
within $((limit + window)) h200 "$scratch/phases.smtr"

# One block: only its SM has a state, and only what it touches takes memory.
cat >"$scratch/one.yaml" <<'YAML'
kernel: float_loop
grid: 1
block: 128
buffers:
  out: {count: 128, type: f32}
arguments:
  - buffer: out
  - {i32: 10, name: n}
YAML
within $few h200 tests/bench/kernels/kernels.sm_90.cubin --launch "$scratch/one.yaml"

within $full h200 tests/bench/kernels/kernels.sm_90.cubin --launch tests/run_loop/launches/full.yaml
