// Shared memory: latency by width, passes by pattern of the lanes, stores, matrices (LDSM), and
// instructions that share the way of loads (shuffles, matches). One block. Loads are volatile: the
// instruction (LDS) is the same, but the compiler keeps every load and every word. Expected code:
// the body of a measured loop has UNROLL times the instruction that is named beside the kernel.
#include "memory.cuh"

/// Patterns reach 32 lanes x 132 bytes and matrices 32 rows.
__shared__ __align__(1024) u32 memory[2048];

/// Returns the address of this lane; `keep`, `shift`, `stride` as in lane_offset(). All words are
/// 0.
__device__ __forceinline__ u32 lane_address(u32 keep, u32 shift, u32 stride)
{
    for (u32 i = threadIdx.x; i < sizeof memory / 4; i += blockDim.x)
        memory[i] = 0;
    __syncthreads();
    return shared_address(memory) + lane_offset(keep, shift, stride);
}

__device__ __forceinline__ u32 load_32(u32 at)
{
    u32 a;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(at) : "memory");
    return a;
}

__device__ __forceinline__ u32 load_64(u32 at)
{
    u32 a, b;
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(a), "=r"(b)
                 : "r"(at)
                 : "memory");
    return a;
}

__device__ __forceinline__ u32 load_128(u32 at)
{
    u32 a, b, c, d;
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at)
                 : "memory");
    return a;
}

__device__ __forceinline__ u32 matrix_1(u32 at)
{
    u32 a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(a)
                 : "r"(at)
                 : "memory");
    return a;
}

__device__ __forceinline__ u32 matrix_2(u32 at)
{
    u32 a, b;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(a), "=r"(b)
                 : "r"(at)
                 : "memory");
    return a;
}

__device__ __forceinline__ u32 matrix_4(u32 at)
{
    u32 a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at)
                 : "memory");
    return a;
}

__device__ __forceinline__ u32 store_32(u32 at, uint4 value)
{
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(value.x) : "memory");
    return 0;
}

__device__ __forceinline__ u32 store_64(u32 at, uint4 value)
{
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(value.x), "r"(value.y)
                 : "memory");
    return 0;
}

__device__ __forceinline__ u32 store_128(u32 at, uint4 value)
{
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(value.x),
                 "r"(value.y), "r"(value.z), "r"(value.w)
                 : "memory");
    return 0;
}

__device__ __forceinline__ u32 shuffle(u32 lane)
{
    u32 value;
    asm volatile("shfl.sync.idx.b32 %0, %1, %1, 31, -1;" : "=r"(value) : "r"(lane));
    return value;
}

__device__ __forceinline__ u32 match(u32 value)
{
    u32 mask;
    asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(mask) : "r"(value));
    return mask;
}

#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ u32 reduction(u32 value)
{
    u32 sum;
    asm volatile("redux.sync.add.u32 %0, %1, -1;" : "=r"(sum) : "r"(value));
    return sum;
}
#endif

/// Chains: the first word of each access holds its own address (LDS, LDS.64, LDS.128 R, [R]).
#define CHASE(NAME, LOAD)                                                                          \
    extern "C" __global__ void NAME(u64 *out, u32 rounds, u32 keep, u32 shift, u32 stride)         \
    {                                                                                              \
        u32 at = lane_address(keep, shift, stride);                                                \
        store_32(at, {at});                                                                        \
        __syncthreads();                                                                           \
        chain(out, rounds, at, [](u32 p) { return LOAD(p); });                                     \
    }
CHASE(chase_32, load_32)
CHASE(chase_64, load_64)
CHASE(chase_128, load_128)

/// Chains through matrices: every word is 0; the next address is the row's address plus a loaded
/// word (LDSM, IADD3).
#define MATRIX_CHASE(NAME, LOAD)                                                                   \
    extern "C" __global__ void NAME(u64 *out, u32 rounds, u32 keep, u32 shift, u32 stride)         \
    {                                                                                              \
        u32 at = lane_address(keep, shift, stride);                                                \
        chain(out, rounds, at, [=](u32 p) { return at + LOAD(p); });                               \
    }
