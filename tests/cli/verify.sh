#!/usr/bin/env bash
# The programs of cuda/verify, built where there is an nvcc: what they compute and how many warp
# instructions they execute, against what was recorded on an H200; on an H100 those that are for it alone.
set -eu

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
"$nvcc" --version >/dev/null 2>&1 || { echo "skipped: no nvcc"; exit 77; }
if nm -D "$BUILD"/cuda/libcudart.so.13 2>/dev/null | grep -q __asan; then
    echo "skipped: programs without AddressSanitizer cannot load a library with it"
    exit 77
fi

# One build for all configurations of the project, made anew when a source has changed.
programs=$(dirname "$BUILD")/verify
sum=$(cat cuda/verify/*.cu cuda/verify/*.h cuda/probe/{async,wgmma}.cuh cuda/verify/build | sha256sum | cut -c1-16)
if [ ! -e "$programs/built-$sum" ]; then
    rm -rf "$programs"
    NVCC=$nvcc cuda/verify/build -a 90 "$programs" >"$BUILD/verify.log" 2>&1 || { tail "$BUILD/verify.log"; exit 1; }
    touch "$programs/built-$sum"
fi
unset LD_PRELOAD LD_LIBRARY_PATH
cuda/verify/compare "$SIMSM" configs/h200.yaml "$programs" cuda/data/h200/2026-11-21
mapfile -t hopper < <(cd cuda/verify && printf '%s\n' hopper_*.cu | sed 's/\.cu$//')
cuda/verify/compare "$SIMSM" configs/h100.yaml "$programs" cuda/data/h100/2026-11-26 "${hopper[@]}"
