// Even blocks produce, odd blocks consume: a ring of four places in global memory between each two,
// with a flag for each place.
//
// Shows waiting on flags that another block sets, __threadfence between data and flag, and atomics
// as volatile loads. Both blocks of a pair must be resident: the grid is smaller than any GPU.
#include "verify.h"

const int pairs = 6, block = 64, places = 4, items = 24;

struct Ring {
    unsigned full[places];
    unsigned data[places][block];
};

__device__ void wait_until(volatile unsigned *flag, unsigned value)
{
    while (*flag != value)
        __nanosleep(20);
}

__device__ void produce(Ring *ring, const unsigned *in)
{
    for (int item = 0; item < items; item++) {
        int place = item % places;
        if (threadIdx.x == 0)
            wait_until(&ring->full[place], 0);
        __syncthreads();
        ring->data[place][threadIdx.x] = in[item * block + threadIdx.x] * 3u + 1u;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(&ring->full[place], 1u);
    }
}

__device__ void consume(Ring *ring, unsigned *out)
{
    for (int item = 0; item < items; item++) {
        int place = item % places;
        if (threadIdx.x == 0) {
            wait_until(&ring->full[place], 1);
            __threadfence();
        }
        __syncthreads();
        volatile unsigned *data = ring->data[place];
        out[item * block + threadIdx.x] = data[threadIdx.x] ^ data[block - 1 - threadIdx.x];
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(&ring->full[place], 0u);
    }
}

__global__ void producer_consumer(Ring *rings, const unsigned *in, unsigned *out)
{
    int pair = blockIdx.x / 2, offset = pair * items * block;
    if (blockIdx.x % 2 == 0)
        produce(&rings[pair], in + offset);
    else
        consume(&rings[pair], out + offset);
}

int main()
{
    const int n = pairs * items * block;
    verify::Program program("producer_consumer");
    std::vector<uint32_t> in = verify::random_words(n, 1), want;
    verify::Buffer<Ring> rings(pairs);
    verify::Buffer<unsigned> from(in), to(n);

    producer_consumer<<<2 * pairs, block>>>(rings.data, from.data, to.data);
    program.launched("producer_consumer");

    for (int i = 0; i < n; i++) {
        int other = i / block * block + block - 1 - i % block;
        want.push_back((in[i] * 3u + 1u) ^ (in[other] * 3u + 1u));
    }
    program.equal("out", program.output("out", to), want);
    return program.finish();
}
