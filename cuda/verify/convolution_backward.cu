// Gradient of a 3 x 3 convolution's weights: 16 input and 16 output channels, 4 images of 32 x 32.
// A block sums the products of one pair of channels over all pixels.
//
// Shows nine sums per thread over shifted images, and a reduction at the end of each.
#include "verify.h"

const int channels = 16, images = 4, side = 32, pixels = side * side;

__global__ void convolution_backward(const float *in, const float *gradient, float *weights)
{
    __shared__ float parts[8][9];
    int from = blockIdx.x, to = blockIdx.y;
    float sum[9] = {};
    for (int image = 0; image < images; image++) {
        const float *x = in + (image * channels + from) * pixels;
        const float *g = gradient + (image * channels + to) * pixels;
        for (int p = threadIdx.x; p < pixels; p += blockDim.x) {
            float value = g[p];
            int column = p % side, row = p / side;
#pragma unroll
            for (int k = 0; k < 9; k++) {
                int u = column + k % 3 - 1, v = row + k / 3 - 1;
                if (u >= 0 && u < side && v >= 0 && v < side)
                    sum[k] += value * x[v * side + u];
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 9; k++) {
        for (int offset = 16; offset > 0; offset /= 2)
            sum[k] += __shfl_xor_sync(0xffffffffu, sum[k], offset);
        if (threadIdx.x % 32 == 0)
            parts[threadIdx.x / 32][k] = sum[k];
    }
    __syncthreads();
    if (threadIdx.x < 9) {
        float all = 0.0f;
        for (int w = 0; w < 8; w++)
            all += parts[w][threadIdx.x];
        weights[(to * channels + from) * 9 + threadIdx.x] = all;
    }
}

int main()
{
    verify::Program program("convolution_backward");
    std::vector<float> in = verify::random_floats(images * channels * pixels, 1);
    std::vector<float> gradient = verify::random_floats(in.size(), 2);
    std::vector<double> want(channels * channels * 9, 0.0);
    for (size_t i = 0; i < want.size(); i++)
        for (int q = 0; q < images * pixels; q++) {
            int image = q / pixels, u = q % side + (int)i % 3 - 1;
            int v = q % pixels / side + (int)i % 9 / 3 - 1;
            if (u >= 0 && u < side && v >= 0 && v < side)
                want[i] +=
                    (double)in[(image * channels + i / 9 % channels) * pixels + v * side + u] *
                    gradient[(image * channels + i / 9 / channels) * pixels + q % pixels];
        }
    verify::Buffer<float> x(in), g(gradient), weights(want.size());
    convolution_backward<<<dim3(channels, channels), 256>>>(x.data, g.data, weights.data);
    program.launched("convolution_backward");
    program.close("weight", program.output("weights", weights), want, 1e-4, 1e-3);
    return program.finish();
}
