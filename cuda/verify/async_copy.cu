// A moving average over a long array, with tiles copied into shared memory while others are summed.
//
// Shows cp.async (LDGSTS) with two groups in flight on compute capability 8.0 and later; before
// that the same intrinsics are plain loads and stores.
#include "verify.h"

#include <cuda_pipeline.h>

const int block = 128, window = 8, tiles = 6; // tiles of `block` elements for each thread block

__device__ void fetch(float *to, const float *from, int tile)
{
    __pipeline_memcpy_async(&to[threadIdx.x], &from[tile * block + threadIdx.x], sizeof(float));
    __pipeline_commit();
}

__global__ void async_copy(const float *in, float *out)
{
    __shared__ float ring[3][block]; // the tile in use, the one after it, the one being fetched
    const float *mine = in + blockIdx.x * tiles * block;
    float *result = out + blockIdx.x * tiles * block;
    fetch(ring[0], mine, 0);
    fetch(ring[1], mine, 1);
    for (int tile = 0; tile < tiles; tile++) {
        fetch(ring[(tile + 2) % 3], mine, tile + 2); // the array has two tiles more
        __pipeline_wait_prior(1);
        __syncthreads();
        float sum = 0.0f;
        for (int k = 0; k < window; k++) {
            int i = threadIdx.x + k;
            sum += i < block ? ring[tile % 3][i] : ring[(tile + 1) % 3][i - block];
        }
        result[tile * block + threadIdx.x] = sum / window;
        __syncthreads();
    }
    __pipeline_wait_prior(0);
}

int main()
{
    const int blocks = 100 * verify::size(), n = blocks * tiles * block;
    verify::Program program("async_copy");
    std::vector<uint32_t> words = verify::random_words(n + 2 * block, 1, 1000);
    std::vector<float> in(words.begin(), words.end()), want(n, 0.0f);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < window; k++)
            want[i] += in[i + k];
        want[i] /= window; // integers / 8: exact
    }
    verify::Buffer<float> from(in), to(n);

    async_copy<<<blocks, block>>>(from.data, to.data);
    program.launched("async_copy");
    program.equal("average", program.output("averages", to), want);
    return program.finish();
}
