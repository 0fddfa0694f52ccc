/* Atomic operations through pointers of which the compiler does not know into which memory they
 * lead, and stores of several lanes to one place: test_sass_exec_generic.c. MANIFEST says how this
 * is compiled. */
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void

typedef unsigned long long u64;

/* Eight operations on eight elements of 5 of each of the first `n` lanes; the sum of what they
 * found there goes behind the elements of all lanes. */
template <class T> __device__ void eight(T *out, int shared, int n)
{
    __shared__ T part[32 * 8];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++)
        part[t * 8 + i] = 5;
    __syncthreads();
    T *p = (shared ? part : out) + t * 8, v = t + 1, found = 0;
    if (t < n) {
        found += atomicAdd(p, v) + atomicExch(p + 1, v) + atomicMax(p + 2, v);
        found += atomicMin(p + 3, v) + atomicOr(p + 4, v) + atomicAnd(p + 5, v);
        found += atomicXor(p + 6, v) + atomicCAS(p + 7, T(5), v);
    }
    __syncthreads();
    for (int i = 0; i < 8 && shared; i++)
        out[t * 8 + i] = part[t * 8 + i];
    out[256 + t] = found;
}

KERNEL eight_i32(int *out, int shared, int n)
{
    eight<int>(out, shared, n);
}

KERNEL eight_u64(u64 *out, int shared, int n)
{
    eight<u64>(out, shared, n);
}

/* All lanes add to one element; lane 0 found it as it was, the sum of what was found tells. */
template <class T> __device__ void add(T *out, int shared, int n)
{
    __shared__ T sum;
    int t = threadIdx.x;
    if (t == 0)
        sum = 5;
    __syncthreads();
    T *p = shared ? &sum : out;
    if (t < n)
        out[1 + t] = atomicAdd(p, T(t + 1));
    __syncthreads();
    if (t == 0 && shared)
        out[0] = sum;
}

KERNEL add_f32(float *out, int shared, int n)
{
    add<float>(out, shared, n);
}

KERNEL add_f64(double *out, int shared, int n)
{
    add<double>(out, shared, n);
}

KERNEL add_half2(__half2 *out, int shared, int n)
{
    __shared__ __half2 sum;
    int t = threadIdx.x;
    if (t == 0)
        sum = __floats2half2_rn(5, 1);
    __syncthreads();
    if (t < n)
        atomicAdd(shared ? &sum : out, __floats2half2_rn(t + 1, 2));
    __syncthreads();
    if (t == 0 && shared)
        out[0] = sum;
}

/* Of local memory, which no other thread sees. */
KERNEL local(u64 *out, int mine, int n)
{
    u64 words[4];
    for (int i = 0; i < 4; i++)
        words[i] = out[4 * threadIdx.x + i];
    u64 *p = mine ? words + n : out + 4 * threadIdx.x;
    u64 found = atomicAdd(p, 7ull) + atomicExch(p + 1, 9ull);
    found += atomicCAS(p + 2, 5ull, 11ull) + atomicAdd((int *)(p + 3), 13);
    for (int i = 0; i < 4 && mine; i++)
        out[4 * threadIdx.x + i] = words[i];
    out[128 + threadIdx.x] = found;
}

/* What kind of memory pointers lead into. */
KERNEL spaces(int *out, int which)
{
    __shared__ int shared[1];
    int local[1];
    void *p = which == 0 ? (void *)out : which == 1 ? (void *)shared : (void *)local;
    out[threadIdx.x] = __isGlobal(p) | __isShared(p) << 1 | __isLocal(p) << 2;
}

struct alignas(8) pair {
    int word[2];
};

struct alignas(16) quad {
    int word[4];
};

/* Lanes `apart` from one another store to one element, all but the first `without`. */
template <class T> __device__ void store(T *out, int shared, int apart, int without)
{
    __shared__ T part[32];
    int t = threadIdx.x;
    T value = {};
    *(unsigned char *)&value = t;
    part[t] = out[t];
    __syncwarp();
    if (t >= without)
        (shared ? part : out)[t % apart] = value;
    __syncwarp();
    if (shared)
        out[t] = part[t];
}

#define STORE(name, type)                                                                          \
    KERNEL name(type *out, int shared, int apart, int without)                                     \
    {                                                                                              \
        store(out, shared, apart, without);                                                        \
    }
STORE(store_8, unsigned char)
STORE(store_32, int)
STORE(store_64, pair)
STORE(store_128, quad)
