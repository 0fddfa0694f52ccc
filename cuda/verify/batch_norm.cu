// Batch normalisation of 64 channels of a batch of 32 images, 24 x 24: mean and variance of each
// channel by one block, then all values scaled; then the GELU of the result.
//
// Shows reductions over pieces of memory far apart, followed by a pass of the whole array.
#include "verify.h"

const int images = 32, channels = 64, pixels = 576, n = images * channels * pixels;

__global__ void statistics(const float *x, float *mean, float *scale)
{
    __shared__ float sums[16], squares[16];
    float sum = 0.0f, square = 0.0f;
    for (int image = 0; image < images; image++)
        for (int p = threadIdx.x; p < pixels; p += blockDim.x) {
            float value = x[(image * channels + blockIdx.x) * pixels + p];
            sum += value;
            square += value * value;
        }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        square += __shfl_xor_sync(0xffffffffu, square, offset);
    }
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
        squares[threadIdx.x / 32] = square;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) {
            sum += sums[w];
            square += squares[w];
        }
        float m = sum / (images * pixels);
        mean[blockIdx.x] = m;
        scale[blockIdx.x] = rsqrtf(square / (images * pixels) - m * m + 1e-5f);
    }
}

__global__ void normalise(const float *x, const float *mean, const float *scale, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, channel = i / pixels % channels;
    y[i] = (x[i] - mean[channel]) * scale[channel];
}

__global__ void gelu(const float4 *x, float4 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 q = x[i];
    float *v = &q.x;
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] *= 0.5f * (1.0f + erff(v[k] * 0.70710678f));
    y[i] = q;
}

int main()
{
    verify::Program program("batch_norm");
    std::vector<float> x = verify::random_floats(n, 1, -1.0f, 3.0f);
    std::vector<double> mean(channels, 0.0), square(channels, 0.0), want(n), want_gelu(n);
    for (int i = 0; i < n; i++) {
        mean[i / pixels % channels] += x[i] / (double)(images * pixels);
        square[i / pixels % channels] += (double)x[i] * x[i] / (images * pixels);
    }
    for (int i = 0; i < n; i++) {
        int c = i / pixels % channels;
        want[i] = (x[i] - mean[c]) / std::sqrt(square[c] - mean[c] * mean[c] + 1e-5);
        want_gelu[i] = want[i] * 0.5 * (1.0 + std::erf(want[i] * 0.70710678118654752));
    }
    verify::Buffer<float> a(x), b(n), device_mean(channels), scale(channels);
    statistics<<<channels, 512>>>(a.data, device_mean.data, scale.data);
    program.launched("statistics");
    program.close("mean", program.output("mean", device_mean), mean, 1e-4, 1e-4);
    normalise<<<n / 256, 256>>>(a.data, device_mean.data, scale.data, b.data);
    program.launched("normalise");
    program.close("y", program.output("y", b), want, 1e-3, 1e-3);
    gelu<<<n / 1024, 256>>>((float4 *)b.data, (float4 *)a.data);
    program.launched("gelu");
    program.close("gelu", program.output("gelu", a), want_gelu, 1e-3, 1e-3);
    return program.finish();
}
