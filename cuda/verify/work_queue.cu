// Warps take pieces of work of very different size from a queue until it is empty: one at a time,
// and eight at a time.
//
// Shows a counter that all warps increment and wait for, and load that is balanced at run time.
#include "verify.h"

__host__ __device__ inline uint32_t work(uint32_t item)
{
    uint32_t rounds = 8 + (item % 37 == 0 ? 600 : verify::random_word(1, item) % 64), x = item;
    for (uint32_t r = 0; r < rounds; r++)
        x = x * 1664525u + 1013904223u;
    return x;
}

__global__ void work_queue(uint32_t *next, uint32_t at_once, uint32_t items, uint32_t *out)
{
    uint32_t lane = threadIdx.x % 32;
    for (;;) {
        uint32_t first = lane == 0 ? atomicAdd(next, at_once) : 0;
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first >= items)
            return;
        for (uint32_t item = first; item < first + at_once && item < items; item++) {
            uint32_t x = work(item);
            if (lane == 0)
                out[item] = x;
        }
    }
}

int main()
{
    const uint32_t items = 6000;
    verify::Program program("work_queue");
    std::vector<uint32_t> want;
    for (uint32_t item = 0; item < items; item++)
        want.push_back(work(item));
    for (uint32_t at_once : {1u, 8u}) {
        verify::Buffer<uint32_t> next(1), out(items);
        work_queue<<<132, 128>>>(next.data, at_once, items, out.data);
        program.launched("work_queue");
        program.equal("result", program.output("results", out), want);
    }
    return program.finish();
}
