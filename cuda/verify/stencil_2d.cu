// Heat flow on a plate: ten steps of a 5-point stencil, a tile with its border in shared memory.
//
// Shows loads of a border by some threads alone, and two buffers that change places.
#include "verify.h"

const int tile = 16;

__global__ void stencil_2d(const float *in, float *out, int width, int height)
{
    __shared__ float words[tile + 2][tile + 2];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    bool inside = x < width && y < height;
    int i = y * width + x;
    words[ty][tx] = inside ? in[i] : 0.0f;
    if (tx == 1)
        words[ty][0] = inside && x > 0 ? in[i - 1] : 0.0f;
    if (tx == tile)
        words[ty][tile + 1] = x + 1 < width && y < height ? in[i + 1] : 0.0f;
    if (ty == 1)
        words[0][tx] = inside && y > 0 ? in[i - width] : 0.0f;
    if (ty == tile)
        words[tile + 1][tx] = x < width && y + 1 < height ? in[i + width] : 0.0f;
    __syncthreads();
    if (inside) {
        float sides = words[ty][tx - 1] + words[ty][tx + 1] + words[ty - 1][tx] + words[ty + 1][tx];
        out[i] = 0.5f * words[ty][tx] + 0.125f * sides;
    }
}

static void step(const std::vector<double> &in, std::vector<double> &out, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int i = y * width + x;
            double sides = (x > 0 ? in[i - 1] : 0.0) + (x + 1 < width ? in[i + 1] : 0.0) +
                           (y > 0 ? in[i - width] : 0.0) + (y + 1 < height ? in[i + width] : 0.0);
            out[i] = 0.5 * in[i] + 0.125 * sides;
        }
}

int main()
{
    const int width = 250, height = 180 * verify::size(), steps = 10;
    const dim3 grid((width + tile - 1) / tile, (height + tile - 1) / tile), block(tile, tile);
    verify::Program program("stencil_2d");
    std::vector<float> in = verify::random_floats(width * height, 1, 0.0f, 100.0f);
    std::vector<double> want(in.begin(), in.end()), next(in.size());
    verify::Buffer<float> a(in), b(in.size());
    for (int i = 0; i < steps; i += 2) {
        stencil_2d<<<grid, block>>>(a.data, b.data, width, height);
        program.launched("stencil_2d");
        stencil_2d<<<grid, block>>>(b.data, a.data, width, height);
        program.launched("stencil_2d");
        step(want, next, width, height);
        step(next, want, width, height);
    }
    program.close("heat", program.output("heat", a), want, 1e-5, 1e-5);
    return program.finish();
}
