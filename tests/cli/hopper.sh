#!/usr/bin/env bash
# What only sm_90 has. Products of warp groups (wgmma) have the bits of an H100: every type, layouts of
# operands, widths, sparse; and so have products of single bits by a warp. Tensor copies (TMA), their maps,
# bulk reductions and clusters leave the bits of an H100; queries of textures answer as there. Copies and
# clusters find mistakes.
set -eu
. tests/tools/hopper.sh

functional() # ARGUMENT...: the program's output lies in out, its messages in err
{
    "$SIMSM" run h200 --functional --quiet -- "$@" >"$scratch/out" 2>"$scratch/err"
}
for name in wgmma wgmma_sparse bit_products tensor_copies bulk_reductions clusters texture_queries; do
    compile "$name" "cuda/probe/$name.cu"
    functional "$scratch/$name" || fail "$(cat "$scratch/err")"
    diff "cuda/data/h100/2026-11-26/$name.csv" "$scratch/out" || fail "$name: other bits than on a GPU"
done

# Maps of tensors are the driver's; the words of one that it refuses have no meaning.
compile tensor_maps cuda/probe/tensor_maps.cu
maps() # RECORDING ARGUMENT...
{
    recording=$1
    shift
    functional "$scratch/tensor_maps" "$@" || fail "$(cat "$scratch/err")"
    for maps in "$recording" "$scratch/out"; do
        awk -F, '$3 != 0 { print $1, $2, $3; next } { print }' "$maps" >"$scratch/maps.${#maps}"
    done
    cmp "$scratch"/maps.* || fail "tensor maps differ from the driver's: $recording"
    rm "$scratch"/maps.*
}
maps cuda/data/h200/2026-11-26/tensor_maps.csv
maps cuda/data/h100/2026-11-26/tensor_map_rules.csv rules

# A descriptor that leaves the block's shared memory is a mistake, of sparse products, too.
cat >"$scratch/outside.cu" <<'CUDA'
#define PRODUCT(name, operation, operands)                                                                     \
    __global__ void name(float *out, unsigned long long a, unsigned long long b)                               \
    {                                                                                                          \
        float d[4] = {};                                                                                       \
        asm volatile("wgmma.fence.sync.aligned;");                                                             \
        asm volatile("wgmma.mma_async." operation ".f32.f16.f16 {%0, %1, %2, %3}, %4, %5, " operands           \
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                          \
                     : "l"(a), "l"(b), "r"(0xe4e4e4e4));                                                       \
        asm volatile("wgmma.commit_group.sync.aligned;");                                                      \
        asm volatile("wgmma.wait_group.sync.aligned 0;");                                                      \
        out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];                                                          \
    }
