// What programs for compute capability 9.0 share: tensor maps, copies by them (TMA), barriers in
// shared memory (mbarrier), products of warp groups (wgmma).
#ifndef CUDA_VERIFY_HOPPER_H
#define CUDA_VERIFY_HOPPER_H

#include "../probe/async.cuh"
#include "../probe/wgmma.cuh"
#include "verify.h"

#include <cuda.h>

namespace hopper
{

// ---- Host ----

inline int element_bytes(CUtensorMapDataType type)
{
    switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
        return 1;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
        return 2;
    default:
        return 4;
    }
}

/// Describes a packed tensor at `data`; sizes and box begin with the innermost dimension.
inline CUtensorMap tensor_map(CUtensorMapDataType type, const void *data,
                              const std::vector<cuuint64_t> &sizes,
                              const std::vector<cuuint32_t> &box,
                              CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B)
{
    static decltype(&cuTensorMapEncodeTiled) encode = nullptr;
    if (!encode) {
        cudaDriverEntryPointQueryResult found;
        verify::must(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode,
                                                      12000, cudaEnableDefault, &found),
                     "cudaGetDriverEntryPointByVersion");
    }
    std::vector<cuuint64_t> strides;
    cuuint64_t stride = (cuuint64_t)element_bytes(type);
    for (size_t i = 0; i + 1 < sizes.size(); i++)
        strides.push_back(stride *= sizes[i]);
    strides.push_back(0); // none for one dimension
    const std::vector<cuuint32_t> steps(sizes.size(), 1);
    CUtensorMap map;
    if (!encode ||
        encode(&map, type, (cuuint32_t)sizes.size(), const_cast<void *>(data), sizes.data(),
               strides.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        verify::must(cudaErrorInvalidValue, "cuTensorMapEncodeTiled");
    return map;
}

/// Lets a kernel have `bytes` of dynamic shared memory.
template <typename Kernel> void allow_shared(Kernel *kernel, size_t bytes)
{
    verify::must(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "cudaFuncSetAttribute");
}

/// A B^T of integers: rows of `k` numbers of both, m x n sums.
inline std::vector<int> product(const std::vector<int16_t> &a, const std::vector<int16_t> &b, int m,
                                int n, int k)
{
    const int rows = 16; // of A, for which a row of B stays in a cache
    std::vector<int> c((size_t)m * n);
    for (int from = 0; from < m; from += rows)
        for (int j = 0; j < n; j++)
            for (int i = from; i < std::min(from + rows, m); i++) {
                const int16_t *x = &a[(size_t)i * k], *y = &b[(size_t)j * k];
                int sum = 0;
                for (int at = 0; at < k; at++)
                    sum += x[at] * y[at];
                c[(size_t)i * n + j] = sum;
            }
    return c;
}

/// `n` random integers from -most to most.
inline std::vector<int16_t> random_integers(size_t n, uint32_t seed, int most)
{
    std::vector<int16_t> values(n);
    for (size_t i = 0; i < n; i++)
        values[i] =
            (int16_t)((int)(verify::random_word(seed, (uint32_t)i) % (uint32_t)(2 * most + 1)) -
                      most);
    return values;
}

/// Each number as a T.
template <typename T, typename From> std::vector<T> as(const std::vector<From> &from)
{
    std::vector<T> values(from.size());
    for (size_t i = 0; i < from.size(); i++)
        values[i] = (T)from[i];
    return values;
}

// ---- Barriers; await() and expect() are those of async.cuh ----

__device__ __forceinline__ void init(uint32_t barrier, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
}

/// Makes init() visible to the cluster and to copies; a barrier of the threads must follow.
__device__ __forceinline__ void fence_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// Arrives at a barrier of any block of the cluster, an address made by map_rank(). The other block
/// may then overwrite what was read here, but must not read what was written here: no fence of the
/// cluster.
__device__ __forceinline__ void release_remote(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// Orders this thread's accesses of shared memory before those of copies and wgmma that follow.
__device__ __forceinline__ void fence_proxy()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Waits for `threads` threads of the block at the named barrier `id`.
__device__ __forceinline__ void named_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

__device__ __forceinline__ uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// ---- Copies; one thread issues them ----

__device__ __forceinline__ void load(uint32_t to, const CUtensorMap &map, uint32_t barrier, int x,
                                     int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(x), "r"(y)
                 : "memory");
}

__device__ __forceinline__ void load(uint32_t to, const CUtensorMap &map, uint32_t barrier, int x,
                                     int y, int z)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(z)
                 : "memory");
}

