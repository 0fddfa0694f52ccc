// Kernels that end in a way that is easily got wrong: warps that pass over a barrier, waits whose
// end is under way when somebody looks for a livelock, and waits without an end.
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

static __device__ unsigned address_of(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

static __device__ unsigned mixed(unsigned x, int times)
{
    for (int i = 0; i < times; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

// A warp passes over barrier 1 because the guard of its BAR is false, and waits at barrier 0 with the
// others. The block has 96 threads.
extern "C" __global__ void passes_over(unsigned *out)
{
    __shared__ unsigned word[96];
    const unsigned t = threadIdx.x;
    word[t] = 0;
    __syncthreads();
    if (t < 32)
        word[t] = t + 1 + (mixed(t, 2000) == 7);
    asm volatile("{.reg .pred p; setp.lt.u32 p, %0, 64; @p bar.sync 1, 64;}" ::"r"(t) : "memory");
    out[t] = t < 64 ? word[t % 32] : 100;
    if (t == 95)
        word[95] = mixed(t, 4000) | 1;
    __syncthreads();
    out[96 + t] = word[95] != 0;
}

// The first warp waits at a barrier to which the second, which polls what nobody writes, never comes.
extern "C" __global__ void stuck(unsigned *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    out[threadIdx.x] = 1;
    if (threadIdx.x >= 32)
        while (*(volatile unsigned *)(out + 64) == 0)
            ;
}

// Block 0 waits for a flag that block 1 sets as the last thing it does.
extern "C" __global__ void set_last(unsigned *flag, int n)
{
    if (blockIdx.x == 0) {
        while (*(volatile unsigned *)flag == 0)
            ;
        flag[1] = 1;
    } else {
        flag[32] = mixed(1, n);
        *(volatile unsigned *)flag = 1;
    }
}

// Sleeps for ever.
extern "C" __global__ void sleeps(unsigned *flag, int n)
{
    while (*(volatile unsigned *)flag == 0)
        __nanosleep((unsigned)n);
}

// Waits for a phase of a barrier that one thread more would have to come to, with back-off by clock.
extern "C" __global__ void waits_for_one_more(unsigned *out)
{
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x + 1);
    __syncthreads();
    barrier.arrive_and_wait();
    out[0] = 1;
}

// Looks for the end of a phase once, in vain, sleeps for long, and ends the phase itself. Memory stays as
// it is from the look to the end of the sleep.
extern "C" __global__ void rests(unsigned *out, int milliseconds)
{
    __shared__ alignas(8) unsigned long long word;
    unsigned done[2];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address_of(&word)) : "memory");
    __syncthreads();
    for (int i = 0; i < milliseconds; i++) {
        if (i == 2)
            asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                         : "=r"(done[0])
                         : "r"(address_of(&word))
                         : "memory");
        __nanosleep(1000000);
    }
    if (threadIdx.x == 0)
        asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%0];}" ::"r"(address_of(&word)) : "memory");
    __syncthreads();
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done[1])
                 : "r"(address_of(&word))
                 : "memory");
    out[threadIdx.x] = done[0];
    out[32 + threadIdx.x] = done[1];
}

// Clocks do not go back, whatever is between two reads of one. out[0]: how often they did.
extern "C" __global__ void clocks(unsigned *out, unsigned *sum, int n)
{
    long long last = clock64();
    unsigned back = 0, x = 1;
    for (int i = 0; i < n; i++) {
        atomicAdd(sum, 1);
        for (int k = 0; k < 8; k++)
            x = x * x + 1;
        for (int k = 0; k < 4; k++) {
            const long long now = clock64() + (x == 7);
            back += now < last;
            last = now;
        }
    }
    out[0] = back;
}

// Arrivals at a word that no barrier has: a fault.
extern "C" __global__ void bad_arrival(unsigned *out)
{
    __shared__ alignas(8) unsigned long long word;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 20;" ::"r"(address_of(&word)) : "memory");
    __syncthreads();
    word = 0;
    __syncthreads();
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(address_of(&word)) : "memory");
    out[threadIdx.x] = (unsigned)(token >> 32) + 1;
}

// All threads arrive at a barrier in shared memory and wait for its phase. out: 1 for each thread
// that has seen its phase end; for each warp how many had arrived before its first lane, at most.
extern "C" __global__ void arrives(unsigned *out)
{
    __shared__ alignas(8) unsigned long long word;
    unsigned done = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address_of(&word)), "r"(blockDim.x) : "memory");
    __syncthreads();
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(address_of(&word)) : "memory");
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(address_of(&word)), "l"(token)
                     : "memory");
    out[threadIdx.x] = done;
}

// One warp of four writes lines that lie apart, which wait in front of L1; the others read shared
// memory in the meantime.
extern "C" __global__ void overtakes(unsigned *out, int n)
{
    __shared__ unsigned word[1024];
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    word[threadIdx.x] = threadIdx.x * 7;
    __syncthreads();
    unsigned v = threadIdx.x;
    if (threadIdx.x / 32 % 4 == 0)
        for (int i = 0; i < n; i++)
            out[(t * 997 + i * 1048568u) & 0x3fffff] = v;
    else
        for (int i = 0; i < 64 * n; i++)
            v = word[v & 1023] ^ i;
    if (v == 0xffffffff)
        out[0] = v;
}
