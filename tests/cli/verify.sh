#!/usr/bin/env bash
# The programs of cuda/verify: what they compute and how many warp instructions they execute, against
# what was recorded on an H200 and on an H100.
set -eu

if nm -D "$BUILD"/cuda/libcudart.so.13 2>/dev/null | grep -q __asan; then
    echo "skipped: programs without AddressSanitizer cannot load a library with it"
    exit 77
fi

programs=$BUILD/verify
cuda/verify/built "$programs" >"$BUILD/verify.log" 2>&1 || {
    cat "$BUILD/verify.log"
    grep -q "there is no nvcc" "$BUILD/verify.log" && exit 77
    exit 1
}
unset LD_PRELOAD LD_LIBRARY_PATH
for gpu in h200/2026-11-21 h100/2026-11-26; do
    cuda/verify/compare "$SIMSM" "configs/${gpu%/*}.yaml" "$programs" "cuda/data/$gpu" || {
        cat "$BUILD/verify.log"
        exit 1
    }
done
