// Sum, maximum and position of the maximum, third way: shuffles within warps, one word per warp in
// shared memory.
//
// Shows __shfl_down_sync and __shfl_xor_sync on 32-bit and 64-bit values.
#include "verify.h"

const int block = 512;
const unsigned full_mask = 0xffffffffu;

__device__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(full_mask, value, offset);
    return value;
}

/// The key holds the value in its high word and the position in its low word.
__device__ unsigned long long warp_maximum(unsigned long long key)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        unsigned long long other = __shfl_xor_sync(full_mask, key, offset);
        key = other > key ? other : key;
    }
    return key;
}

__global__ void reduce_shuffle(const float *in, float *sums, unsigned long long *maxima)
{
    __shared__ float warp_sums[block / 32];
    __shared__ unsigned long long warp_maxima[block / 32];
    unsigned i = blockIdx.x * block + threadIdx.x;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float value = in[i]; // not negative: its bits sort like an integer's
    float sum = warp_sum(value);
    unsigned long long key =
        warp_maximum((unsigned long long)__float_as_uint(value) << 32 | (full_mask - i));
    if (lane == 0) {
        warp_sums[warp] = sum;
        warp_maxima[warp] = key;
    }
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < block / 32 ? warp_sums[lane] : 0.0f);
        key = warp_maximum(lane < block / 32 ? warp_maxima[lane] : 0);
        if (lane == 0) {
            sums[blockIdx.x] = sum;
            maxima[blockIdx.x] = key;
        }
    }
}

int main()
{
    const int blocks = 264 * verify::size();
    verify::Program program("reduce_shuffle");
    std::vector<float> in = verify::random_floats(blocks * block, 5, 0.0f, 8.0f);
    verify::Buffer<float> device_in(in), device_sums(blocks);
    verify::Buffer<unsigned long long> device_maxima(blocks);

    reduce_shuffle<<<blocks, block>>>(device_in.data, device_sums.data, device_maxima.data);
    program.launched("reduce_shuffle");
    std::vector<float> sums = program.output("sum", device_sums);
    std::vector<unsigned long long> maxima = program.output("maximum", device_maxima);

    std::vector<double> want_sums(blocks, 0.0);
    std::vector<uint32_t> positions, want_positions;
    for (int b = 0; b < blocks; b++) {
        size_t best = (size_t)b * block;
        for (size_t i = best; i < (size_t)(b + 1) * block; i++) {
            want_sums[b] += in[i];
            if (in[i] > in[best])
                best = i;
        }
        want_positions.push_back((uint32_t)best);
        positions.push_back(full_mask - (uint32_t)maxima[b]);
    }
    program.close("sum", sums, want_sums, 1e-5, 0.0);
    program.equal("position of the maximum", positions, want_positions);
    return program.finish();
}