/// Brings the box to the same place in all blocks of `mask`, and announces it at their barriers.
__device__ __forceinline__ void load_multicast(uint32_t to, const CUtensorMap &map,
                                               uint32_t barrier, uint16_t mask, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], "
                 "%5;" ::"r"(to),
                 "l"(&map), "r"(barrier), "r"(x), "r"(y), "h"(mask)
                 : "memory");
}

__device__ __forceinline__ void store(const CUtensorMap &map, uint32_t from, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], "
                 "[%1];" ::"l"(&map),
                 "r"(from), "r"(x), "r"(y)
                 : "memory");
}

__device__ __forceinline__ void reduce_add(const CUtensorMap &map, uint32_t from, int x, int y)
{
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
                 "[%0, {%2, %3}], [%1];" ::"l"(&map),
                 "r"(from), "r"(x), "r"(y)
                 : "memory");
}

/// Brings a map closer before its first use.
__device__ __forceinline__ void prefetch(const CUtensorMap &map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Makes this thread's stores and reductions since the last commit() a group.
__device__ __forceinline__ void commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until all but N groups have read their shared memory.
template <int N> __device__ __forceinline__ void wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/// Waits until all but N groups are complete.
template <int N> __device__ __forceinline__ void wait()
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

// ---- Products; all threads of a warp group ----

// run(d, x): d += A B, with descriptors in x; d = A B if x.adds is 0. D is m64n128, A and B are 32
// bytes wide.
WGMMA_SS(F16_128, 64, 64, 65, 66, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(BF16_128, 64, 64, 65, 66, "m64n128k16.f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_SS(E4M3_128, 64, 64, 65, 66, "m64n128k32.f32.e4m3.e4m3", ", 1, 1")
WGMMA_SS(S8_128, 64, 64, 65, 66, "m64n128k32.s32.s8.s8", "")

/// Describes a tile in shared memory: rows of 128 bytes along K, swizzled by 128 bytes, that begin
/// at a multiple of 1024 bytes; `offset` is where in the row the product begins.
__device__ __forceinline__ uint64_t rows_128(uint32_t address, uint32_t offset = 0)
{
    return (uint64_t)((address + offset) >> 4 & 0x3fff) | (uint64_t)1 << 16 |
           (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

/// Orders accesses of the registers of D before products that follow.
__device__ __forceinline__ void product_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void product_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits until all but N groups of products are complete.
template <int N> __device__ __forceinline__ void product_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/// Waits for all products, and keeps uses of D behind that.
template <int COUNT> __device__ __forceinline__ void product_end(uint32_t (&d)[COUNT])
{
    product_wait<0>();
    for (int i = 0; i < COUNT; i++)
        asm volatile("" : "+r"(d[i])::"memory");
}

/// Multiplies tiles of 128 bytes along K, in a group of its own; the first one adds if `adds`.
template <typename Product>
__device__ __forceinline__ void multiply(uint32_t *d, uint32_t a, uint32_t b, bool adds)
{
    product_fence();
    for (uint32_t at = 0; at < 128; at += 32)
        Product::run(d, {rows_128(a, at), rows_128(b, at), {}, adds || at != 0});
    product_commit();
}

/// The row and the first of two columns of D in d[i] and d[i + 1], i even.
__device__ __forceinline__ int row_of(int i)
{
    return threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}

__device__ __forceinline__ int column_of(int i)
{
    return i / 4 * 8 + threadIdx.x % 4 * 2;
}

// ---- Registers of a warp group: more or fewer than the launch gave ----

template <int N> __device__ __forceinline__ void more_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> __device__ __forceinline__ void fewer_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

} // namespace hopper

#endif
