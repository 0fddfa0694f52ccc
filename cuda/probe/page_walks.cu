// How long address translation takes: pages that an SM touches for the first time, pages beyond the
// reach of its first buffer, and many lanes that each need another page.
//
//   nvcc -arch=sm_90 -o page_walks page_walks.cu;  page_walks [GIGABYTES] > page_walks.csv
//   ncu --cache-control all ... page_walks 4 launches    loads under a profiler
//
// Allocating page-locked memory of the host empties all buffers of translations. All lines that are
// loaded are in L2: what a load takes beyond a hit of L2 is translation.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef uint32_t u32;
typedef uint64_t u64;

constexpr u64 MB = 1 << 20;
constexpr int REPEATS = 5;

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "page_walks: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__device__ u64 now()
{
    u64 cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

__device__ u32 sm_id()
{
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

// A load past L1 (LDG.E.STRONG.GPU). The data are 0.
__device__ u32 load(const char *at)
{
    u32 value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

// Waits for `value`: a store needs its operand.
__device__ void wait_for(u32 value)
{
    __shared__ u32 sink;
    *(volatile u32 *)&sink = value;
}

// The line of page `page`: neighbours lie in other lines of their pages, so that sets of L2 differ.
__device__ u64 line_of(u64 page, u64 stride)
{
    return page * stride + page * 4224 % (2 * MB);
}

// SM after SM, in the order of `rank`, loads a line of each page, one load after the other.
// out[SM][page] = cycles.
__global__ void turns(u32 *out, const char *data, u32 pages, u64 stride, const u32 *rank, u32 *turn)
{
    const u32 sm = sm_id();
    u32 value = 0;
    while (atomicAdd(turn, 0) != rank[sm])
        ;
    for (u32 i = 0; i < pages; i++) {
        const u64 start = now();
        value = load(data + line_of(i, stride) + value);
        wait_for(value);
        out[sm * pages + i] = (u32)(now() - start);
    }
    atomicAdd(turn, 1);
}

// Dependent loads of a line of each page, round and round; out[block] = cycles of the last lap.
__global__ void laps(u64 *out, const char *data, u32 pages, u64 stride, u32 count)
{
    u64 cycles = 0;
    u32 value = 0;
    for (u32 lap = 0; lap < count; lap++) {
        u32 page = sm_id() * 37 % pages;
        const u64 start = now();
        for (u32 i = 0; i < pages; i++) {
            value = load(data + line_of(page, stride) + value);
            page = page + 1 == pages ? 0 : page + 1;
        }
        wait_for(value);
        cycles = now() - start;
    }
    out[blockIdx.x] = cycles;
}

// Each lane loads the lines of pages by chance, four at a time; out[block] = cycles of the block.
__global__ void scatter(u64 *out, const char *data, u32 pages, u64 stride, u32 rounds)
{
    u32 seed = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, sum = 0;
    u64 start = 0;
    for (u32 round = 0; round < 2 * rounds; round++) {
        if (round == rounds) {
            __syncthreads();
            start = now();
        }
        u32 value[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            value[k] = load(data + line_of((u64)(seed >> 8) * pages >> 24, stride) + sum);
        }
        for (int k = 0; k < 4; k++)
            sum += value[k];
    }
    wait_for(sum);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = now() - start;
}

// Lanes 0 to `lanes` - 1 of a warp load a line of a page each, all at once. `apart`: pages between
// the first pages of two blocks. out[block] = cycles.
__global__ void burst(u64 *out, const char *data, u32 lanes, u64 stride, u32 apart)
{
    u32 value = 0;
    const u64 start = now();
    if (threadIdx.x < lanes)
        value = load(data + line_of(blockIdx.x * apart + threadIdx.x, stride));
    wait_for(value);
    __syncwarp();
    if (threadIdx.x == 0)
        out[blockIdx.x] = now() - start;
}

// Loads the lines of all pages, so that they are in L2.
__global__ void warm(u64 *out, const char *data, u32 pages, u64 stride)
{
    u32 sum = 0;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < pages; i += gridDim.x * blockDim.x)
        sum += load(data + line_of(i, stride));
    if (sum != 0)
        out[0] = sum;
}

// Fills L2 with other lines.
__global__ void flush(u64 *out, const char *data)
{
    u32 sum = 0;
    for (u64 at = (blockIdx.x * blockDim.x + threadIdx.x) * 32ull; at < 256 * MB; at += gridDim.x * blockDim.x * 32ull)
        sum += load(data + at);
    if (sum != 0)
        out[0] = sum;
}

static char *data;
static u64 *out, bytes;
static int sms;

static void empty_buffers()
{
    void *host;
    check(cudaMallocHost(&host, 4096));
    check(cudaFreeHost(host));
}

static void bring(u32 pages, u64 stride)
{
    warm<<<132, 256>>>(out, data, pages, stride);
    warm<<<132, 256>>>(out, data, pages, stride);
    check(cudaDeviceSynchronize());
}

// Returns the median over repeats of what `result` gives after `launch`.
template <class Launch> static double median(int blocks, bool cold, bool most, Launch launch)
{
    std::vector<double> all;
    for (int i = 0; i < REPEATS; i++) {
        if (cold)
            empty_buffers();
        launch();
        check(cudaDeviceSynchronize());
        std::vector<u64> got(blocks);
        check(cudaMemcpy(got.data(), out, blocks * sizeof(u64), cudaMemcpyDeviceToHost));
        double sum = 0;
        for (u64 cycles : got)
            sum = most ? std::max(sum, (double)cycles) : sum + (double)cycles / blocks;
        all.push_back(sum);
    }
    std::sort(all.begin(), all.end());
    return all[REPEATS / 2];
}

static void by_turns(u32 first)
{
    const u32 pages = 24;
    const u64 stride = 32 * MB;
    std::vector<u32> rank(sms);
    for (int i = 0; i < sms; i++)
        rank[i] = (i + sms - first) % sms;
    u32 *order, *turn, *each;
    check(cudaMalloc(&order, sms * 4));
    check(cudaMalloc(&turn, 4));
    check(cudaMalloc(&each, sms * pages * 4));
    check(cudaMemcpy(order, rank.data(), sms * 4, cudaMemcpyHostToDevice));
    check(cudaMemset(each, 0, sms * pages * 4));
    check(cudaMemset(turn, 0, 4));
    check(cudaFuncSetAttribute(turns, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    bring(pages, stride);
    empty_buffers();
    turns<<<sms, 1, 200 << 10>>>(each, data, pages, stride, order, turn);
    check(cudaDeviceSynchronize());
    std::vector<u32> got(sms * pages);
    check(cudaMemcpy(got.data(), each, sms * pages * 4, cudaMemcpyDeviceToHost));
    for (int at = 0; at < sms; at++) {
        const int sm = (at + first) % sms;
        for (u32 i : {2u, 7u, 15u, 23u})
            printf("turn,%d,%u,32,%u\n", sm, i, got[sm * pages + i]);
    }
    check(cudaFree(order));
    check(cudaFree(turn));
    check(cudaFree(each));
}

int main(int argc, char **argv)
{
    bytes = (u64)(argc > 1 ? atoi(argv[1]) : 64) << 30;
    cudaDeviceProp gpu;
    check(cudaGetDeviceProperties(&gpu, 0));
    sms = gpu.multiProcessorCount;
    check(cudaMalloc(&out, 65536));
    while (cudaMalloc(&data, bytes + 4 * MB) != cudaSuccess && bytes > MB) {
        cudaGetLastError();
        bytes /= 2;
    }
    check(cudaMemset(data, 0, bytes + 4 * MB));
    printf("case,sms,pages,stride_mb,cycles\n");
    if (argc > 2) { // for a profiler, which may empty buffers and caches before each launch
        for (u64 apart : {0, 0, 0, 32, 32, 64, 64, 0, 32}) {
            burst<<<1, 32>>>(out, data + apart * MB, 1, MB, 0);
            u64 cycles;
            check(cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost));
            printf("launch,1,1,%llu,%llu\n", (unsigned long long)apart, (unsigned long long)cycles);
        }
        return 0;
    }
    by_turns(0);
    by_turns(40);
    for (u64 stride : {2 * MB, 8 * MB, 16 * MB, 32 * MB, 64 * MB})
        for (u32 pages : {4, 8, 12, 16, 17, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192, 16384}) {
            if (pages * stride > bytes)
                break;
            bring(pages, stride);
            for (int blocks : {1, sms})
                printf("laps,%d,%u,%llu,%.1f\n", blocks, pages, (unsigned long long)(stride / MB),
                       median(blocks, false, false, [&] { laps<<<blocks, 1>>>(out, data, pages, stride, pages < 2048 ? 3 : 2); }) / pages);
        }
    for (u32 pages : {4u, 16u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u}) {
        if (pages * 2 * MB > bytes)
            break;
        bring(pages, 2 * MB);
        for (int blocks : {1, 2, 6, 12, sms / 2, sms})
            for (int warps : {1, 8, 32})
                printf("scatter_%d,%d,%u,2,%.2f\n", warps, blocks, pages,
                       median(blocks, false, false, [&] { scatter<<<blocks, warps * 32>>>(out, data, pages, 2 * MB, 64); }) / (64.0 * 4 * warps));
    }
    for (u64 stride : {2 * MB, 4 * MB, 16 * MB, 32 * MB})
        for (u32 lanes : {1, 2, 4, 8, 16, 32}) {
            bring(32, stride);
            printf("burst,1,%u,%llu,%.0f\n", lanes, (unsigned long long)(stride / MB), median(1, true, true, [&] { burst<<<1, 32>>>(out, data, lanes, stride, 0); }));
        }
    // What a load takes that is the first to a page, and one that is not, if L2 was filled with
    // other lines (page tables, too).
    for (const char *what : {"flushed", "flushed_empty", "empty"}) {
        std::vector<u64> all;
        for (int i = 0; i < REPEATS; i++) {
            bring(32, 32 * MB);
            if (strcmp(what, "flushed"))
                empty_buffers();
            if (strcmp(what, "empty"))
                flush<<<132, 256>>>(out, data + 1100 * MB);
            burst<<<1, 32>>>(out, data, 1, 32 * MB, 0);
            u64 cycles;
            check(cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost));
            all.push_back(cycles);
        }
        std::sort(all.begin(), all.end());
        printf("first_%s,1,1,32,%llu\n", what, (unsigned long long)all[REPEATS / 2]);
    }
    // What else empties the buffers.
    for (int call = 0; call < 6; call++) {
        static const char *const names[] = {"nothing", "malloc", "malloc_free", "memcpy", "memset", "malloc_host"};
        std::vector<u64> all;
        for (int i = 0; i < REPEATS; i++) {
            char *more = nullptr;
            bring(32, 32 * MB);
            if (call == 1 || call == 2)
                check(cudaMalloc(&more, 32 * MB));
            if (call == 2)
                check(cudaFree(more));
            if (call == 3)
                check(cudaMemcpy(&more, data, 8, cudaMemcpyDeviceToHost));
            if (call == 4)
                check(cudaMemset(data + 64, 0, 64));
            if (call == 5)
                empty_buffers();
            burst<<<1, 32>>>(out, data, 1, 32 * MB, 0);
            u64 cycles;
            check(cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost));
            all.push_back(cycles);
            if (call == 1)
                check(cudaFree(more));
        }
        std::sort(all.begin(), all.end());
        printf("after_%s,1,1,32,%llu\n", names[call], (unsigned long long)all[REPEATS / 2]);
    }
    // A second line of the same piece of memory, so many MB behind the first.
    for (u64 apart : {1, 2, 4, 8, 14, 16, 18, 30, 32, 34, 48, 62, 64, 66, 128, 512, 1024, 2048}) {
        std::vector<u64> all;
        for (int i = 0; i < REPEATS; i++) {
            bring(64, 32 * MB);
            bring(1, 32 * MB);
            warm<<<1, 32>>>(out, data + apart * MB, 1, MB);
            check(cudaDeviceSynchronize());
            empty_buffers();
            warm<<<1, 32>>>(out, data, 1, MB);
            burst<<<1, 32>>>(out, data + apart * MB, 1, MB, 0);
            u64 cycles;
            check(cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost));
            all.push_back(cycles);
        }
        std::sort(all.begin(), all.end());
        printf("second,1,1,%llu,%llu\n", (unsigned long long)apart, (unsigned long long)all[REPEATS / 2]);
    }
    for (u32 lanes : {1, 4, 8, 32}) {
        bring(32, 32 * MB);
        printf("burst_same,%d,%u,32,%.0f\n", sms, lanes, median(sms, true, true, [&] { burst<<<sms, 32>>>(out, data, lanes, 32 * MB, 0); }));
    }
    for (u32 lanes : {1, 4, 8}) {
        bring(sms * 8, 32 * MB);
        printf("burst_other,%d,%u,32,%.0f\n", sms, lanes, median(sms, true, true, [&] { burst<<<sms, 32>>>(out, data, lanes, 32 * MB, 8); }));
    }
    return 0;
}
