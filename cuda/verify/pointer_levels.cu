// One thread follows pointers through arrays of 8 KB, 128 KB, 4 MB and 40 MB, and through shared
// memory.
//
// Shows the latency of each level of memory to a single warp, on cold caches: the smaller arrays
// are passed several times.
#include "verify.h"

__global__ void pointer_levels(const uint32_t *next, int steps, uint32_t *end)
{
    uint32_t at = 0;
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        at = next[at];
    *end = at;
}

__global__ void pointer_shared(int length, int step, int steps, uint32_t *end)
{
    __shared__ uint32_t next[1024];
    for (int k = threadIdx.x; k < 1024; k += 32)
        next[k] = (k + step) % length;
    __syncwarp();
    uint32_t at = 0;
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        at = next[at];
    *end = at;
}

int main()
{
    const int steps = 2000;
    verify::Program program("pointer_levels");
    for (uint32_t bytes : {8u << 10, 128u << 10, 4u << 20, 40u << 20}) {
        uint32_t words = bytes / 4, step = words / 8 * 3 + 32 + 1; // odd: all words are in one ring
        std::vector<uint32_t> next(words);
        for (uint32_t k = 0; k < words; k++)
            next[k] = (k + step) % words;
        verify::Buffer<uint32_t> device_next(next), end(1);
        pointer_levels<<<1, 1>>>(device_next.data, steps, end.data);
        program.launched("pointer_levels");
        uint32_t at = 0;
        for (int k = 0; k < steps; k++)
            at = next[at];
        program.equal("end", program.output("end", end), {at});
    }
    verify::Buffer<uint32_t> end(1);
    pointer_shared<<<1, 32>>>(1000, 77, steps, end.data);
    program.launched("pointer_shared");
    program.equal("end", program.output("end", end), {(uint32_t)(77 * steps % 1000)});
    return program.finish();
}
