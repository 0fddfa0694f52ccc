// Inclusive prefix sums of 512 values per block, with log2(512) steps over all values.
//
// Shows a double buffer in shared memory: each step reads one half and writes the other.
#include "verify.h"

const int block = 512;

__global__ void scan_hillis_steele(const int *in, int *out)
{
    __shared__ int sums[2][block];
    int t = threadIdx.x, from = 0;
    sums[0][t] = in[blockIdx.x * block + t];
    __syncthreads();
    for (int step = 1; step < block; step *= 2) {
        int value = sums[from][t];
        if (t >= step)
            value += sums[from][t - step];
        sums[1 - from][t] = value;
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * block + t] = sums[from][t];
}

int main()
{
    const int blocks = 200;
    verify::Program program("scan_hillis_steele");
    std::vector<uint32_t> words = verify::random_words(blocks * block, 1, 100);
    std::vector<int> in(words.begin(), words.end());
    verify::Buffer<int> device_in(in), device_out(in.size());

    scan_hillis_steele<<<blocks, block>>>(device_in.data, device_out.data);
    program.launched("scan_hillis_steele");

    std::vector<int> want(in.size());
    for (size_t i = 0; i < in.size(); i++)
        want[i] = in[i] + (i % block ? want[i - 1] : 0);
    program.equal("prefix sum", program.output("sums", device_out), want);
    return program.finish();
}
