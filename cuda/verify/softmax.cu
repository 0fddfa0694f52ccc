// Softmax of the rows of a matrix, one block per row: maximum, sum of exponentials, division.
//
// Shows two reductions in a row, expf, and a division by one value for all lanes.
#include "verify.h"

const int block = 128, warps = block / 32;

/// The sum or maximum over the block, in every thread.
template <bool sum> __device__ float all_reduce(float value, float *scratch)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, value, offset);
        value = sum ? value + other : fmaxf(value, other);
    }
    __syncthreads(); // scratch may still be read
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = value;
    __syncthreads();
    value = scratch[0];
    for (int w = 1; w < warps; w++)
        value = sum ? value + scratch[w] : fmaxf(value, scratch[w]);
    return value;
}

__global__ void softmax(const float *in, float *out, int columns)
{
    __shared__ float scratch[warps];
    const float *row = in + blockIdx.x * columns;
    float highest = -INFINITY, sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += block)
        highest = fmaxf(highest, row[i]);
    highest = all_reduce<false>(highest, scratch);
    for (int i = threadIdx.x; i < columns; i += block)
        sum += expf(row[i] - highest);
    sum = all_reduce<true>(sum, scratch);
    for (int i = threadIdx.x; i < columns; i += block)
        out[blockIdx.x * columns + i] = expf(row[i] - highest) / sum;
}

int main()
{
    const int rows = 300 * verify::size(), columns = 500;
    verify::Program program("softmax");
    std::vector<float> in = verify::random_floats(rows * columns, 1, -8.0f, 8.0f);
    verify::Buffer<float> from(in), to(in.size());

    softmax<<<rows, block>>>(from.data, to.data, columns);
    program.launched("softmax");

    std::vector<double> want;
    for (int r = 0; r < rows; r++) {
        double sum = 0.0;
        for (int c = 0; c < columns; c++)
            sum += std::exp((double)in[r * columns + c]);
        for (int c = 0; c < columns; c++)
            want.push_back(std::exp((double)in[r * columns + c]) / sum);
    }
    program.close("out", program.output("out", to), want, 1e-5, 1e-9);
    return program.finish();
}
