// A matrix of 8-bit integers times a vector, four products per instruction (__dp4a), and the result
// scaled back to 8 bits with saturation.
//
// Shows IDP, signed and unsigned, conversions with saturation, and byte permutation.
#include "verify.h"

__global__ void dot_int8(const int *matrix, const int *x, int *sums, int quads)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y, sum = 0;
    for (int i = threadIdx.x; i < quads; i += 32)
        sum = __dp4a(matrix[row * quads + i], x[i], sum);
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0)
        sums[row] = sum;
}

/// Four sums become four bytes; `squares` gets the sum of their squares as unsigned bytes.
__global__ void quantise(const int *sums, unsigned *bytes, unsigned *squares, int quads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads)
        return;
    unsigned packed = 0;
    for (int k = 0; k < 4; k++) {
        int scaled = sums[4 * i + k] >> 10;
        scaled = min(max(scaled, -128), 127);
        packed = __byte_perm(packed, (unsigned)scaled, 0x4321); // shifts in from above
    }
    bytes[i] = packed;
    squares[i] = __dp4a(packed, packed, 0u);
}

int main()
{
    const int rows = 1024 * verify::size(), quads = 96;
    verify::Program program("dot_int8");
    std::vector<uint32_t> words = verify::random_words((rows + 1) * quads, 1);
    std::vector<int> matrix(words.begin(), words.begin() + rows * quads);
    std::vector<int> x(words.begin() + rows * quads, words.end());
    verify::Buffer<int> device_matrix(matrix), device_x(x), sums(rows);
    verify::Buffer<unsigned> bytes(rows / 4), squares(rows / 4);

    dot_int8<<<rows / 4, dim3(32, 4)>>>(device_matrix.data, device_x.data, sums.data, quads);
    program.launched("dot_int8");
    std::vector<int> got = program.output("sums", sums);
    quantise<<<rows / 4 / 64, 64>>>(sums.data, bytes.data, squares.data, rows / 4);
    program.launched("quantise");

    std::vector<int> want(rows, 0);
    std::vector<unsigned> want_bytes(rows / 4, 0), want_squares(rows / 4, 0);
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < 4 * quads; i++)
            want[row] += (int8_t)(matrix[row * quads + i / 4] >> 8 * (i % 4)) *
                         (int8_t)(x[i / 4] >> 8 * (i % 4));
        int scaled = std::min(std::max(want[row] >> 10, -128), 127);
        want_bytes[row / 4] |= ((unsigned)scaled & 255) << 8 * (row % 4);
        want_squares[row / 4] += ((unsigned)scaled & 255) * ((unsigned)scaled & 255);
    }
    program.equal("sum", got, want);
    program.equal("byte", program.output("bytes", bytes), want_bytes);
    program.equal("square", program.output("squares", squares), want_squares);
    return program.finish();
}
