// How long kernels take that pass over several arrays: blocks that come and go, by the number of
// arrays, the distance between them and the place of the data. Each launch is a case; a profiler
// gives its cycles.
//
//   nvcc -arch=sm_90 -o arrays arrays.cu
//   ncu --cache-control all --clock-control none --csv --page raw
//       --metrics sm__cycles_elapsed.max arrays
//
// The same with `--cache-control none` has the data of small arrays in L2. The program prints a line
// for each launch, in their order. The first launch uses all pages, so that later ones do not wait
// for translations.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

typedef uint32_t u32;
typedef uint64_t u64;

constexpr u64 KB = 1 << 10, MB = 1 << 20, GB = 1 << 30;
constexpr int SMS = 132;

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "arrays: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static char *data;
static u32 *sink;

__global__ void touch(const char *data, u64 bytes, u32 *sink)
{
    u32 sum = 0;
    for (u64 at = ((u64)blockIdx.x * blockDim.x + threadIdx.x) * MB; at < bytes;
         at += (u64)gridDim.x * blockDim.x * MB)
        sum += *(const u32 *)(data + at);
    if (sum == 12345)
        *sink = sum;
}

// Loads R arrays that begin `apart` bytes apart and stores W behind them, a word a thread.
template <int R, int W> __global__ void pass(char *data, u64 apart, u32 *sink)
{
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    u32 value[R + 1], sum = (u32)i;
#pragma unroll
    for (int k = 0; k < R; k++)
        value[k] = ((const u32 *)(data + k * apart))[i];
#pragma unroll
    for (int k = 0; k < R; k++)
        sum += value[k];
#pragma unroll
    for (int k = 0; k < W; k++)
        ((u32 *)(data + (R + k) * apart))[i] = sum;
    if (W == 0 && sum == 12345)
        *sink = sum;
}

// Loads or stores `each` words in sectors of 32 bytes by chance, each sector at most once.
template <bool STORE> __global__ void chance(char *data, u32 sectors, u32 each, u32 *sink)
{
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    u32 sum = thread;
#pragma unroll 4
    for (u32 k = 0; k < each; k++) {
        u32 *at = (u32 *)(data + (u64)((thread + k * threads) * 2654435769u & (sectors - 1)) * 32);
        if (STORE)
            *at = sum + k;
        else
            sum += *at;
    }
    if (!STORE && sum == 12345)
        *sink = sum;
}

static void done(const char *name, u64 a, u64 b)
{
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    printf("%s,%llu,%llu\n", name, (unsigned long long)a, (unsigned long long)b);
}

// Arrays of 50, 4 and 1 MB. Each launch runs twice, so that the second has small arrays in L2.
template <int R, int W> static void passes()
{
    char name[32];
    snprintf(name, sizeof name, "pass_%d_%d", R, W);
    const u64 odd = 11 * MB + 148 * KB + 512 * 3;
    for (u64 apart : {128 * MB, 128 * MB + odd})
        for (u32 blocks : {50000, 4096, 1024})
            for (int round = 0; round < 2; round++) {
                pass<R, W><<<blocks, 256>>>(data, blocks == 50000 ? apart : apart / 16 / KB * KB, sink);
                done(name, apart == 128 * MB ? 0 : odd, blocks);
            }
}

template <bool STORE> static void chances(const char *name)
{
    for (u64 footprint : {MB, 2 * MB, 4 * MB, 8 * MB, 16 * MB, 32 * MB})
        for (int round = 0; round < 2; round++) {
            const u32 threads = (u32)(footprint / 32) < 1u << 18 ? (u32)(footprint / 32) : 1u << 18;
            chance<STORE><<<threads / 256, 256>>>(data, (u32)(footprint / 32), 1, sink);
            done(name, footprint / MB, threads);
        }
    for (int round = 0; round < 2; round++) {
        chance<STORE><<<SMS * 4, 256>>>(data, 8 * MB / 32, 8, sink);
        done(name, 8, SMS * 4 * 256);
    }
}

int main()
{
    check(cudaMalloc(&sink, 4));
    check(cudaMalloc(&data, GB + MB));
    touch<<<SMS, 256>>>(data, GB, sink);
    done("touch", 0, 0);
    passes<1, 0>(), passes<2, 0>(), passes<3, 0>(), passes<4, 0>();
    passes<0, 1>(), passes<1, 1>(), passes<2, 1>();
    chances<false>("chance_load"), chances<true>("chance_store");
    return 0;
}
