// Sum, fifth way, in one launch: the block that finishes last adds up what the others have left.
//
// Shows a ticket counter with __threadfence, and a choice that is uniform in a block but known only
// at run time. The order of the final sum is fixed, so that the result is too.
#include "verify.h"

const int block = 256;

__device__ unsigned tickets;

__device__ float block_sum(float value, float *scratch)
{
    int t = threadIdx.x;
    scratch[t] = value;
    __syncthreads();
    for (int half = block / 2; half > 0; half /= 2) {
        if (t < half)
            scratch[t] += scratch[t + half];
        __syncthreads();
    }
    return scratch[0];
}

__global__ void reduce_last_block(const float *in, int n, volatile float *partial, float *out)
{
    __shared__ float scratch[block];
    __shared__ bool last;
    float mine = 0.0f;
    for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block)
        mine += in[i];
    float sum = block_sum(mine, scratch);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    mine = 0.0f;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += block)
        mine += partial[i];
    sum = block_sum(mine, scratch);
    if (threadIdx.x == 0)
        *out = sum;
}

int main()
{
    const int n = 300000 * verify::size(), blocks = 400;
    verify::Program program("reduce_last_block");
    std::vector<float> in = verify::random_floats(n, 11, 0.0f, 1.0f);
    verify::Buffer<float> device_in(in), device_partial(blocks), device_out(1);

    reduce_last_block<<<blocks, block>>>(device_in.data, n, device_partial.data, device_out.data);
    program.launched("reduce_last_block");
    program.output("partial", device_partial);

    double want = 0.0;
    for (float value : in)
        want += value;
    program.close("sum", program.output("sum", device_out), std::vector<double>{want}, 1e-5, 0.0);
    return program.finish();
}
