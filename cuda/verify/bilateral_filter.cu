// Bilateral filter of a 512 x 128 image, radius 3: neighbours count less if they are far or differ
// in brightness.
//
// Shows 49 exponentials per pixel on special-function units, with loads that hit L1.
#include "verify.h"

const int width = 512, height = 128, radius = 3;

__host__ __device__ inline float smooth(const uint8_t *image, int x, int y)
{
    float sum = 0.0f, weights = 0.0f, here = image[y * width + x];
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            int u = x + dx, v = y + dy;
            u = u < 0 ? 0 : u >= width ? width - 1 : u;
            v = v < 0 ? 0 : v >= height ? height - 1 : v;
            float there = image[v * width + u], difference = there - here;
            float weight =
                expf(-0.08f * (float)(dx * dx + dy * dy) - 0.002f * difference * difference);
            sum += weight * there;
            weights += weight;
        }
    return sum / weights;
}

__global__ void bilateral_filter(const uint8_t *image, float *out)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[y * width + x] = smooth(image, x, y);
}

int main()
{
    verify::Program program("bilateral_filter");
    std::vector<uint8_t> image;
    for (int i = 0; i < width * height; i++)
        image.push_back((uint8_t)(i % width / 64 % 2 * 120 + verify::random_word(1, i) % 100));
    verify::Buffer<uint8_t> from(image);
    verify::Buffer<float> to(image.size());
    bilateral_filter<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(from.data, to.data);
    program.launched("bilateral_filter");
    std::vector<float> got = program.output("image", to), sample, want;
    for (int i = 0; i < width * height; i += 7) {
        sample.push_back(got[i]);
        want.push_back(smooth(image.data(), i % width, i / width));
    }
    program.close("pixel", sample, want, 1e-5, 1e-3);
    return program.finish();
}
