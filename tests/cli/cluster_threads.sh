#!/usr/bin/env bash
# Blocks of a cluster in SMs that different threads simulate: the values of an H100. With ThreadSanitizer: no
# data race.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/tools/programs.sh

allow_sanitizer
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
LD_PRELOAD='' "$nvcc" -std=c++17 -gencode arch=compute_90a,code=sm_90a -cudart shared -o "$scratch/clusters" \
    cuda/probe/clusters.cu >"$scratch/log" 2>&1 || {
    grep -q "Unsupported gpu architecture" "$scratch/log" && { echo "nvcc knows no sm_90a"; exit 77; }
    cat "$scratch/log"
    exit 1
}
"$SIMSM" run h100 --quiet --threads=3 -- "$scratch/clusters" >"$scratch/out" 2>"$scratch/err" ||
    { cat "$scratch/err"; exit 1; }
cmp "$scratch/out" cuda/data/h100/2026-11-26/clusters.csv
