#!/bin/sh
# Makes probes.sm_90.cubin: kernels of cuda/probe whose answers of an H200 are in cuda/data, and one
# that waits at a barrier for ever. Needs nvcc 13.0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
"$here/../../../../cuda/probe/generate" "$work" 90
{
    echo "#include \"$here/../../../../cuda/probe/operands.h\""
    cat "$here/never.cu"
    awk '/^extern "C"/ { take = FILENAME ~ /mbarrier/ || (/e4m3x2|e5m2x2/) }
         /^static const Probe/ { take = 0 }
         take' "$work/mbarrier.cu" "$work/convert.cu"
} > "$work/probes.cu"
"${NVCC:-nvcc}" -O3 -arch=sm_90 -cubin -o "$here/probes.sm_90.cubin" "$work/probes.cu"
rm -rf "$work"
