// Inclusive prefix sums of a long array in one launch: a block waits for the one before it.
//
// Shows spinning on a flag in global memory, tickets so that a block never waits for one that has
// not started, and prefix sums in a warp with __shfl_up_sync.
#include "verify.h"

const int block = 256;
const unsigned full_mask = 0xffffffffu;

struct Chain {
    unsigned ticket;
    unsigned unused;
    unsigned long long prefix[1024]; // sum up to and with the tile << 32 | 1; 0: not known yet
};

__device__ unsigned warp_scan(unsigned value)
{
    for (int offset = 1; offset < 32; offset *= 2) {
        unsigned other = __shfl_up_sync(full_mask, value, offset);
        if (threadIdx.x % 32 >= (unsigned)offset)
            value += other;
    }
    return value;
}

__device__ unsigned wait_for(volatile unsigned long long *prefix)
{
    unsigned long long word = *prefix;
    while (word == 0) {
        __nanosleep(40);
        word = *prefix;
    }
    return (unsigned)(word >> 32);
}

__global__ void scan_lookback(const unsigned *in, unsigned *out, Chain *chain)
{
    __shared__ unsigned tile, before, warp_sums[block / 32];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t == 0)
        tile = atomicAdd(&chain->ticket, 1u);
    __syncthreads();
    unsigned sum = warp_scan(in[tile * block + t]);
    if (lane == 31)
        warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        unsigned value = warp_scan(lane < block / 32 ? warp_sums[lane] : 0);
        if (lane < block / 32)
            warp_sums[lane] = value;
    }
    __syncthreads();
    if (t == 0) {
        before = tile ? wait_for(&chain->prefix[tile - 1]) : 0;
        unsigned long long word = before + warp_sums[block / 32 - 1];
        atomicExch(&chain->prefix[tile], word << 32 | 1);
    }
    __syncthreads();
    out[tile * block + t] = before + (warp ? warp_sums[warp - 1] : 0) + sum;
}

int main()
{
    const int tiles = 600, n = tiles * block;
    verify::Program program("scan_lookback");
    std::vector<uint32_t> in = verify::random_words(n, 21);
    verify::Buffer<unsigned> device_in(in), device_out(n);
    verify::Buffer<Chain> chain(1);

    scan_lookback<<<tiles, block>>>(device_in.data, device_out.data, chain.data);
    program.launched("scan_lookback");

    std::vector<uint32_t> want(n);
    for (int i = 0; i < n; i++)
        want[i] = in[i] + (i ? want[i - 1] : 0);
    program.equal("prefix sum", program.output("sums", device_out), want);
    return program.finish();
}
