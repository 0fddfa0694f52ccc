/*
 * How long a try_wait of some lanes lasts that comes back in vain: prints
 * others,lanes,first,second, the clocks of two of them.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o part_wait cuda/probe/part_wait.cu
 *
 * The other lanes of the warp: "meet": wait where the branch ends; "syncwarp": wait at __syncwarp;
 * "ended"; "busy": run for 3000 clocks.
 */
#include <cstdio>

#include "async.cuh"

enum { MEET, SYNCWARP, ENDED, BUSY, CASES };

static const char *const names[] = {"meet", "syncwarp", "ended", "busy"};

__device__ __forceinline__ uint32_t try_once(uint32_t barrier)
{
    uint32_t done;
    asm volatile("{.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(barrier)
                 : "memory");
    return done;
}

__global__ void measure(uint32_t lanes, int others, uint64_t *out)
{
    __shared__ uint64_t barrier;
    const uint32_t at = shared_address(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    __syncwarp();
    if (others == ENDED && threadIdx.x >= lanes)
        return;
    if (threadIdx.x < lanes) {
        uint64_t begin = clock_now();
        uint32_t done = try_once(at);
        const uint64_t first = clock_now() - begin;
        begin = clock_now();
        done += try_once(at);
        const uint64_t second = clock_now() - begin;
        if (threadIdx.x == 0) {
            out[0] = first + done;
            out[1] = second;
        }
    } else if (others == BUSY) {
        const uint64_t begin = clock_now();
        while (clock_now() - begin < 3000)
            ;
    }
    if (others == SYNCWARP)
        __syncwarp();
    if (out[threadIdx.x] == 77) /* something behind the branch */
        out[3] = 1;
}

int main()
{
    uint64_t *out, clocks[32] = {};
    cudaMalloc((void **)&out, sizeof clocks);
    std::printf("others,lanes,first,second\n");
    for (int others = MEET; others < CASES; others++)
        for (uint32_t lanes : {32u, 31u, 16u, 1u}) {
            for (int run = 0; run < 2; run++) { /* the caches of instructions get warm */
                cudaMemset(out, 0, sizeof clocks);
                measure<<<1, 32>>>(lanes, others, out);
            }
            cudaMemcpy(clocks, out, sizeof clocks, cudaMemcpyDeviceToHost);
            std::printf("%s,%u,%llu,%llu\n", names[others], lanes, (unsigned long long)clocks[0],
                        (unsigned long long)clocks[1]);
        }
    return cudaGetLastError() != cudaSuccess;
}
