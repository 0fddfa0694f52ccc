// Median of 3 x 3 pixels by a network of minima and maxima, then edges of the result by the Sobel
// operator, on a 1024 x 512 image.
//
// Shows integer minima and maxima, byte loads from a tile in shared memory, and neighbours across
// tiles.
#include "verify.h"

const int width = 1024, height = 512;

__host__ __device__ inline int clamped(int value, int size)
{
    return value < 0 ? 0 : value >= size ? size - 1 : value;
}

__global__ void median(const uint8_t *image, uint8_t *out)
{
    __shared__ uint8_t tile[10][36];
    int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1, t = threadIdx.y * 32 + threadIdx.x;
    for (int k = t; k < 10 * 34; k += 256)
        tile[k / 34][k % 34] =
            image[clamped(y0 + k / 34, height) * width + clamped(x0 + k % 34, width)];
    __syncthreads();
    int v[9];
#pragma unroll
    for (int k = 0; k < 9; k++)
        v[k] = tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
#pragma unroll
    for (int end = 8; end >= 4; end--) // the largest of the rest goes to its place, five times
#pragma unroll
        for (int k = 0; k < end; k++) {
            int low = min(v[k], v[k + 1]);
            v[k + 1] = max(v[k], v[k + 1]);
            v[k] = low;
        }
    out[(y0 + 1 + threadIdx.y) * width + x0 + 1 + threadIdx.x] = (uint8_t)v[4];
}

__host__ __device__ inline int edge(const uint8_t *image, int x, int y)
{
    int p[3][3];
    for (int k = 0; k < 9; k++)
        p[k / 3][k % 3] =
            image[clamped(y + k / 3 - 1, height) * width + clamped(x + k % 3 - 1, width)];
    int across = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
    int down = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
    return (across < 0 ? -across : across) + (down < 0 ? -down : down);
}

__global__ void sobel(const uint8_t *image, uint16_t *out)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[y * width + x] = (uint16_t)edge(image, x, y);
}

int main()
{
    const dim3 blocks(width / 32, height / 8), block(32, 8);
    verify::Program program("median_filter");
    std::vector<uint8_t> image, middle(width * height);
    std::vector<uint16_t> edges;
    for (int i = 0; i < width * height; i++)
        image.push_back((uint8_t)((i % width) / 5 + verify::random_word(1, i) % 50));
    for (int i = 0; i < width * height; i++) {
        uint8_t v[9];
        for (int k = 0; k < 9; k++)
            v[k] = image[clamped(i / width + k / 3 - 1, height) * width +
                         clamped(i % width + k % 3 - 1, width)];
        std::nth_element(v, v + 4, v + 9);
        middle[i] = v[4];
    }
    for (int i = 0; i < width * height; i++)
        edges.push_back((uint16_t)edge(middle.data(), i % width, i / width));
    verify::Buffer<uint8_t> a(image), b(image.size());
    verify::Buffer<uint16_t> c(image.size());
    median<<<blocks, block>>>(a.data, b.data);
    program.launched("median");
    program.equal("median", program.output("medians", b), middle);
    sobel<<<blocks, block>>>(b.data, c.data);
    program.launched("sobel");
    program.equal("edge", program.output("edges", c), edges);
    return program.finish();
}
