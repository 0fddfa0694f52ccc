// What the first use of a page costs: loads and stores to memory that no launch has touched yet, and
// the same launch once more.
//
//   nvcc -arch=sm_90 -o first_use first_use.cu
//   ncu --cache-control all --clock-control none --csv --page raw
//       --metrics sm__cycles_elapsed.max first_use
//
// The program prints a line for each launch, in their order: the case, megabytes, pieces or accesses
// of a thread, and the cycles of the longest block.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef uint32_t u32;
typedef uint64_t u64;

constexpr u64 MB = 1 << 20;
constexpr int SMS = 132;

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "first_use: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static u32 *sink;
static u64 *out;

__device__ u64 now()
{
    u64 cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

__device__ u64 mixed(u64 x)
{
    x = (x ^ x >> 31) * 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9ull;
    return x ^ x >> 32;
}

__device__ void end(u64 *out, u64 start)
{
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = now() - start;
}

// Loads a word of each of `count` pieces, `stride` bytes apart.
__global__ void touch(const char *data, u32 count, u64 stride, u64 *out, u32 *sink)
{
    const u64 start = now();
    u32 sum = 0;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += *(volatile const u32 *)(data + i * stride + i * 4224 % MB);
    if (sum == 12345)
        *sink = sum;
    end(out, start);
}

// The place of access `k` of a thread: a word of a sector by chance.
__device__ u64 place(u32 k, u64 bytes)
{
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    return mixed(thread + (u64)k * threads) & (bytes - 1) & ~31ull;
}

__global__ void loads(const char *data, u64 bytes, u32 each, u64 *out, u32 *sink)
{
    const u64 start = now();
    u32 sum = 0;
#pragma unroll 4
    for (u32 k = 0; k < each; k++)
        sum += *(const u32 *)(data + place(k, bytes));
    if (sum == 12345)
        *sink = sum;
    end(out, start);
}

__global__ void stores(char *data, u64 bytes, u32 each, u64 *out)
{
    const u64 start = now();
#pragma unroll 4
    for (u32 k = 0; k < each; k++)
        *(u32 *)(data + place(k, bytes)) = k;
    end(out, start);
}

static void done(const char *name, bool again, u64 mb, u64 pieces, int blocks)
{
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    std::vector<u64> got(blocks);
    check(cudaMemcpy(got.data(), out, blocks * 8, cudaMemcpyDeviceToHost));
    printf("%s,%s,%llu,%llu,%llu\n", name, again ? "again" : "first", (unsigned long long)mb,
           (unsigned long long)pieces, (unsigned long long)*std::max_element(got.begin(), got.end()));
}

// Launches twice with memory of its own.
template <class Launch> static void twice(u64 mb, Launch launch)
{
    char *data;
    check(cudaMalloc(&data, (mb + 2) * MB));
    launch(data, false);
    launch(data, true);
    check(cudaFree(data));
}

int main()
{
    check(cudaMalloc(&sink, 4));
    check(cudaMalloc(&out, 8192));
    printf("case,use,mb,pieces,cycles\n");
    for (u64 mb : {64, 256, 1024, 4096, 16384})
        for (u64 stride : {2 * MB, 32 * MB}) {
            const u32 count = mb * MB / stride;
            const struct {
                const char *name;
                int blocks, threads;
            } shapes[] = {{"touch_thread", 1, 1}, {"touch_warp", 1, 32}, {"touch_block", 1, 1024}, {"touch_all", SMS, 32}};
            for (const auto &shape : shapes)
                twice(mb, [&](char *data, bool again) {
                    touch<<<shape.blocks, shape.threads>>>(data, count, stride, out, sink);
                    done(shape.name, again, mb, count, shape.blocks);
                });
        }
    for (u64 mb : {8, 64, 256, 1024, 4096, 16384})
        for (u32 each : {1, 4}) {
            twice(mb, [&](char *data, bool again) {
                loads<<<1024, 128>>>(data, mb * MB, each, out, sink);
                done("loads", again, mb, each, 1024);
            });
            twice(mb, [&](char *data, bool again) {
                stores<<<1024, 128>>>(data, mb * MB, each, out);
                done("stores", again, mb, each, 1024);
            });
        }
    return 0;
}
