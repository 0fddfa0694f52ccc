// Exclusive prefix sums of a long array in three launches: blocks, block totals, addition.
//
// Shows the up-sweep and down-sweep of a balanced tree in shared memory, with one word of padding
// for every 32 so that strides of powers of two do not meet in one bank.
#include "verify.h"

const int block = 128;
const int tile = 2 * block; // elements of a block

__device__ int padded(int i)
{
    return i + i / 32;
}

__global__ void scan_tiles(const unsigned *in, unsigned *out, unsigned *totals)
{
    __shared__ unsigned tree[tile + tile / 32];
    int t = threadIdx.x, base = blockIdx.x * tile;
    tree[padded(t)] = in[base + t];
    tree[padded(t + block)] = in[base + t + block];
    int offset = 1;
    for (int active = block; active > 0; active /= 2, offset *= 2) {
        __syncthreads();
        if (t < active)
            tree[padded(offset * (2 * t + 2) - 1)] += tree[padded(offset * (2 * t + 1) - 1)];
    }
    if (t == 0) {
        totals[blockIdx.x] = tree[padded(tile - 1)];
        tree[padded(tile - 1)] = 0;
    }
    for (int active = 1; active <= block; active *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < active) {
            int left = padded(offset * (2 * t + 1) - 1), right = padded(offset * (2 * t + 2) - 1);
            unsigned value = tree[left];
            tree[left] = tree[right];
            tree[right] += value;
        }
    }
    __syncthreads();
    out[base + t] = tree[padded(t)];
    out[base + t + block] = tree[padded(t + block)];
}

__global__ void add_totals(unsigned *out, const unsigned *totals)
{
    int i = blockIdx.x * tile + threadIdx.x;
    out[i] += totals[blockIdx.x];
    out[i + block] += totals[blockIdx.x];
}

int main()
{
    const int blocks = tile, n = blocks * tile; // the totals fill one tile
    verify::Program program("scan_blelloch");
    std::vector<uint32_t> in = verify::random_words(n, 1);
    verify::Buffer<unsigned> device_in(in), device_out(n), totals(blocks), scanned(blocks), sum(1);

    scan_tiles<<<blocks, block>>>(device_in.data, device_out.data, totals.data);
    program.launched("scan_tiles");
    program.output("totals", totals);
    scan_tiles<<<1, block>>>(totals.data, scanned.data, sum.data);
    program.launched("scan_tiles");
    program.output("scanned", scanned);
    add_totals<<<blocks, block>>>(device_out.data, scanned.data);
    program.launched("add_totals");

    std::vector<uint32_t> want(n, 0);
    for (int i = 1; i < n; i++)
        want[i] = want[i - 1] + in[i - 1];
    program.equal("prefix sum", program.output("sums", device_out), want);
    return program.finish();
}
