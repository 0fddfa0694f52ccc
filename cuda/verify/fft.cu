// Fourier transform of 256 complex values per block, radix 2, in shared memory.
//
// Shows bit reversal (BREV), sincospif, and butterflies whose stride halves from step to step.
#include "verify.h"

const int points = 256, bits = 8, block = points / 2;

__global__ void fft(const float2 *in, float2 *out)
{
    __shared__ float2 values[points];
    const float2 *mine = in + blockIdx.x * points;
    for (int i = threadIdx.x; i < points; i += block)
        values[__brev((unsigned)i) >> (32 - bits)] = mine[i];
    for (int half = 1; half < points; half *= 2) {
        __syncthreads();
        int k = threadIdx.x % half, i = 2 * (threadIdx.x - k) + k;
        float sine, cosine;
        sincospif(-(float)k / (float)half, &sine, &cosine);
        float2 a = values[i], b = values[i + half];
        float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        values[i] = make_float2(a.x + turned.x, a.y + turned.y);
        values[i + half] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += block)
        out[blockIdx.x * points + i] = values[i];
}

int main()
{
    const int blocks = 96 * verify::size();
    verify::Program program("fft");
    std::vector<float> words = verify::random_floats(2 * blocks * points, 1);
    std::vector<float2> in;
    for (size_t i = 0; i < words.size(); i += 2)
        in.push_back(make_float2(words[i], words[i + 1]));
    verify::Buffer<float2> from(in), to(in.size());

    fft<<<blocks, block>>>(from.data, to.data);
    program.launched("fft");

    std::vector<float> got;
    std::vector<double> want;
    std::vector<float2> output = program.output("spectrum", to);
    for (size_t i = 0; i < in.size(); i++) {
        double re = 0.0, im = 0.0;
        size_t base = i / points * points;
        for (size_t j = 0; j < points; j++) {
            double angle = -2.0 * 3.14159265358979 * (double)(i % points * j % points) / points;
            re += in[base + j].x * std::cos(angle) - in[base + j].y * std::sin(angle);
            im += in[base + j].x * std::sin(angle) + in[base + j].y * std::cos(angle);
        }
        got.insert(got.end(), {output[i].x, output[i].y});
        want.insert(want.end(), {re, im});
    }
    program.close("spectrum", got, want, 1e-5, 1e-4);
    return program.finish();
}
