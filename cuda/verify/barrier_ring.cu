// Half of a block's warps produce, half consume, through a ring of places in shared memory. Each
// place has two cuda::barrier: one says that it is full, one that it is free again.
//
// Shows barriers in shared memory: arrive and wait apart from each other, by different threads, and
// a barrier that threads leave for good (arrive_and_drop).
#include "verify.h"

#pragma nv_diag_suppress static_var_with_dynamic_init // barriers are made ready by init()

#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

const int places = 3, side = 64, rounds = 20; // `side` threads produce, as many consume

__device__ uint32_t made(uint32_t seed, uint32_t i)
{
    return verify::random_word(seed, i) >> 8;
}

__global__ void barrier_ring(uint32_t *out)
{
    __shared__ Barrier full[places], free_again[places], leaving;
    __shared__ uint32_t ring[places][side];
    if (threadIdx.x == 0) {
        for (int p = 0; p < places; p++) {
            init(&full[p], 2 * side);
            init(&free_again[p], 2 * side);
        }
        init(&leaving, 2 * side);
    }
    __syncthreads();
    int lane = threadIdx.x % side;
    if ((int)threadIdx.x < side) {
        for (int r = 0; r < rounds; r++) {
            if (r >= places)
                free_again[r % places].arrive_and_wait();
            ring[r % places][lane] = made(blockIdx.x, r * side + lane);
            (void)full[r % places].arrive();
        }
    } else {
        uint32_t sum = 0;
        for (int r = 0; r < rounds; r++) {
            full[r % places].arrive_and_wait();
            sum = sum * 3 + ring[r % places][(lane + r) % side];
            (void)free_again[r % places].arrive();
        }
        out[blockIdx.x * side + lane] = sum;
    }
    for (int r = 0; r < lane / 16; r++)
        leaving.arrive_and_wait();
    leaving.arrive_and_drop();
}

int main()
{
    const int blocks = 60 * verify::size();
    verify::Program program("barrier_ring");
    std::vector<uint32_t> want(blocks * side, 0);
    for (int b = 0; b < blocks; b++)
        for (int lane = 0; lane < side; lane++)
            for (int r = 0; r < rounds; r++)
                want[b * side + lane] = want[b * side + lane] * 3 +
                                        (verify::random_word(b, r * side + (lane + r) % side) >> 8);
    verify::Buffer<uint32_t> sums(want.size());
    barrier_ring<<<blocks, 2 * side>>>(sums.data);
    program.launched("barrier_ring");
    program.equal("sums", program.output("sums", sums), want);
    return program.finish();
}
