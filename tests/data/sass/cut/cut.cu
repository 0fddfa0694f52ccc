// A kernel with all that a launch can be cut in the middle of, and whose results do not depend on
// time: barriers of the block, of some warps, of the grid and in shared memory, asynchronous copies,
// atomic operations, memory from the heap, and lanes that part and meet.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

static __device__ unsigned lanes_meet(unsigned t)
{
    unsigned sum = 0;
    for (unsigned i = 0; i <= t % 5; i++)
        sum += i * t;
    __syncwarp();
    return __shfl_xor_sync(0xffffffffu, sum, 3);
}

static __device__ unsigned from_heap(unsigned t)
{
    unsigned *own = (unsigned *)malloc(4 * sizeof *own);
    for (unsigned i = 0; i < 4; i++)
        own[i] = t + i;
    const unsigned sum = own[0] + own[t % 4];
    free(own);
    return sum;
}

// Warp 0 fills buffers, warp 1 empties them.
static __device__ unsigned pass_on(unsigned t, unsigned times)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier full[2], empty[2];
    __shared__ unsigned buffer[2][32];
    if (t < 2) {
        init(&full[t], 64);
        init(&empty[t], 64);
    }
    __syncthreads();
    unsigned sum = 0;
    if (t >= 64)
        return 0;
    for (unsigned i = 0; i < times; i++) {
        if (t < 32) {
            if (i >= 2)
                empty[i % 2].arrive_and_wait();
            buffer[i % 2][t] = i * 32 + t;
            (void)full[i % 2].arrive();
        } else {
            full[i % 2].arrive_and_wait();
            sum += buffer[i % 2][63 - t];
            if (i + 2 < times)
                (void)empty[i % 2].arrive();
        }
    }
    return sum;
}

static __device__ unsigned copied(const unsigned *in, unsigned t)
{
    __shared__ unsigned tile[128];
    __pipeline_memcpy_async(&tile[t], &in[128 * blockIdx.x + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    asm volatile("bar.sync 3, 128;" ::: "memory");
    return tile[127 - t] + __syncthreads_count(tile[t] & 1);
}

extern "C" __global__ void cut(const unsigned *in, unsigned *bins, unsigned *out, unsigned times)
{
    const unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
    unsigned sum = lanes_meet(t) + from_heap(t) + copied(in, t) + pass_on(t, times);
    atomicAdd(&bins[sum % 8], 1);
    const unsigned place = atomicAdd(&bins[8], 1); // depends on time
    cooperative_groups::this_grid().sync();
    out[i] = sum + bins[t % 8] + bins[8] + (place < 128 * gridDim.x);
}
