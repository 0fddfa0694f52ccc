// Sorts 16384 keys with the bitonic network: strides within a block in shared memory, longer ones
// in launches of their own.
//
// Shows compare-and-swap with a direction that differs between lanes, and many short launches.
#include "verify.h"

const int block = 512;
const int tile = 2 * block;

__device__ void order(unsigned &a, unsigned &b, bool ascending)
{
    if ((a > b) == ascending) {
        unsigned other = a;
        a = b;
        b = other;
    }
}

/// One stride of one stage; `t` numbers the pairs. Works on global or shared memory.
__device__ void step(unsigned *keys, int t, int stride, bool ascending)
{
    int i = 2 * t - (t & (stride - 1));
    unsigned a = keys[i], b = keys[i + stride];
    order(a, b, ascending);
    keys[i] = a;
    keys[i + stride] = b;
}

/// Stages `first` to `last`, as far as their strides fit into a tile.
__global__ void bitonic_tile(unsigned *keys, int first, int last)
{
    __shared__ unsigned shared[tile];
    unsigned *mine = keys + blockIdx.x * tile;
    int t = threadIdx.x, global = blockIdx.x * block + t;
    shared[t] = mine[t];
    shared[t + block] = mine[t + block];
    for (int stage = first; stage <= last; stage *= 2) {
        for (int stride = min(stage / 2, block); stride > 0; stride /= 2) {
            __syncthreads();
            step(shared, t, stride, (2 * global & stage) == 0);
        }
    }
    __syncthreads();
    mine[t] = shared[t];
    mine[t + block] = shared[t + block];
}

__global__ void bitonic_step(unsigned *keys, int stage, int stride)
{
    int t = blockIdx.x * block + threadIdx.x;
    step(keys, t, stride, (2 * t & stage) == 0);
}

int main()
{
    const int n = 16384;
    verify::Program program("sort_bitonic");
    std::vector<uint32_t> keys = verify::random_words(n, 1);
    verify::Buffer<unsigned> device_keys(keys);

    bitonic_tile<<<n / tile, block>>>(device_keys.data, 2, tile);
    program.launched("bitonic_tile");
    program.output("keys", device_keys);
    for (int stage = 2 * tile; stage <= n; stage *= 2) {
        for (int stride = stage / 2; stride > block; stride /= 2) {
            bitonic_step<<<n / tile, block>>>(device_keys.data, stage, stride);
            program.launched("bitonic_step");
        }
        bitonic_tile<<<n / tile, block>>>(device_keys.data, stage, stage);
        program.launched("bitonic_tile");
    }

    std::sort(keys.begin(), keys.end());
    program.equal("key", program.output("keys", device_keys), keys);
    return program.finish();
}