MATRIX_CHASE(matrix_chase_1, matrix_1)
MATRIX_CHASE(matrix_chase_2, matrix_2)
MATRIX_CHASE(matrix_chase_4, matrix_4)

/// Independent accesses (LDS, STS with .64 and .128; LDSM.16.M88 with .2 and .4).
#define LOADS(NAME, LOAD)                                                                          \
    extern "C" __global__ void NAME(u64 *out, u32 rounds, u32 keep, u32 shift, u32 stride)         \
    {                                                                                              \
        u32 at = lane_address(keep, shift, stride);                                                \
        rate(out, rounds, [=](u32 moved, int) { return LOAD(at + moved); });                       \
    }
LOADS(loads_32, load_32)
LOADS(loads_64, load_64)
LOADS(loads_128, load_128)

#define STORES(NAME, STORE)                                                                        \
    extern "C" __global__ void NAME(u64 *out, u32 rounds, u32 keep, u32 shift, u32 stride)         \
    {                                                                                              \
        u32 at = lane_address(keep, shift, stride);                                                \
        uint4 value = {rounds, keep, shift, stride};                                               \
        rate(out, rounds, [=](u32 moved, int) { return STORE(at + moved, value); });               \
    }
STORES(stores_32, store_32)
STORES(stores_64, store_64)
STORES(stores_128, store_128)

#define MATRICES(NAME, LOAD)                                                                       \
    extern "C" __global__ void NAME(u64 *out, u32 rounds, u32 keep, u32 shift, u32 stride)         \
    {                                                                                              \
        u32 at = lane_address(keep, shift, stride);                                                \
        rate(out, rounds, [=](u32 moved, int k) { return LOAD(at + moved + 128 * k); });           \
    }
MATRICES(matrices_1, matrix_1)
MATRICES(matrices_2, matrix_2)
MATRICES(matrices_4, matrix_4)

/// Half of the accesses are loads without conflicts, the other half other instructions (LDS in turn
/// with SHFL.IDX, STS or MATCH.ANY): the cycles together show what they share.
#define MIXED(NAME, OTHER)                                                                         \
    extern "C" __global__ void NAME(u64 *out, u32 rounds)                                          \
    {                                                                                              \
        u32 at = lane_address(31, 0, 4);                                                           \
        rate(out, rounds, [=](u32 moved, int k) {                                                  \
            return k % 2 ? OTHER(at + moved + 4 * k) : load_32(at + moved);                        \
        });                                                                                        \
    }
__device__ __forceinline__ u32 store_own(u32 at)
{
    return store_32(at, {at});
}
MIXED(loads_and_shuffles, shuffle)
MIXED(loads_and_matches, match)
MIXED(loads_and_stores, store_own)

/// Exchanges between lanes alone (SHFL.IDX, MATCH.ANY, REDUX.SUM); operands differ in the bits
/// `keep` of the lane number.
#define EXCHANGES(NAME, EXCHANGE)                                                                  \
    extern "C" __global__ void NAME(u64 *out, u32 rounds, u32 keep)                                \
    {                                                                                              \
        u32 lane = threadIdx.x & 31 & keep;                                                        \
        rate(out, rounds, [=](u32 moved, int k) { return EXCHANGE(lane + moved + k); });           \
    }
EXCHANGES(shuffles, shuffle)
EXCHANGES(matches, match)
#if __CUDA_ARCH__ >= 800
EXCHANGES(reductions, reduction)
#endif

/// A word is stored and loaded, and the loaded word is stored (STS, LDS): latency of a store and a
/// load together.
extern "C" __global__ void store_load(u64 *out, u32 rounds)
{
    u32 at = lane_address(31, 0, 4);
    chain(out, rounds, at, [=](u32 value) {
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
        return load_32(at);
    });
}
