#!/usr/bin/env bash
# Our definitions of what programs pass to the CUDA runtime have the sizes, offsets and values of
# NVIDIA's headers, and our library has every function that NVIDIA's has. Skipped where there are none;
# $CUDA_INCLUDES names further folders of headers, $CUDA_LIBRARIES further libraries.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tested=0

for include in /usr/local/cuda*/include ${CUDA_INCLUDES:-}; do
    [ -f "$include/driver_types.h" ] || continue
    "${CC:-cc}" -std=c17 -fsyntax-only -D_POSIX_C_SOURCE=200809L -I sim -I include -isystem "$include" \
        tests/data/cuda/layout.c || { echo "$include has other layouts"; exit 1; }
    tested=1
done

functions() # LIBRARY
{
    nm -D --defined-only "$1" | sed -nE 's/.* [TW] ((__)?cuda[A-Za-z0-9_]*).*/\1/p' | sort -u
}

for library in /usr/local/cuda*/lib64/libcudart.so.1[123]* ${CUDA_LIBRARIES:-}; do
    [ -f "$library" ] || continue
    soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
    [ -f "$BUILD/cuda/$soname" ] || { echo "$library: there is no $soname"; exit 1; }
    missing=$(comm -23 <(functions "$library") <(functions "$BUILD/cuda/$soname"))
    [ -z "$missing" ] || { echo "$library has what $soname has not: $missing"; exit 1; }
    versions=$(comm -13 <(objdump -p "$BUILD/cuda/$soname" | grep -o 'libcudart[.0-9a-z]*' | sort -u) \
        <(objdump -p "$library" | grep -o 'libcudart[.0-9a-z]*' | sort -u))
    [ -z "$versions" ] || { echo "$library has versions of symbols that ours has not: $versions"; exit 1; }
    tested=1
done

[ "$tested" -eq 1 ] || { echo "there are no headers of CUDA"; exit 77; }
