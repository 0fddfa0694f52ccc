// Solves one Sudoku per thread by depth-first search, with masks of the digits in use in local
// arrays.
//
// Shows long searches of very different length in the lanes of a warp, and byte arrays that are
// indexed at run time.
#include "verify.h"

__host__ __device__ inline void flip(uint16_t *used, int cell, int digit)
{
    used[cell / 9] ^= 1 << digit;
    used[9 + cell % 9] ^= 1 << digit;
    used[18 + cell / 27 * 3 + cell % 9 / 3] ^= 1 << digit;
}

/// Fills the free cells (0) of `board`. Returns the number of steps.
__host__ __device__ inline int solve(uint8_t *board)
{
    uint16_t used[27] = {};
    uint8_t cells[81];
    int free_cells = 0, steps = 0;
    for (int c = 0; c < 81; c++)
        if (board[c])
            flip(used, c, board[c]);
        else
            cells[free_cells++] = (uint8_t)c;
    for (int at = 0; at >= 0 && at < free_cells; steps++) {
        int c = cells[at], digit = board[c];
        if (digit)
            flip(used, c, digit);
        int taken = used[c / 9] | used[9 + c % 9] | used[18 + c / 27 * 3 + c % 9 / 3];
        for (digit++; digit <= 9 && taken >> digit & 1; digit++)
            ;
        board[c] = (uint8_t)(digit <= 9 ? digit : 0);
        if (digit <= 9)
            flip(used, c, digit);
        at += digit <= 9 ? 1 : -1;
    }
    return steps;
}

__global__ void sudoku(uint8_t *boards, int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint8_t board[81];
    for (int c = 0; c < 81; c++)
        board[c] = boards[c * n + i];
    steps[i] = solve(board);
    for (int c = 0; c < 81; c++)
        boards[c * n + i] = board[c];
}

int main()
{
    const int n = 2112;
    verify::Program program("sudoku");
    std::vector<uint8_t> boards(81 * n), want(81 * n);
    std::vector<int> want_steps;
    for (int i = 0; i < n; i++) {
        uint8_t board[81];
        for (int c = 0; c < 81; c++) { // a full board with its digits renamed, then 36 cells freed
            int row = c / 9, digit = (row * 3 + row / 3 + c % 9 + i) % 9;
            board[c] = (uint8_t)((digit * 2 + i / 9) % 9 + 1);
        }
        for (int k = 0; k < 36; k++)
            board[verify::random_word(i, k) % 81] = 0;
        for (int c = 0; c < 81; c++)
            boards[c * n + i] = board[c];
        want_steps.push_back(solve(board));
        for (int c = 0; c < 81; c++)
            want[c * n + i] = board[c];
    }
    verify::Buffer<uint8_t> device_boards(boards);
    verify::Buffer<int> steps(n);
    sudoku<<<n / 32, 32>>>(device_boards.data, steps.data, n);
    program.launched("sudoku");
    program.equal("digit", program.output("boards", device_boards), want);
    program.equal("steps", program.output("steps", steps), want_steps);
    return program.finish();
}
