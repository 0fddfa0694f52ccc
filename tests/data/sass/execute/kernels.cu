/* Kernels that are executed by tests/unit/test_sass_exec*.c; MANIFEST says how they are compiled. */
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void

KERNEL vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

/* Lanes take turns of different lengths through two nested branches. */
KERNEL branches(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = i;
    for (int turn = 0; turn < i % 7; turn++) {
        if (value & 1)
            value = 3 * value + 1;
        else if (value % 3 == 0)
            value = value / 2 + 5;
        else
            value /= 2;
    }
    if (i < n)
        out[i] = value;
}

/* Lengths of Collatz sequences: loops that lanes leave one after the other. */
KERNEL collatz(const uint32_t *in, uint32_t *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t steps = 0;
    for (uint64_t x = in[i]; x != 1; steps++)
        x = x & 1 ? 3 * x + 1 : x / 2;
    out[i] = steps;
}

/* Sum of a block through shared memory and barriers. */
KERNEL block_sum(const int *in, int *out)
{
    __shared__ int part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

KERNEL warp_sum(const int *in, int *out)
{
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int far = 16; far > 0; far /= 2)
        value += __shfl_xor_sync(0xffffffff, value, far);
    if (threadIdx.x % 32 == 0)
        out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = value;
}

/* Counts in shared memory first, then in global memory. */
KERNEL histogram(const uint8_t *in, uint32_t *bins, int n)
{
    __shared__ uint32_t own[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        own[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        atomicAdd(&bins[b], own[b]);
}

/* All atomic operations, each on its own word; only one thread, so that the order is known. */
KERNEL atomics(uint32_t *words, uint64_t *longs, float *singles, double *doubles)
{
    words[16] = atomicAdd(&words[0], 5u);
    words[17] = atomicSub(&words[1], 7u);
    words[18] = atomicExch(&words[2], 9u);
    words[19] = atomicMin(&words[3], 100u);
    words[20] = atomicMax(&words[4], 100u);
    words[21] = atomicInc(&words[5], 3u);
    words[22] = atomicDec(&words[6], 3u);
    words[23] = atomicCAS(&words[7], 7u, 70u);
    words[24] = atomicAnd(&words[8], 0xf0u);
    words[25] = atomicOr(&words[9], 0xf00u);
    words[26] = atomicXor(&words[10], 0xffu);
    words[27] = atomicMin((int *)&words[11], -4);
    words[28] = atomicMax((int *)&words[12], -4);
    words[29] = atomicCAS(&words[13], 1234u, 70u);
    longs[4] = atomicAdd((unsigned long long *)&longs[0], 1ull << 40);
    longs[5] = atomicCAS((unsigned long long *)&longs[1], 11ull, 1ull << 50);
    longs[6] = atomicMax((long long *)&longs[2], -3ll);
    longs[7] = atomicExch((unsigned long long *)&longs[3], 5ull);
    singles[1] = atomicAdd(&singles[0], 0.25f);
    doubles[1] = atomicAdd(&doubles[0], 0.125);
    atomicAdd((__half2 *)&words[14], __floats2half2_rn(1.5f, -0.25f));
}

/* Bytes and halves with and without sign, pairs and quads of words. */
KERNEL widths(const int8_t *s8, const uint16_t *u16, const int16_t *s16, int *out, int4 *quads,
              int2 *pairs)
{
    int t = threadIdx.x;
    out[t] = s8[t] + u16[t] + s16[t];
    int4 q = quads[t];
    quads[t] = make_int4(q.w, q.z, q.y, q.x);
    int2 p = pairs[t];
    pairs[t] = make_int2(p.y, p.x);
    ((uint8_t *)out)[4 * 32 + t] = (uint8_t)(s8[t] * 3);
}

/* An array that is indexed at run time lies in local memory. */
KERNEL local_array(int *out, int turns)
{
    int table[32];
    for (int i = 0; i < 32; i++)
        table[i] = i * i + threadIdx.x;
    int at = threadIdx.x % 32;
    for (int i = 0; i < turns; i++) {
        table[at] += i;
        at = (at * 5 + 3) & 31;
    }
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum = sum * 31 + table[i];
    out[threadIdx.x] = sum;
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* Calls with a stack, from lanes that stop at different depths. */
KERNEL recursion(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 8);
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

/* Recursion in loops: convergence barriers are used again while callers wait at them. */
KERNEL deep_recursion(const unsigned *in, unsigned *out)
{
    out[threadIdx.x] = ackermann(in[threadIdx.x] % 3, in[threadIdx.x] / 3 % 5);
}

__device__ __noinline__ int twice(int x)
{
    return 2 * x;
}

__device__ __noinline__ int less_seven(int x)
{
    return x - 7;
}

/* Calls through pointers, to functions that differ from lane to lane. */
KERNEL pointers(const int *in, int *out)
{
    int (*const functions[3])(int) = {twice, less_seven, fibonacci};
    int x = in[threadIdx.x];
    for (int turn = 0; turn < 4; turn++)
        x = functions[(unsigned)x % 3](x & 15);
    out[threadIdx.x] = x;
}

/* A jump table. */
KERNEL jumps(const int *in, int *out)
{
    int v = in[threadIdx.x];
    switch (v) {
    case 0: v = 17; break;
    case 1: v = out[0] * 3; break;
    case 2: v = v * v * v; break;
    case 3: v ^= 0x55; break;
    case 4: v = __popc(v); break;
    case 5: v = -v; break;
    case 6: v = v << 9; break;
    case 7: v = 1000 / v; break;
    default: v = -1; break;
    }
    out[threadIdx.x] = v;
}

/* A lock that lanes of one warp, warps and blocks compete for. */
KERNEL spin_lock(int *lock, int *count)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *(volatile int *)count = *(volatile int *)count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

/* Each block waits for the one before it and adds what that one has published. */
KERNEL look_back(const int *in, int *out, volatile int *flags, volatile int *sums)
{
    __shared__ int before;
    int b = gridDim.x - 1 - blockIdx.x; /* the last block goes first: all others wait for it */
    if (threadIdx.x == 0) {
        before = 0;
        if (b > 0) {
            while (flags[b - 1] == 0)
                ;
            __threadfence();
            before = sums[b - 1];
        }
        sums[b] = before + in[b];
        __threadfence();
        flags[b] = 1;
    }
    __syncthreads();
    out[b * blockDim.x + threadIdx.x] = before + threadIdx.x;
}

/* All blocks meet, twice. */
KERNEL grid_barrier(int *data, int *out)
{
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    data[i] = i;
    grid.sync();
    int other = data[(i + 77) % n];
    grid.sync();
    data[i] = other;
    grid.sync();
    out[i] = data[(i + 1) % n];
}

/* A barrier of two of four warps, and one with a reduction. */
KERNEL named_barriers(int *out)
{
    __shared__ int value[64];
    int t = threadIdx.x;
    if (t < 64) {
        value[t] = t;
        asm volatile("bar.sync 3, 64;" ::: "memory");
        out[t] = value[63 - t];
    }
    out[128 + t] = __syncthreads_count(t % 3 == 0);
    out[256 + t] = __syncthreads_or(t == 77);
    out[384 + t] = __syncthreads_and(t != 77);
}

/* One warp produces, the other consumes: BAR.ARV. */
KERNEL producer(int *out)
{
    __shared__ int value[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        value[t] = 3 * t;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = value[31 - t];
    }
}

__device__ int counter = 41;
__device__ int *where = &counter;
__constant__ int table[4] = {10, 20, 30, 40};

KERNEL globals(int *out)
{
    out[0] = ++*where;
    out[1] = table[out[2] & 3];
}

__device__ __noinline__ int generic_sum(const int *p, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

/* One pointer for global, shared and local memory. */
KERNEL generic(int *data, int *out)
{
    __shared__ int shared[8];
    int own[8];
    for (int i = 0; i < 8; i++)
        own[i] = data[i] * (threadIdx.x + 1);
    if (threadIdx.x < 8)
        shared[threadIdx.x] = threadIdx.x * 100;
    __syncthreads();
    int which = threadIdx.x % 3;
    const int *p = which == 0 ? data : which == 1 ? shared : own;
    out[threadIdx.x] = generic_sum(p, 8) + (__isShared(p) ? 1000000 : 0);
}

KERNEL dynamic_shared(int *out)
{
    extern __shared__ int room[];
    room[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

/* One warp multiplies matrices of small integers: exact however it is rounded. */
KERNEL matrices(const __half *a, const __half *b, float *c)
{
    __shared__ __half sa[16 * 8], sb[8 * 8];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 32)
        sa[i] = a[i];
    for (int i = t; i < 64; i += 32)
        sb[i] = b[i];
    __syncwarp();
    uint32_t ra[2], rb;
    uint32_t pa = (uint32_t)__cvta_generic_to_shared(&sa[(t % 16) * 8]);
    uint32_t pb = (uint32_t)__cvta_generic_to_shared(&sb[(t % 8) * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(ra[0]), "=r"(ra[1]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(rb) : "r"(pb));
    float d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
                 "{%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ra[0]), "r"(ra[1]), "r"(rb));
    for (int q = 0; q < 4; q++)
        c[(t / 4 + 8 * (q / 2)) * 8 + 2 * (t % 4) + q % 2] = d[q];
}

#if __CUDA_ARCH__ >= 800
KERNEL copy_async(const int4 *in, int4 *out)
{
    __shared__ int4 room[64];
    int t = threadIdx.x;
    uint32_t to = (uint32_t)__cvta_generic_to_shared(&room[t]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + t) : "memory");
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[t] = room[63 - t];
}
#endif

/* What programs do wrong. */
KERNEL wrong_address(int *data, long at)
{
    data[at + threadIdx.x] = 1;
}

KERNEL wrong_alignment(char *data)
{
    *(int *)(data + 2 + 4 * threadIdx.x) = 1;
}

KERNEL wrong_shared(int *out, int at)
{
    __shared__ int room[32];
    room[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = room[threadIdx.x + at];
}

KERNEL never_written(int *out)
{
    __shared__ volatile int room[64];
    room[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = room[threadIdx.x + 16];
}

KERNEL trap(int *out)
{
    if (threadIdx.x == 5)
        __trap();
    out[threadIdx.x] = 1;
}

/* Warps 0 and 1 wait at different barriers. */
KERNEL apart(int *out)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = 1;
}

KERNEL waits_for_ever(volatile int *flag)
{
    while (*flag == 0)
        ;
    flag[1] = 1;
}

KERNEL endless(volatile int *out)
{
    for (;;)
        out[threadIdx.x]++;
}

/* Both sides of a branch that as many lanes take as not; the order in which they write shows which
 * ran first. */
KERNEL order(uint32_t mask, int *next, int *out)
{
    int place;
    if (mask >> threadIdx.x & 1)
        place = atomicAdd(next, 100);
    else
        place = atomicAdd(next, 1);
    out[threadIdx.x] = place;
}
