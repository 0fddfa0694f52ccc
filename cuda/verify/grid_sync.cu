// All blocks of a grid meet, again and again: a cooperative launch with grid.sync().
//
// Shows a barrier over the whole grid between the steps of a game of life on a torus, instead of a
// launch per step. All blocks must be resident at once.
#include "verify.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

const int width = 128, height = 96, steps = 8;

__host__ __device__ static unsigned char next_state(const unsigned char *cells, int i)
{
    int x = i % width, y = i / width, count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                count += cells[(y + dy + height) % height * width + (x + dx + width) % width];
    return count == 3 || (count == 2 && cells[i]);
}

__global__ void grid_sync(unsigned char *a, unsigned char *b)
{
    cg::grid_group grid = cg::this_grid();
    for (int step = 0; step < steps; step++) {
        for (int i = (int)grid.thread_rank(); i < width * height; i += (int)grid.size())
            b[i] = next_state(a, i);
        unsigned char *other = a;
        a = b;
        b = other;
        grid.sync();
    }
}

int main()
{
    verify::Program program("grid_sync");
    std::vector<unsigned char> cells(width * height), next(cells.size());
    for (uint32_t i = 0; i < cells.size(); i++)
        cells[i] = verify::random_word(1, i) % 3 == 0;
    verify::Buffer<unsigned char> a(cells), b(cells.size());

    void *arguments[] = {&a.data, &b.data};
    verify::must(cudaLaunchCooperativeKernel(grid_sync, dim3(16), dim3(128), arguments, 0, 0),
                 "cudaLaunchCooperativeKernel");
    program.launched("grid_sync");

    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < width * height; i++)
            next[i] = next_state(cells.data(), i);
        cells.swap(next);
    }
    program.equal("cell", program.output("cells", a), cells);
    return program.finish();
}
