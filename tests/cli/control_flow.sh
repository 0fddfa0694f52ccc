#!/usr/bin/env bash
# How lanes of a warp part and meet, launch by launch as an H200 does it.
set -eu

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
"$nvcc" --version >/dev/null 2>&1 || { echo "skipped: no nvcc"; exit 77; }
if nm -D "$BUILD"/cuda/libcudart.so.13 2>/dev/null | grep -q __asan; then
    echo "skipped: programs without AddressSanitizer cannot load a library with it"
    exit 77
fi
unset LD_PRELOAD LD_LIBRARY_PATH
NVCC=$nvcc cuda/probe/control_flow "$SIMSM" configs/h200.yaml cuda/data/h200/2026-11-21/control_flow.csv
