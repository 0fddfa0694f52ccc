/* Kernels whose blocks or warps wait for one another: with waits recorded, the time that they take
 * follows from the time of those that they wait for. */
#include <cooperative_groups.h>
#include <cuda/atomic>

/* Keeps a thread busy: a chain of dependent additions. */
__device__ static float busy(int steps, float x)
{
    for (int i = 0; i < steps; i++)
        x = x * 1.5f + 1.0f;
    return x;
}

/* Block 0 computes and sets a flag; the others wait for it. */
extern "C" __global__ void flag(volatile int *ready, float *out, int steps)
{
    if (blockIdx.x == 0) {
        out[0] = busy(steps, 1.0f);
        __threadfence();
        if (threadIdx.x == 0)
            *ready = 1;
        return;
    }
    if (threadIdx.x == 0)
        while (*ready == 0)
            ;
    __syncthreads();
    out[blockIdx.x] = out[0];
}

/* As `flag`, with pauses between the polls. */
extern "C" __global__ void pause(int *ready, float *out, int steps)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*ready);
    if (blockIdx.x == 0) {
        out[0] = busy(steps, 1.0f);
        flag.store(1, cuda::memory_order_release);
        return;
    }
    while (flag.load(cuda::memory_order_acquire) == 0)
        __nanosleep(100);
    out[blockIdx.x] = 1.0f;
}

/* A grid barrier; `late` computes before it. */
extern "C" __global__ void barrier(float *out, int late, int steps)
{
    float x = 1.0f;
    if (blockIdx.x == late)
        x = busy(steps, x);
    cooperative_groups::this_grid().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/* The same, written by hand: an arrival counter. */
extern "C" __global__ void counter(unsigned *arrived, float *out, int late, int steps)
{
    float x = 1.0f;
    if (blockIdx.x == late)
        x = busy(steps, x);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned *)arrived < gridDim.x)
            ;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/* Blocks form a chain: each waits for the sum of the one before. */
extern "C" __global__ void chain(volatile int *sum, int *ready)
{
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x > 0) {
            while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0)
                ;
            before = sum[blockIdx.x - 1];
        }
        sum[blockIdx.x] = before + 1;
        __threadfence();
        atomicExch(&ready[blockIdx.x], 1);
    }
}

/* One lock, `times` times by each block. */
extern "C" __global__ void lock(int *held, volatile float *total, int times, int steps)
{
    if (threadIdx.x != 0)
        return;
    for (int i = 0; i < times; i++) {
        while (atomicCAS(held, 0, 1) != 0)
            ;
        __threadfence();
        *total = busy(steps, *total);
        __threadfence();
        atomicExch(held, 0);
    }
}

/* Warp 0 of a block computes; the other warps wait for its flag in shared memory. */
extern "C" __global__ void shared_flag(float *out, int steps)
{
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        out[threadIdx.x] = busy(steps, 1.0f);
        __threadfence_block();
        if (threadIdx.x == 0)
            ready = 1;
        return;
    }
    while (ready == 0)
        ;
    out[threadIdx.x] = 2.0f;
}

#if __CUDA_ARCH__ >= 900
/* Warp 0 asks two barriers at once, and computes when the phases of both have ended. Warp 2 ends the
 * phase of the second at once, warp 1 that of the first after it has computed as long. */
extern "C" __global__ void two_phases(float *out, int steps)
{
    __shared__ unsigned long long barrier[2];
    unsigned first = (unsigned)__cvta_generic_to_shared(&barrier[0]), second = first + 8;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\n\tmbarrier.init.shared.b64 [%1], 1;" ::"r"(
                         first),
                     "r"(second)
                     : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        int ended;
        asm volatile("{\n\t.reg .pred a, b;\nagain:\n\t"
                     "mbarrier.try_wait.parity.shared.b64 a, [%1], 0;\n\t"
                     "mbarrier.try_wait.parity.shared.b64 b, [%2], 0;\n\t"
                     "and.pred a, a, b;\n\t@!a bra again;\n\tselp.b32 %0, 1, 0, a;\n\t}"
                     : "=r"(ended)
                     : "r"(first), "r"(second)
                     : "memory");
        out[0] = busy(steps, (float)ended);
    } else if (threadIdx.x == 32) {
        out[1] = busy(steps, 1.0f);
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(first) : "memory");
    } else if (threadIdx.x == 64) {
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(second) : "memory");
    }
}
#endif
