// The body of the kernels about occupancy: waves, block_size, imbalance_within, imbalance_across.
// It is the loop of the traces of the same names in traces/lessons: a load at a random place, the
// same for all lanes, and an addition that waits for it.
#ifndef CUDA_VERIFY_RANDOM_LOADS_H
#define CUDA_VERIFY_RANDOM_LOADS_H

#include "verify.h"

const uint32_t places = 1 << 16; // sectors of 32 bytes

/// Chases `rounds` words through `data`; `seed` chooses the first place.
__host__ __device__ inline uint32_t random_loads(const uint32_t *data, uint32_t seed, int rounds)
{
    uint32_t at = seed * 2654435761u, sum = 0;
    for (int r = 0; r < rounds; r++) {
        uint32_t word = data[(at >> 16) * 8];
        sum += word;
        at = at * 1664525u + word;
    }
    return sum;
}

/// What random_loads reads.
inline std::vector<uint32_t> random_loads_data()
{
    return verify::random_words(places * 8, 1);
}

#endif
