// Convolution of an image with a 5 x 5 filter in constant memory, borders clamped.
//
// Shows __constant__ data that all lanes read at once, clamped addresses, and full unrolling.
#include "verify.h"

const int radius = 2, size = 2 * radius + 1;

__constant__ float filter[size * size];

__global__ void convolution(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            int xx = min(max(x + i, 0), width - 1), yy = min(max(y + j, 0), height - 1);
            sum += filter[(j + radius) * size + i + radius] * in[yy * width + xx];
        }
    out[y * width + x] = sum;
}

int main()
{
    const int width = 300, height = 200 * verify::size();
    verify::Program program("convolution");
    std::vector<float> in = verify::random_floats(width * height, 1);
    std::vector<float> weights = verify::random_floats(size * size, 2);
    verify::Buffer<float> from(in), to(in.size());
    verify::must(cudaMemcpyToSymbol(filter, weights.data(), sizeof filter), "cudaMemcpyToSymbol");

    convolution<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(from.data, to.data,
                                                                            width, height);
    program.launched("convolution");

    std::vector<double> want(in.size(), 0.0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int j = -radius; j <= radius; j++)
                for (int i = -radius; i <= radius; i++) {
                    int xx = std::min(std::max(x + i, 0), width - 1);
                    int yy = std::min(std::max(y + j, 0), height - 1);
                    want[y * width + x] +=
                        (double)weights[(j + radius) * size + i + radius] * in[yy * width + xx];
                }
    program.close("out", program.output("out", to), want, 1e-5, 1e-5);
    return program.finish();
}
