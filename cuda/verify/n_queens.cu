// Counts the placements of 11 queens that do not attack each other: each thread starts from three
// queens and goes on with a stack of its own.
//
// Shows a search with backtracking: short loops that lanes leave at different times, bit
// operations, and a small stack in local memory.
#include "verify.h"

const int queens = 11;
const unsigned full = (1u << queens) - 1;

/// Solutions with the first three queens in the columns that `start` says.
__host__ __device__ inline unsigned count_from(unsigned start)
{
    unsigned columns = 0, left = 0, right = 0, found = 0;
    for (int row = 0; row < 3; row++, start /= queens) {
        unsigned bit = 1u << start % queens;
        if ((columns | left | right) & bit)
            return 0;
        columns |= bit;
        left = (left | bit) << 1;
        right = (right | bit) >> 1;
    }
    uint4 stack[queens]; // columns, left, right, places not tried yet
    int depth = 0;
    stack[0] = make_uint4(columns, left, right, full & ~(columns | left | right));
    while (depth >= 0) {
        uint4 &top = stack[depth];
        if (top.w == 0) {
            depth--;
            continue;
        }
        unsigned bit = top.w & -top.w;
        top.w ^= bit;
        columns = top.x | bit, left = (top.y | bit) << 1, right = (top.z | bit) >> 1;
        if (columns == full)
            found++;
        else
            stack[++depth] = make_uint4(columns, left, right, full & ~(columns | left | right));
    }
    return found;
}

__global__ void n_queens(unsigned *counts, unsigned starts)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < starts)
        counts[i] = count_from(i);
}

int main()
{
    const unsigned starts = queens * queens * queens;
    verify::Program program("n_queens");
    verify::Buffer<unsigned> counts(starts);
    n_queens<<<(starts + 63) / 64, 64>>>(counts.data, starts);
    program.launched("n_queens");
    std::vector<unsigned> got = program.output("counts", counts), want;
    unsigned sum = 0;
    for (unsigned i = 0; i < starts; i++) {
        want.push_back(count_from(i));
        sum += got[i];
    }
    program.equal("count", got, want);
    program.holds("2680 solutions", sum == 2680);
    return program.finish();
}
