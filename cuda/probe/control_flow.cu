// How lanes of a warp part and meet: one warp in each launch, so that counts of executed
// instructions tell the order in which groups of lanes ran. And passes of LDSM and STSM.
//
//     control_flow FAMILIES [LAUNCHES]     families are the first letters of the kernels' names
//
// The counts of an H200 are in cuda/data, in control_flow.csv; no result is checked here.
#include "verify.h"
#include <cstdlib>
#include <cstring>
using namespace verify;

__constant__ char word[64];

// A: arithmetic only
__global__ void a_leave_alu(const int *iters, unsigned *out)
{
    int n = iters[threadIdx.x], k = 0;
    unsigned x = threadIdx.x;
#pragma unroll 1
    do {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 7;
        k++;
    } while (k < n);
    out[threadIdx.x] = x;
}
// B: the loop of a string search, in one warp
__global__ void b_search(const char *text, int n, int length, unsigned *bits, int *count, int first)
{
    int i = first + threadIdx.x;
    bool equal = i + length <= n;
    for (int k = 0; equal && k < length; k++)
        equal = text[i + k] == word[k];
    unsigned found = __ballot_sync(0xffffffffu, equal);
    if (threadIdx.x % 32 == 0 && i < n) {
        bits[i / 32] = found;
        if (found)
            atomicAdd(count, __popc(found));
    }
}
// C: loads, exit by a loaded count; patterns as in A
__global__ void c_leave_load(const int *iters, const int *more, unsigned *out)
{
    int k = 0;
    unsigned x = threadIdx.x;
#pragma unroll 1
    do {
        x += more[k * 32 + threadIdx.x];
        k++;
    } while (k < 64 && more[k * 32 + threadIdx.x]);
    out[threadIdx.x] = x;
}
// D: LDC in the loop
__global__ void d_leave_const(const int *iters, unsigned *out)
{
    int n = iters[threadIdx.x], k = 0;
    unsigned x = threadIdx.x;
#pragma unroll 1
    do {
        x = x * 1664525u + word[(x >> 9) & 63];
        k++;
    } while (k < n);
    out[threadIdx.x] = x;
}
// E: exit position: taken = leaves (while at top with break)
__global__ void e_break_top(const int *iters, unsigned *out)
{
    int n = iters[threadIdx.x];
    unsigned x = threadIdx.x;
#pragma unroll 1
    for (int k = 0;; k++) {
        x = x * 1664525u + 1013904223u;
        if (k >= n)
            break;
        x ^= x >> 7;
        if (x == 0x12345u)
            out[64] = x;
    }
    out[threadIdx.x] = x;
}
// log of the order of lanes
struct Mark {
    unsigned id, clock;
};
__device__ __forceinline__ void mark(unsigned *slog, unsigned id)
{
    unsigned place, address = (unsigned)__cvta_generic_to_shared(slog), c;
    asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(place) : "r"(address) : "memory");
    asm volatile("mov.u32 %0, %%clock;" : "=r"(c)::"memory");
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(address + 8 + place * 8),
                 "r"(id << 8 | (threadIdx.x & 31)), "r"(c)
                 : "memory");
}
__device__ __noinline__ static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void f_ack(const unsigned *in, unsigned *deep, int first)
{
    unsigned i = first + threadIdx.x;
    deep[i] = ackermann(in[i] % 3, in[i] / 3 % 5);
}
// the simplest recursion
__device__ __noinline__ static unsigned down(unsigned n)
{
    if (n == 0)
        return 1;
    return n * 3 + down(n - 1) * 5;
}
__global__ void g_down(const int *in, unsigned *out)
{
    out[threadIdx.x] = down(in[threadIdx.x] & 15);
}
__device__ __noinline__ static unsigned fib(unsigned n)
{
    if (n < 2)
        return n + 1;
    return fib(n - 1) + 2 * fib(n - 2);
}
__global__ void h_fib(const int *in, unsigned *out)
{
    out[threadIdx.x] = fib(in[threadIdx.x] & 7);
}
// a call under a branch, no recursion
__device__ __noinline__ static unsigned leaf(unsigned x)
{
    return (x ^ x >> 5) * 0x45d9f3bu;
}
__global__ void i_call_loop(const int *in, unsigned *out)
{
    unsigned x = in[threadIdx.x], n = x & 15;
#pragma unroll 1
    for (unsigned k = 0; k < n; k++)
        if (x & 1)
            x = leaf(x);
        else
            x = x * 3 + 1;
    out[threadIdx.x] = x;
}
// function with a loop and early return, called from a loop
__device__ __noinline__ static unsigned looped(unsigned x)
{
    unsigned n = x & 7, s = x;
#pragma unroll 1
    for (unsigned k = 0; k < n; k++) {
        s = s * 1664525u + 1013904223u;
        if (s & 0x40)
            return s;
    }
    return s ^ 1;
}
__global__ void j_return_loop(const int *in, unsigned *out)
{
    unsigned x = in[threadIdx.x], n = x >> 4 & 7;
#pragma unroll 1
    for (unsigned k = 0; k < n; k++)
        x = looped(x);
    out[threadIdx.x] = x;
}
// k: BAR from groups. mode: how lanes of warp 0 are split
__global__ void k_bar(const int *in, unsigned *out, uint2 *logged, int room)
{
    extern __shared__ unsigned slog[];
    if (threadIdx.x == 0)
        slog[0] = 0;
    __syncthreads();
    int n = in[threadIdx.x & 31];
    unsigned x = threadIdx.x;
    if (threadIdx.x < 32) {
        if (n & 1) {
            mark(slog, 1);
            asm volatile("barrier.sync 1;" ::: "memory");
            mark(slog, 2);
            x *= 3;
        } else {
            mark(slog, 3);
            asm volatile("barrier.sync 1;" ::: "memory");
            mark(slog, 4);
            x *= 5;
        }
    } else {
        asm volatile("barrier.sync 1;" ::: "memory");
    }
    mark(slog, 5);
    __syncthreads();
    out[threadIdx.x] = x;
    for (int i = threadIdx.x; i < room && i < (int)slog[0]; i += blockDim.x)
        logged[i] = ((uint2 *)(slog + 2))[i];
}
// k2: function with a barrier called from diverged places: groups at one BAR
__device__ __noinline__ static void meet(unsigned *slog)
{
    mark(slog, 6);
    asm volatile("barrier.sync 2;" ::: "memory");
    mark(slog, 7);
}
__global__ void k_bar_same(const int *in, unsigned *out, uint2 *logged, int room)
{
    extern __shared__ unsigned slog[];
    if (threadIdx.x == 0)
        slog[0] = 0;
    __syncthreads();
    int n = in[threadIdx.x & 31];
    unsigned x = threadIdx.x;
    if (threadIdx.x < 32) {
        if (n & 1) {
            x *= 3;
            mark(slog, 1);
            meet(slog);
            x += in[x & 31];
        } else {
            x *= 5;
            mark(slog, 2);
            meet(slog);
            x ^= in[x & 31];
        }
    } else
        meet(slog);
    mark(slog, 5);
    __syncthreads();
    out[threadIdx.x] = x;
    for (int i = threadIdx.x; i < room && i < (int)slog[0]; i += blockDim.x)
        logged[i] = ((uint2 *)(slog + 2))[i];
}
// LDSM, STSM: wavefronts
template <int N> __global__ void m_ldsm(const unsigned *where, unsigned *out)
{
    extern __shared__ unsigned slog[];
    for (int i = threadIdx.x; i < 8192; i += 32)
        slog[i] = i;
    __syncwarp();
    unsigned a = (unsigned)__cvta_generic_to_shared(slog) + where[threadIdx.x], r[4] = {0, 0, 0, 0};
    if (N == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(r[0])
                     : "r"(a)
                     : "memory");
    if (N == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(a)
                     : "memory");
    if (N == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(a)
                     : "memory");
    if (N == 5)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(a)
                     : "memory");
    out[threadIdx.x] = r[0] + r[1] * 3 + r[2] * 5 + r[3] * 7;
}
template <int N> __global__ void m_stsm(const unsigned *where, unsigned *out)
{
    extern __shared__ unsigned slog[];
    unsigned a = (unsigned)__cvta_generic_to_shared(slog) + where[threadIdx.x], r = threadIdx.x;
    if (N == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1], {%0};" ::"r"(r), "r"(a)
                     : "memory");
    if (N == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%1], {%0,%0};" ::"r"(r), "r"(a)
                     : "memory");
    if (N == 4)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%1], {%0,%0,%0,%0};" ::"r"(r),
                     "r"(a)
                     : "memory");
    __syncwarp();
    out[threadIdx.x] = slog[threadIdx.x];
}

