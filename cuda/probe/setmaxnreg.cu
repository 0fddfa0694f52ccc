// Registers given back and taken within a block (setmaxnreg): what they cost, and how long a warp
// group waits for registers that another one holds.
//
// Prints case,delay,clocks: `give` and `take`, with nobody waiting; `wait`: from the instruction
// that gives registers back, `delay` clocks after the others have begun to wait, to the end of
// their wait; `begun`: the same from the begin of the wait.
#include "async.cuh"

#include <cstdio>

__global__ void __launch_bounds__(384, 1) measure(uint32_t delay, uint64_t *out)
{
    __shared__ uint64_t at[2];
    uint64_t begin = clock_now(), end;
    if (threadIdx.x < 128) {
        while (clock_now() - begin < delay)
            ;
        uint64_t now = clock_now();
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;" ::: "memory");
        end = clock_now();
        if (threadIdx.x == 0) {
            at[0] = now;
            out[0] = end - now;
        }
        if (!delay)
            asm volatile("bar.sync 1, 384;" ::: "memory");
    } else {
        if (!delay)
            asm volatile("bar.sync 1, 384;" ::: "memory");
        begin = clock_now();
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;" ::: "memory");
        end = clock_now();
        if (threadIdx.x == 128) {
            at[1] = end;
            out[1] = end - begin;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[2] = at[1] - at[0];
}

int main()
{
    uint64_t *out, value[3];
    cudaMalloc((void **)&out, sizeof value);
    std::printf("case,delay,clocks\n");
    for (uint32_t delay :
         {0u, 200u, 300u, 400u, 500u, 600u, 800u, 1000u, 2000u, 5000u, 10000u, 100000u}) {
        for (int run = 0; run < 3; run++)
            measure<<<1, 384>>>(delay, out);
        cudaMemcpy(value, out, sizeof value, cudaMemcpyDeviceToHost);
        std::printf("give,%u,%llu\n", delay, (unsigned long long)value[0]);
        std::printf("%s,%u,%llu\n", delay ? "begun" : "take", delay, (unsigned long long)value[1]);
        if (delay)
            std::printf("wait,%u,%llu\n", delay, (unsigned long long)value[2]);
    }
    return cudaGetLastError() != cudaSuccess;
}
