// Layer normalisation of rows, one warp per row, with mean and variance in one pass (Welford).
//
// Shows a merge of three values per step by shuffles, and rsqrtf.
#include "verify.h"

const unsigned full_mask = 0xffffffffu;

struct Moments {
    float count, mean, squares;
};

__device__ Moments merge(Moments a, Moments b)
{
    float count = a.count + b.count, difference = b.mean - a.mean;
    if (count == 0.0f)
        return a;
    float share = b.count / count;
    return {count, a.mean + difference * share,
            a.squares + b.squares + difference * difference * a.count * share};
}

__global__ void layer_norm(const float *in, const float *scale, const float *shift, float *out,
                           int rows, int columns)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows)
        return;
    Moments mine = {0.0f, 0.0f, 0.0f};
    for (int i = lane; i < columns; i += 32)
        mine = merge(mine, {1.0f, in[row * columns + i], 0.0f});
    for (int offset = 16; offset > 0; offset /= 2) {
        Moments other = {__shfl_xor_sync(full_mask, mine.count, offset),
                         __shfl_xor_sync(full_mask, mine.mean, offset),
                         __shfl_xor_sync(full_mask, mine.squares, offset)};
        mine = merge(mine, other);
    }
    float inverse = rsqrtf(mine.squares / mine.count + 1e-5f);
    for (int i = lane; i < columns; i += 32)
        out[row * columns + i] =
            (in[row * columns + i] - mine.mean) * inverse * scale[i] + shift[i];
}

int main()
{
    const int rows = 1001 * verify::size(), columns = 200;
    verify::Program program("layer_norm");
    std::vector<float> in = verify::random_floats(rows * columns, 1, -2.0f, 5.0f);
    std::vector<float> scale = verify::random_floats(columns, 2);
    std::vector<float> shift = verify::random_floats(columns, 3);
    verify::Buffer<float> from(in), device_scale(scale), device_shift(shift), to(in.size());

    layer_norm<<<(rows + 3) / 4, dim3(32, 4)>>>(from.data, device_scale.data, device_shift.data,
                                                to.data, rows, columns);
    program.launched("layer_norm");

    std::vector<double> want;
    for (int r = 0; r < rows; r++) {
        double mean = 0.0, variance = 0.0;
        for (int c = 0; c < columns; c++)
            mean += in[r * columns + c] / (double)columns;
        for (int c = 0; c < columns; c++)
            variance += std::pow(in[r * columns + c] - mean, 2.0) / columns;
        for (int c = 0; c < columns; c++)
            want.push_back((in[r * columns + c] - mean) / std::sqrt(variance + 1e-5) * scale[c] +
                           shift[c]);
    }
    program.close("out", program.output("out", to), want, 1e-4, 1e-4);
    return program.finish();
}