static std::vector<int> pattern(int p)
{
    std::vector<int> it(32);
    for (int l = 0; l < 32; l++) {
        uint32_t r = random_word(77 + p, l);
        switch (p % 5) {
        case 0:
            it[l] = 1 + (r % 3 ? 0 : r / 3 % 3 ? 1 : r / 9 % 3 ? 2 : 3);
            break; // geometric: most lanes leave early
        case 1:
            it[l] = 1 + r % 4;
            break;
        case 2:
            it[l] = 1 + r % 12;
            break;
        case 3:
            it[l] = 1 + (r % 4 ? 3 : r / 4 % 4 ? 1 : 5);
            break;
        case 4:
            it[l] = 1 + (r % 2       ? 0
                         : r / 2 % 2 ? 1
                         : r / 4 % 2 ? 2
                         : r / 8 % 2 ? 3
                                     : 4 + r / 16 % 4);
            break;
        }
    }
    if (p == 0)
        for (int l = 0; l < 32; l++)
            it[l] = l < 20 ? 1 : l < 28 ? 2 : l < 31 ? 3 : 4;
    if (p == 1)
        for (int l = 0; l < 32; l++)
            it[l] = l < 1 ? 4 : l < 4 ? 3 : l < 12 ? 2 : 1;
    if (p == 2)
        for (int l = 0; l < 32; l++)
            it[l] = l < 17 ? 1 : 2;
    if (p == 3)
        for (int l = 0; l < 32; l++)
            it[l] = l < 16 ? 1 : 2;
    if (p == 4)
        for (int l = 0; l < 32; l++)
            it[l] = 1 + l;
    if (p == 5)
        for (int l = 0; l < 32; l++)
            it[l] = 32 - l;
    return it;
}
/* Two warps; the lanes of the first warp diverge as `in` says. */
template <class Kernel> static void two_warps(Kernel kernel, const std::vector<int> &in)
{
    const int room = 4096;
    Buffer<int> from(in);
    Buffer<unsigned> out(64 + 32);
    Buffer<uint2> logged(room);
    must(cudaMemset(logged.data, 0xff, room * 8), "memset");
    kernel<<<1, 64, 40000>>>(from.data, out.data, logged.data, room);
    must(cudaDeviceSynchronize(), "launch");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "abcdefghijkm";
    int many = argc > 2 ? atoi(argv[2]) : 100;
    Buffer<unsigned> out(96);
    for (const char *c = what; *c; c++) {
        if (strchr("acdeghij", *c))
            for (int p = 0; p < many; p++) {
                std::vector<int> it = pattern(p);
                if (*c >= 'g')
                    for (int l = 0; l < 32; l++)
                        it[l] = (int)(random_word(5 + p, l) & 0xffff);
                Buffer<int> from(it);
                std::vector<int> more(64 * 32 + 32);
                for (int k = 0; k < 64; k++)
                    for (int l = 0; l < 32; l++)
                        more[k * 32 + l] = k < it[l];
                Buffer<int> m(more);
                if (*c == 'a')
                    a_leave_alu<<<1, 32>>>(from.data, out.data);
                if (*c == 'c')
                    c_leave_load<<<1, 32>>>(from.data, m.data, out.data);
                if (*c == 'd')
                    d_leave_const<<<1, 32>>>(from.data, out.data);
                if (*c == 'e')
                    e_break_top<<<1, 32>>>(from.data, out.data);
                if (*c == 'g')
                    g_down<<<1, 32>>>(from.data, out.data);
                if (*c == 'h')
                    h_fib<<<1, 32>>>(from.data, out.data);
                if (*c == 'i')
                    i_call_loop<<<1, 32>>>(from.data, out.data);
                if (*c == 'j')
                    j_return_loop<<<1, 32>>>(from.data, out.data);
                must(cudaDeviceSynchronize(), "launch");
            }
        if (*c == 'b') {
            const int n = 120000;
            std::vector<char> text;
            for (uint32_t i = 0; i < n; i++)
                text.push_back((char)('a' + random_word(1, i) % 3));
            Buffer<char> t(text);
            Buffer<unsigned> bits((n + 31) / 32);
            Buffer<int> count(1);
            must(cudaMemcpyToSymbol(word, "abcab", 6), "symbol");
            for (int w = 0; w < many; w++)
                b_search<<<1, 32>>>(t.data, n, 5, bits.data, count.data, w * 32);
            must(cudaDeviceSynchronize(), "launch");
        }
        if (*c == 'f') {
            std::vector<uint32_t> in = random_words(8192, 1);
            Buffer<unsigned> from(in), deep(8192);
            for (int w = 0; w < many; w++)
                f_ack<<<1, 32>>>(from.data, deep.data, w * 32);
            must(cudaDeviceSynchronize(), "launch");
        }
        if (*c == 'm')
            for (int p = 0; p < 10; p++) {
                std::vector<uint32_t> where(32);
                static const unsigned stride[10] = {16, 32, 64, 128, 144, 80, 48, 0, 256, 16};
                for (unsigned l = 0; l < 32; l++)
                    where[l] = p == 9 ? (random_word(3, l) % 512) * 16 : l * stride[p];
                Buffer<unsigned> from(where);
                m_ldsm<1><<<1, 32, 32768>>>(from.data, out.data);
                m_ldsm<2><<<1, 32, 32768>>>(from.data, out.data);
                m_ldsm<4><<<1, 32, 32768>>>(from.data, out.data);
                m_ldsm<5><<<1, 32, 32768>>>(from.data, out.data);
                m_stsm<1><<<1, 32, 32768>>>(from.data, out.data);
                m_stsm<2><<<1, 32, 32768>>>(from.data, out.data);
                m_stsm<4><<<1, 32, 32768>>>(from.data, out.data);
                must(cudaDeviceSynchronize(), "launch");
            }
        if (*c == 'k')
            for (int p = 0; p < 8 && p < many; p++) {
                std::vector<int> v(32);
                for (int l = 0; l < 32; l++)
                    v[l] = p == 0   ? 0
                           : p == 1 ? l & 1
                           : p == 2 ? l < 8
                                    : (int)(random_word(p, l) & 1);
                two_warps(k_bar, v);
                two_warps(k_bar_same, v);
            }
    }
    return 0;
}
