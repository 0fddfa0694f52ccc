// Not a benchmark: `simsm calibrate --measure` runs it before each point, so that L2 holds other,
// clean lines.
#include <stdint.h>

/// Reads `count` x 16 bytes.
extern "C" __global__ void flush(const uint4 *data, uint64_t count, uint32_t *never)
{
    uint32_t sum = 0;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        uint4 v = data[i];
        sum |= v.x | v.y | v.z | v.w;
    }
    if (sum == 0x12345678)
        *never = sum;
}
