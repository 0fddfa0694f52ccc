// Three ways to have the next tile copied into shared memory while one is worked on: a pipeline of
// the whole block, one whose producers and consumers are different warps, and copies that arrive at
// a barrier.
//
// Shows cuda::pipeline and cuda::memcpy_async: cp.async with barriers in shared memory.
#include "verify.h"

#pragma nv_diag_suppress static_var_with_dynamic_init // barriers are made ready by init()

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

const int block = 128, tiles = 12, stages = 2; // tiles of `block` elements for each thread block

/// What is made of a tile: every element with one further on, and where it stood.
__host__ __device__ inline uint32_t work(const uint32_t *tile, int i, int t)
{
    return tile[i] * 5 + tile[(i + 7) % block] + t;
}

__global__ void whole_block(const uint32_t *in, uint32_t *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ uint32_t ring[stages][block];
    auto group = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(group, &state);
    in += blockIdx.x * tiles * block;
    out += blockIdx.x * tiles * block;
    for (int t = 0, ahead = 0; t < tiles; t++) {
        for (; ahead < tiles && ahead < t + stages; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(group, ring[ahead % stages], in + ahead * block,
                               sizeof(uint32_t) * block, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[t * block + threadIdx.x] = work(ring[t % stages], threadIdx.x, t);
        pipe.consumer_release();
    }
}

__global__ void two_roles(const uint32_t *in, uint32_t *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ uint32_t ring[stages][block];
    auto group = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(group, &state, (size_t)block); // the first ones produce
    in += blockIdx.x * tiles * block;
    out += blockIdx.x * tiles * block;
    int i = threadIdx.x % block;
    for (int t = 0; t < tiles; t++) {
        if ((int)threadIdx.x < block) {
            pipe.producer_acquire();
            cuda::memcpy_async(&ring[t % stages][i], &in[t * block + i], sizeof(uint32_t), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[t * block + i] = work(ring[t % stages], i, t);
            pipe.consumer_release();
        }
    }
}

__global__ void by_barrier(const uint32_t *in, uint32_t *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    __shared__ uint32_t tile[block];
    auto group = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&arrived, block);
    __syncthreads();
    in += blockIdx.x * tiles * block;
    out += blockIdx.x * tiles * block;
    for (int t = 0; t < tiles; t++) {
        cuda::memcpy_async(group, tile, in + t * block, sizeof(uint32_t) * block, arrived);
        arrived.arrive_and_wait();
        out[t * block + threadIdx.x] = work(tile, threadIdx.x, t);
        __syncthreads();
    }
}

int main()
{
    const int blocks = 40 * verify::size(), n = blocks * tiles * block;
    verify::Program program("pipeline_ring");
    std::vector<uint32_t> in = verify::random_words(n, 1), want(n);
    for (int tile = 0; tile < blocks * tiles; tile++)
        for (int i = 0; i < block; i++)
            want[tile * block + i] = work(&in[tile * block], i, tile % tiles);
    verify::Buffer<uint32_t> from(in), to(n);
    whole_block<<<blocks, block>>>(from.data, to.data);
    program.launched("whole_block");
    program.equal("whole block", program.output("whole_block", to), want);
    two_roles<<<blocks, 2 * block>>>(from.data, to.data);
    program.launched("two_roles");
    program.equal("two roles", program.output("two_roles", to), want);
    by_barrier<<<blocks, block>>>(from.data, to.data);
    program.launched("by_barrier");
    program.equal("by barrier", program.output("by_barrier", to), want);
    return program.finish();
}
