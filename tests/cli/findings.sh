#!/usr/bin/env bash
# docs/findings.md, on a few points of each of its sweeps: the figures lean the way that it says.
. tests/tools/cli.sh
findings=$PWD/traces/findings

run() # NAME: sweeps $scratch/NAME.yaml
{
    "$SIMSM" sweep "$scratch/$1.yaml" --quiet 2>"$scratch/err" || fail "the sweep $1"
}

# table NAME ARGUMENT...: the rows of a table, without its head, with blanks between
table()
{
    "$SIMSM" results "$scratch/$1.sqlite" "${@:2}" --csv - | tail -n +2 | tr , ' '
}

# Who loads matters where L1 is too small for all, and not where nothing is read twice.
sed "/^kernels/,/^\$/c\\
kernels: [{trace: $findings/kmeans.trace, param: {n: 40, centres: 2}}, {trace: $findings/black_scholes.trace, param: {n: 40}}]
" "$findings/schedulers.yaml" >"$scratch/schedulers.yaml"
echo 'only: [{l1: 16KB, scheduler: [lrr, ccws]}]' >>"$scratch/schedulers.yaml"
run schedulers
table schedulers --rows kernel --columns scheduler --value IPC --baseline scheduler=lrr >"$scratch/out"
awk '/^kmeans/ { n += $3 > 2.2 } /^black_scholes/ { n += $3 > 0.97 && $3 < 1.03 } END { exit n != 2 }' "$scratch/out" ||
    fail "CCWS helps one kernel and leaves the other alone"

# Needed parallelism is latency x throughput, and a warp's own counts as much as another warp.
sed "s|trace: |trace: $findings/|" "$findings/latency.yaml" >"$scratch/latency.yaml"
cat >>"$scratch/latency.yaml" <<'SPEC'
only:
  - {kernel: chains, sm: gf100, sm.scheduler: lrr, param.chains: [1, 2], param.resident: [8, 18]}
  - {kernel: copy, dram.latency: [496, 992], param.words: [1, 4], param.resident: [2, 8]}
SPEC
run latency
table latency --where kernel=chains --rows param.resident --columns param.chains \
    --value sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active >"$scratch/out"
awk '$1 == 8 { n += $2 < 45 && $3 > 1.95 * $2 } $1 == 18 { n += $2 > 95 } END { exit n != 2 }' "$scratch/out" ||
    fail "576 threads, or half of them with two chains each"
table latency --where kernel=copy --rows dram.latency --columns param.resident --columns param.words \
    --value dram__throughput.avg.pct_of_peak_sustained_elapsed >"$scratch/out"
# Columns: one word with two and eight warps, four words with two and eight.
awk '{ n += $3 > 0.9 * $4 && $3 < 1.1 * $4 } $1 == 496 { near = $4 } $1 == 992 { far = $4 }
    END { exit n != 2 || far > 0.6 * near }' "$scratch/out" ||
    fail "eight loads are eight loads, and twice the latency is half the bandwidth"

# Fewer blocks are faster where L1 then holds what they come back to, and slower elsewhere.
sed "s|^kernels:.*|kernels: [{trace: $findings/gesummv.trace, param: {n: 40}}, {trace: $findings/bfs.trace, param: {n: 80}}]|" \
    "$findings/throttling.yaml" >"$scratch/throttling.yaml"
echo 'only: [{blocks: [2, 8]}]' >>"$scratch/throttling.yaml"
run throttling
table throttling --rows kernel --columns blocks --value cycles --baseline blocks=8 --speedup >"$scratch/out"
awk '/^gesummv/ { n += $2 > 5 } /^bfs/ { n += $2 < 0.8 } END { exit n != 2 }' "$scratch/out" ||
    fail "two blocks of gesummv are faster than eight, and two of bfs slower"
