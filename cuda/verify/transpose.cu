// Transposes a matrix four ways: plainly, through a tile in shared memory whose columns lie in one
// bank, through a padded tile, and through a tile whose words are swapped by XOR.
//
// Shows scattered stores against coalesced ones, 32-way bank conflicts, and two cures for them.
#include "verify.h"

const int tile = 32, rows = 8; // a block of 32 x 8 threads makes 32 x 32 elements

__global__ void transpose_plain(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows)
        out[x * height + y + j] = in[(y + j) * width + x];
}

/// `pad` words after each row of the tile.
template <int pad>
__global__ void transpose_tile(const float *in, float *out, int width, int height)
{
    __shared__ float words[tile][tile + pad];
    int x = threadIdx.x, y = threadIdx.y, x0 = blockIdx.x * tile, y0 = blockIdx.y * tile;
    for (int j = 0; j < tile; j += rows)
        words[y + j][x] = in[(y0 + y + j) * width + x0 + x];
    __syncthreads();
    for (int j = 0; j < tile; j += rows)
        out[(x0 + y + j) * height + y0 + x] = words[x][y + j];
}

__global__ void transpose_swizzled(const float *in, float *out, int width, int height)
{
    __shared__ float words[tile][tile];
    int x = threadIdx.x, y = threadIdx.y, x0 = blockIdx.x * tile, y0 = blockIdx.y * tile;
    for (int j = 0; j < tile; j += rows)
        words[y + j][x ^ (y + j)] = in[(y0 + y + j) * width + x0 + x];
    __syncthreads();
    for (int j = 0; j < tile; j += rows)
        out[(x0 + y + j) * height + y0 + x] = words[x][x ^ (y + j)];
}

int main()
{
    const int width = 512, height = 256 * verify::size();
    const dim3 grid(width / tile, height / tile), block(tile, rows);
    verify::Program program("transpose");
    std::vector<float> in = verify::random_floats(width * height, 1), want(in.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            want[x * height + y] = in[y * width + x];
    verify::Buffer<float> from(in), to_a(in.size()), to_b(in.size()), to_c(in.size()),
        to_d(in.size());

    transpose_plain<<<grid, block>>>(from.data, to_a.data, width, height);
    program.launched("transpose_plain");
    program.equal("plain", program.output("out", to_a), want);
    transpose_tile<0><<<grid, block>>>(from.data, to_b.data, width, height);
    program.launched("transpose_tile<0>");
    program.equal("tile", program.output("out", to_b), want);
    transpose_tile<1><<<grid, block>>>(from.data, to_c.data, width, height);
    program.launched("transpose_tile<1>");
    program.equal("padded", program.output("out", to_c), want);
    transpose_swizzled<<<grid, block>>>(from.data, to_d.data, width, height);
    program.launched("transpose_swizzled");
    program.equal("swizzled", program.output("out", to_d), want);
    return program.finish();
}
