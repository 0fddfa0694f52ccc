#!/usr/bin/env bash
# Makes the files of this folder that are not source, as MANIFEST lists them. The toolkit (nvcc,
# nvlink, ptxas, fatbinary) is 13.0.88; $PTXAS_OLD is the ptxas of 12.0.140. Line tables hold the
# path of the folder in which this runs: copy it to /tmp/sass and run it there.
set -eu

for sm in 75 80 90; do
    nvcc -cubin -arch=sm_$sm -o features.sm_$sm.cubin features.cu
    for part in main other; do
        nvcc -cubin -arch=sm_$sm -rdc=true -o $part.o.cubin $part.cu
    done
    nvlink -arch=sm_$sm main.o.cubin other.o.cubin -o linked.sm_$sm.cubin
done
mv main.o.cubin unlinked.sm_90.cubin
rm other.o.cubin
nvcc -cubin -arch=sm_80 -lineinfo -o lines.sm_80.cubin tiny.cu
nvcc -cubin -arch=sm_90 -lineinfo -o inlined.sm_90.cubin inlined.cu

# Toolkit 12.0 relocates code instead of reading addresses from constant bank 4.
nvcc -ptx -arch=sm_80 -o features.ptx features.cu
sed -i 's/^\.version.*/.version 8.0/' features.ptx
"$PTXAS_OLD" -arch=sm_80 -o features.12.sm_80.cubin features.ptx
rm features.ptx

several="-gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80
    -gencode arch=compute_90,code=[sm_90,compute_90]"
# shellcheck disable=SC2086
nvcc -fatbin $several -Xfatbin -compress-all --compress-mode=size -o zstd.fatbin tiny.cu
# shellcheck disable=SC2086
nvcc -fatbin $several -Xfatbin -compress-all --compress-mode=speed -o lz4.fatbin tiny.cu
nvcc -fatbin -gencode arch=compute_80,code=compute_80 -o ptx.fatbin tiny.cu
# shellcheck disable=SC2086
nvcc -c $several -Xfatbin -compress-all --compress-mode=size -Xcompiler -g0 -o host.o tiny.cu
strip --strip-unneeded host.o
