// One step of an LSTM for a batch of 16, 256 units: a block computes the four gates of 8 units,
// then sigmoids and hyperbolic tangents.
//
// Shows a matrix that is read once for a small batch, and tanh and exp at the end.
#include "verify.h"

const int units = 256, batch = 16;

__global__ void lstm_cell(const float *weights, const float *x, const float *h, const float *c,
                          float *new_h, float *new_c)
{
    __shared__ float gate[4][8][batch];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * 8;
    for (int g = 0; g < 4; g++) {
        const float *row = weights + (size_t)(g * units + first + warp) * 2 * units;
        float sums[batch] = {};
        for (int k = lane; k < 2 * units; k += 32) {
            float w = row[k];
#pragma unroll
            for (int b = 0; b < batch; b++)
                sums[b] += w * (k < units ? x[b * units + k] : h[b * units + k - units]);
        }
#pragma unroll
        for (int b = 0; b < batch; b++) {
            for (int offset = 16; offset > 0; offset /= 2)
                sums[b] += __shfl_xor_sync(0xffffffffu, sums[b], offset);
            if (lane == b)
                gate[g][warp][b] = sums[b];
        }
    }
    __syncthreads();
    if (threadIdx.x < 8 * batch) {
        int unit = threadIdx.x % 8, b = threadIdx.x / 8, at = b * units + first + unit;
        float in = 1.0f / (1.0f + expf(-gate[0][unit][b]));
        float forget = 1.0f / (1.0f + expf(-gate[1][unit][b]));
        float out = 1.0f / (1.0f + expf(-gate[2][unit][b]));
        new_c[at] = forget * c[at] + in * tanhf(gate[3][unit][b]);
        new_h[at] = out * tanhf(new_c[at]);
    }
}

int main()
{
    const int n = batch * units;
    verify::Program program("lstm_cell");
    std::vector<float> weights = verify::random_floats(4 * units * 2 * units, 1, -0.1f, 0.1f);
    std::vector<float> x = verify::random_floats(n, 2), h = verify::random_floats(n, 3);
    std::vector<float> c = verify::random_floats(n, 4);
    std::vector<double> want_h(n), want_c(n);
    for (int i = 0; i < n; i++) {
        int b = i / units, unit = i % units;
        double gate[4] = {};
        for (int g = 0; g < 4; g++)
            for (int k = 0; k < 2 * units; k++)
                gate[g] += (double)weights[(g * units + unit) * 2 * units + k] *
                           (k < units ? x[b * units + k] : h[b * units + k - units]);
        want_c[i] =
            c[i] / (1.0 + std::exp(-gate[1])) + std::tanh(gate[3]) / (1.0 + std::exp(-gate[0]));
        want_h[i] = std::tanh(want_c[i]) / (1.0 + std::exp(-gate[2]));
    }
    verify::Buffer<float> device_weights(weights), device_x(x), device_h(h), device_c(c);
    verify::Buffer<float> new_h(n), new_c(n);
    lstm_cell<<<units / 8, 256>>>(device_weights.data, device_x.data, device_h.data, device_c.data,
                                  new_h.data, new_c.data);
    program.launched("lstm_cell");
    program.close("h", program.output("h", new_h), want_h, 1e-5, 1e-5);
    program.close("c", program.output("c", new_c), want_c, 1e-5, 1e-5);
    return program.finish();
}