PRODUCT(outside, "sync.aligned.m64n8k16", "1, 1, 1, 0, 0;")
PRODUCT(sparse_outside, "sp.sync.aligned.m64n8k32", "%6, 0, 1, 1, 1, 0, 0;")
int main(int argc, char **)
{
    float *out;
    cudaMalloc(&out, 4096);
    (argc > 1 ? sparse_outside : outside)<<<1, 128, 4096>>>(out, 0x4000010008000c0, 0x40);
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
CUDA
compile outside "$scratch/outside.cu"
for sparse in "" sparse; do
    functional "$scratch/outside" $sparse || fail "no failure of the launch: $(cat "$scratch/err")"
    grep -q "Invalid matrix descriptor: row or column [0-9]*, inner index [0-9]* would be at 0x[0-9a-f]* of shared memory, of which the block has 5120 bytes" \
        "$scratch/err" || fail "$(cat "$scratch/err")"
done

# Registers that nobody gives back are waited for in vain.
cat >"$scratch/registers.cu" <<'CUDA'
__global__ void __launch_bounds__(384, 1) registers(int *out)
{
    if (threadIdx.x >= 128)
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    out[threadIdx.x] = 1;
}
int main()
{
    int *out;
    cudaMalloc(&out, 1536);
    registers<<<1, 384>>>(out);
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
CUDA
compile registers "$scratch/registers.cu"
for with in --functional --sms=1; do
    timeout 60 "$SIMSM" run h100 "$with" --quiet -- "$scratch/registers" 2>"$scratch/err" || fail "$(cat "$scratch/err")"
    grep -q "warp 4 lanes 0xffffffff waits for registers of other warps (setmaxnreg) at registers" "$scratch/err" ||
        fail "no deadlock is found: $(cat "$scratch/err")"
done

# Warps that want few registers do not wait for those that want many.
cat >"$scratch/few.cu" <<'CUDA'
__global__ void __launch_bounds__(384, 1) few(int *out)
{
    if (threadIdx.x < 128)
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    else if (threadIdx.x < 256)
        asm volatile("setmaxnreg.inc.sync.aligned.u32 176; setmaxnreg.dec.sync.aligned.u32 24;");
    else
        asm volatile("setmaxnreg.dec.sync.aligned.u32 160;");
    out[threadIdx.x] = 1;
}
int main()
{
    int *out;
    cudaMalloc(&out, 1536);
    few<<<1, 384>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
CUDA
compile few "$scratch/few.cu"
for with in --functional --sms=1; do
    timeout 60 "$SIMSM" run h100 "$with" --quiet -- "$scratch/few" 2>"$scratch/err" || fail "$with: $(cat "$scratch/err")"
done

# Copies leave the same bits if they are timed, on any number of threads; they are not recorded.
functional "$scratch/tensor_copies" 40 || fail "$(cat "$scratch/err")"
for threads in 1 3; do
    "$SIMSM" run h100 --quiet --threads=$threads -- "$scratch/tensor_copies" 40 >"$scratch/timed" 2>"$scratch/err" ||
        fail "$(cat "$scratch/err")"
    cmp "$scratch/out" "$scratch/timed" || fail "timed copies leave other bits"
done
! "$SIMSM" record h100 -o "$scratch/copies.smtr" -- "$scratch/tensor_copies" 1 >"$scratch/out" 2>"$scratch/err" ||
    fail "copies are recorded"
grep -q "tensor copies (TMA) cannot be recorded: simulate the program itself" "$scratch/err" || fail "$(cat "$scratch/err")"

compile bulk tests/data/cuda/bulk.cu
functional "$scratch/bulk" || fail "$(cat "$scratch/err")"
grep -qx "PASS bulk" "$scratch/out" || fail "bulk copies: $(cat "$scratch/out" "$scratch/err")"
"$SIMSM" run h100 --quiet -- "$scratch/bulk" >"$scratch/out" 2>"$scratch/err" || fail "$(cat "$scratch/err")"
grep -qx "PASS bulk" "$scratch/out" || fail "timed bulk copies: $(cat "$scratch/out" "$scratch/err")"
functional "$scratch/bulk" more || true
grep -q "Invalid __global__ write of size 16 bytes: address 0x[0-9a-f]* is out of bounds" "$scratch/err" ||
    fail "a copy leaves its allocation: $(cat "$scratch/err")"

compile tensor tests/data/cuda/tensor.cu
functional "$scratch/tensor" || fail "$(cat "$scratch/err")"
grep -qx "PASS tensor" "$scratch/out" || fail "tensor copies: $(cat "$scratch/out" "$scratch/err")"
# Its 12 boxes of 4096 bytes leave the tensor; bytes that fill them count, as on an H100.
"$SIMSM" run h100 --quiet --csv="$scratch/counters.csv" -- "$scratch/tensor" >"$scratch/out" 2>"$scratch/err" || fail "$(cat "$scratch/err")"
grep -q "op_tma_ld.sum,byte,49152," "$scratch/counters.csv" || fail "bytes loaded: $(grep op_tma_ld "$scratch/counters.csv")"
mistake() # PROGRAM ARGUMENT ERROR MESSAGE
{
    functional "$scratch/$1" "$2" || true
    grep -qx "$3" "$scratch/out" || fail "$1 $2: not $3: $(cat "$scratch/out")"
    grep -q "$4" "$scratch/err" || fail "$1 $2: not '$4': $(cat "$scratch/err")"
}
mistake tensor column cudaErrorIllegalInstruction "Invalid coordinate -3 of a tensor copy: the innermost one must be a multiple of 16 bytes"
mistake tensor negative cudaErrorIllegalInstruction "Invalid coordinate -1 of a tensor store: it is negative"
mistake tensor operation cudaErrorIllegalInstruction "Invalid tensor reduction: elements of type 5 have no such operation"
mistake tensor map cudaErrorIllegalInstruction "Invalid tensor map at 0x[0-9a-f]*: make it with cuTensorMapEncodeTiled"
mistake tensor box cudaErrorMisalignedAddress "Invalid tensor copy: address 0x[0-9a-f]* of shared memory is not a multiple of 128"

# Pixels begin between the corners of a map; objects of queries exist.
cat >"$scratch/pixel.cu" <<'CUDA'
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
__global__ void pixel(const __grid_constant__ CUtensorMap map, int at)
{
    __shared__ __align__(128) char box[1024];
    __shared__ unsigned long long barrier;
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %2}], [%4], {%5};"
                 :: "r"((unsigned)__cvta_generic_to_shared(box)), "l"(&map), "r"(0), "r"(at),
                 "r"((unsigned)__cvta_generic_to_shared(&barrier)), "h"((short)0) : "memory");
}
__global__ void query(unsigned *out, cudaTextureObject_t texture)
{
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(*out) : "l"(texture));
}
int main(int argc, char **argv)
{
    decltype(&cuTensorMapEncodeIm2col) encode;
    cudaDriverEntryPointQueryResult found;
    void *data;
    CUtensorMap map;
    const cuuint64_t size[] = {32, 10, 2}, stride[] = {64, 640};
    const cuuint32_t step[] = {1, 1, 1};
    const int lower = 0, upper = -1;
    cudaMalloc(&data, 1280);
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", (void **)&encode, 12000, cudaEnableDefault, &found);
    if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, data, size, stride, &lower, &upper, 32, 4, step,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        return 1;
    if (*argv[1] == 'p')
        pixel<<<1, 1>>>(map, 9);
    else
        query<<<1, 1>>>((unsigned *)data, 77);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
CUDA
compile pixel "$scratch/pixel.cu"
mistake pixel pixel cudaErrorIllegalInstruction "Invalid coordinate 9 of a tensor copy: the pixel is not between the corners of the map"
mistake pixel query cudaErrorIllegalAddress "0x4d is no texture or surface object"

compile cluster tests/data/cuda/cluster.cu
mistake cluster ended cudaErrorLaunchFailure "Invalid access to shared memory of block 1 of the cluster, which has ended"
mistake cluster rank cudaErrorLaunchFailure "Invalid access to shared memory at 0x5000400: there is no block 5 in the cluster"
mistake cluster twice cudaErrorLaunchFailure "Invalid arrival at the barrier of the cluster: the thread has arrived, and not waited yet"
mistake cluster missing cudaErrorLaunchFailure "waits for other blocks of the cluster at missing"
mistake cluster alone cudaErrorIllegalInstruction "Invalid copy from shared to shared memory: the kernel was not launched in clusters"

# Atomics that shared memory of the own block does not have.
compile cluster_atomics tests/data/cuda/cluster_atomics.cu
for with in --functional --threads=1 --threads=3; do
    "$SIMSM" run h100 --quiet "$with" -- "$scratch/cluster_atomics" >"$scratch/out" 2>"$scratch/err" &&
        grep -qx "PASS cluster_atomics" "$scratch/out" || fail "atomics of a cluster: $with: $(cat "$scratch/out" "$scratch/err")"
done

# A GPU that is too small for a cluster says so.
"$SIMSM" run h100 --quiet --sms 2 -- "$scratch/clusters" >"$scratch/out" 2>"$scratch/err" || true
grep -q "a cluster of [0-9]* blocks needs as many SMs of one GPC with room, and no GPC of the 2 SMs" "$scratch/err" ||
    fail "a cluster without room: $(cat "$scratch/err")"

# Timed clusters have the same values, on any number of threads, if time ends early, too; and find the same
# mistakes.
for with in --threads=1 --threads=3 --max-cycles=5000; do
    "$SIMSM" run h100 --quiet "$with" -- "$scratch/clusters" >"$scratch/out" 2>"$scratch/err" || fail "$(cat "$scratch/err")"
    cmp "$scratch/out" cuda/data/h100/2026-11-26/clusters.csv || fail "timed clusters have other values: $with"
done
functional()
{
    "$SIMSM" run h100 --quiet --sms 4 -- "$@" >"$scratch/out" 2>"$scratch/err"
}
mistake cluster ended cudaErrorLaunchFailure "Invalid access to shared memory of block 1 of the cluster, which has ended"
mistake cluster twice cudaErrorLaunchFailure "Invalid arrival at the barrier of the cluster: the thread has arrived, and not waited yet"
mistake tensor negative cudaErrorIllegalInstruction "Invalid coordinate -1 of a tensor store: it is negative"
