// y = a x + y over 327680 elements, shared out over 40 to 2560 blocks.
//
// Shows lesson 10 of docs/lessons: few fat blocks with many rounds, or many thin ones with one.
#include "verify.h"

__global__ void grid_stride(const float *x, float *y, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

int main()
{
    const int n = 2560 * 128;
    verify::Program program("grid_stride");
    std::vector<uint32_t> words = verify::random_words(2 * n, 1, 1000);
    std::vector<float> x(words.begin(), words.begin() + n), y(words.begin() + n, words.end());
    std::vector<float> want;
    for (int i = 0; i < n; i++)
        want.push_back(3.0f * x[i] + y[i]); // small integers: exact
    verify::Buffer<float> device_x(x);
    for (int blocks : {40, 160, 320, 640, 2560}) {
        verify::Buffer<float> device_y(y);
        grid_stride<<<blocks, 128>>>(device_x.data, device_y.data, 3.0f, n);
        program.launched("grid_stride");
        program.equal("y", program.output("y", device_y), want);
    }
    return program.finish();
}
