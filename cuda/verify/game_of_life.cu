// Four generations of the Game of Life on a torus of 2048 x 1024 cells, 32 cells in a word.
//
// Shows bit operations: sums of eight neighbours by adders on whole words (LOP3), and small
// launches.
#include "verify.h"

const int width = 64, height = 1024; // in words, in rows

/// The next generation of 32 cells out of nine words.
__host__ __device__ inline uint32_t next(const uint32_t *grid, int x, int y)
{
    uint32_t ones = 0, twos = 0, fours = 0, middle = grid[y * width + x];
    for (int dy = -1; dy <= 1; dy++) {
        const uint32_t *row = grid + (y + dy + height) % height * width;
        uint32_t here = row[x], left = row[(x + width - 1) % width], right = row[(x + 1) % width];
        const uint32_t neighbours[3] = {here << 1 | left >> 31, here >> 1 | right << 31,
                                        dy ? here : 0};
        for (uint32_t cells : neighbours) {
            uint32_t carry = ones & cells;
            ones ^= cells;
            fours |= twos & carry; // 4 to 7, and more: it does not matter which
            twos ^= carry;
        }
    }
    return ~fours & twos & (ones | middle);
}

__global__ void game_of_life(const uint32_t *from, uint32_t *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = next(from, i % width, i / width);
}

int main()
{
    verify::Program program("game_of_life");
    std::vector<uint32_t> grid = verify::random_words(width * height, 1), after(grid.size());
    verify::Buffer<uint32_t> a(grid), b(grid.size()), *from = &a, *to = &b;
    for (int g = 0; g < 4; g++) {
        game_of_life<<<width * height / 128, 128>>>(from->data, to->data);
        program.launched("game_of_life");
        std::swap(from, to);
        for (int i = 0; i < width * height; i++)
            after[i] = next(grid.data(), i % width, i / width);
        grid.swap(after);
        program.equal("cells", program.output("cells", *from), grid);
    }
    return program.finish();
}
