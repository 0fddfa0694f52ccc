// Applies 32 filters of 33 taps to a signal: the taps are in constant memory, and all warps go
// through them in the same order.
//
// Shows 4 KB of constants as operands of FFMA, read by all warps at about the same time.
#include "verify.h"

const int filters = 32, taps = 33;
__constant__ float bank[filters][taps];

__global__ void filter_bank(const float *signal, float *energy)
{
    __shared__ float near[128 + taps - 1];
    int first = blockIdx.x * 128;
    for (int k = threadIdx.x; k < 128 + taps - 1; k += 128)
        near[k] = signal[first + k];
    __syncthreads();
    float mine[taps], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < taps; k++)
        mine[k] = near[threadIdx.x + k];
    for (int f = 0; f < filters; f++) {
        float value = 0.0f;
#pragma unroll
        for (int k = 0; k < taps; k++)
            value += bank[f][k] * mine[k];
        sum += value * value;
    }
    energy[first + threadIdx.x] = sum;
}

int main()
{
    const int n = 128 * 528;
    verify::Program program("filter_bank");
    std::vector<float> signal = verify::random_floats(n + taps - 1, 1);
    std::vector<float> coefficients = verify::random_floats(filters * taps, 2), want;
    verify::must(cudaMemcpyToSymbol(bank, coefficients.data(), coefficients.size() * 4),
                 "cudaMemcpyToSymbol");
    verify::Buffer<float> from(signal), energy(n);
    filter_bank<<<n / 128, 128>>>(from.data, energy.data);
    program.launched("filter_bank");
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int f = 0; f < filters; f++) {
            double value = 0.0;
            for (int k = 0; k < taps; k++)
                value += (double)coefficients[f * taps + k] * signal[i + k];
            sum += value * value;
        }
        want.push_back((float)sum);
    }
    program.close("energy", program.output("energy", energy), want, 1e-5, 1e-4);
    return program.finish();
}
