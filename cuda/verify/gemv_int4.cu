// A matrix of 4-bit weights (2048 x 2048, one scale for 64 of them) times a vector of floats: one
// warp per row, as for a single token of a language model.
//
// Shows eight weights in a word: shifts, masks and conversions, with 16 bytes of weights per load.
#include "verify.h"

const int size = 2048, group = 64;

__global__ void gemv_int4(const uint4 *weights, const float *scales, const float *x, float *y)
{
    __shared__ float vector[size];
    for (int k = threadIdx.x; k < size; k += blockDim.x)
        vector[k] = x[k];
    __syncthreads();
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int k = lane; k < size / 32; k += 32) {
        uint4 q = weights[row * (size / 32) + k];
        const unsigned word[4] = {q.x, q.y, q.z, q.w};
        float part = 0.0f;
#pragma unroll
        for (int w = 0; w < 4; w++)
#pragma unroll
            for (int b = 0; b < 8; b++)
                part += (float)((int)(word[w] >> 4 * b & 15) - 8) * vector[k * 32 + w * 8 + b];
        sum += part * scales[row * (size / group) + k / 2];
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

int main()
{
    verify::Program program("gemv_int4");
    std::vector<uint32_t> weights = verify::random_words(size * size / 8, 1);
    std::vector<float> scales = verify::random_floats(size * size / group, 2, 0.01f, 0.1f);
    std::vector<float> x = verify::random_floats(size, 3);
    std::vector<double> want(size, 0.0);
    for (int i = 0; i < size * size; i++)
        want[i / size] += ((int)(weights[i / 8] >> 4 * (i % 8) & 15) - 8) * (double)x[i % size] *
                          scales[i / group];
    verify::Buffer<uint32_t> device_weights(weights);
    verify::Buffer<float> device_scales(scales), device_x(x), y(size);
    gemv_int4<<<size / 8, 256>>>((uint4 *)device_weights.data, device_scales.data, device_x.data,
                                 y.data);
    program.launched("gemv_int4");
    program.close("y", program.output("y", y), want, 1e-4, 1e-3);
    return program.finish();
}
