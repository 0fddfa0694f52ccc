// Sum of integers, first way: a tree in shared memory whose active threads are multiples of 2^k.
//
// Shows the worst tree: every step leaves fewer lanes active in every warp, and banks conflict.
// The other four ways are in reduce_sequential, reduce_shuffle, reduce_atomic, reduce_last_block.
#include "verify.h"

const int block = 256;

__global__ void reduce_interleaved(const int *in, int *out)
{
    __shared__ int sums[block];
    int t = threadIdx.x;
    sums[t] = in[blockIdx.x * block + t];
    __syncthreads();
    for (int step = 1; step < block; step *= 2) {
        if (t % (2 * step) == 0)
            sums[t] += sums[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

int main()
{
    const int blocks = 528 * verify::size();
    verify::Program program("reduce_interleaved");
    std::vector<uint32_t> words = verify::random_words(blocks * block, 1, 1000);
    std::vector<int> in(words.begin(), words.end());
    verify::Buffer<int> device_in(in), device_out(blocks);

    reduce_interleaved<<<blocks, block>>>(device_in.data, device_out.data);
    program.launched("reduce_interleaved");

    std::vector<int> want(blocks, 0);
    for (size_t i = 0; i < in.size(); i++)
        want[i / block] += in[i];
    program.equal("sum", program.output("sum", device_out), want);
    return program.finish();
}
