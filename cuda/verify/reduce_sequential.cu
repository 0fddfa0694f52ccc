// Sum of floats, second way: a tree in shared memory whose active threads are the first 2^k.
//
// Shows the cure for reduce_interleaved: whole warps fall idle, and neighbours read neighbours.
// Each thread first adds two values, and the last warp needs no block-wide barrier.
#include "verify.h"

const int block = 256;

__global__ void reduce_sequential(const float *in, float *out)
{
    __shared__ float sums[block];
    int t = threadIdx.x;
    const float *mine = in + blockIdx.x * 2 * block;
    sums[t] = mine[t] + mine[t + block];
    __syncthreads();
    for (int half = block / 2; half >= 32; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t < 32) {
        for (int half = 16; half > 0; half /= 2) {
            float other = sums[t + half];
            __syncwarp();
            sums[t] += other;
            __syncwarp();
        }
        if (t == 0)
            out[blockIdx.x] = sums[0];
    }
}

int main()
{
    const int blocks = 264 * verify::size();
    verify::Program program("reduce_sequential");
    std::vector<float> in = verify::random_floats(blocks * 2 * block, 3);
    verify::Buffer<float> device_in(in), device_out(blocks);

    reduce_sequential<<<blocks, block>>>(device_in.data, device_out.data);
    program.launched("reduce_sequential");

    std::vector<double> want(blocks, 0.0);
    for (size_t i = 0; i < in.size(); i++)
        want[i / (2 * block)] += in[i];
    program.close("sum", program.output("sum", device_out), want, 1e-5, 1e-4);
    return program.finish();
}
