// Kernels that read clocks, for tests/integration/test_clocks.c and tests/cli/clocks.sh.
#include <cstdio>

typedef unsigned long long u64;

// Two clock reads around 64 dependent FFMA, for each warp; of the second pass through them, whose
// instructions and constants are in the caches.
extern "C" __global__ void chain(u64 *out, float *sink, float a)
{
    float x = a;
    u64 begin, end;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin));
#pragma unroll
        for (int i = 0; i < 64; i++)
            asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(end));
    }
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x;
    out[2 * warp] = begin;
    out[2 * warp + 1] = end;
}

// All kinds of clocks, around a read of memory; and what atomics have counted, which is to be one
// for each thread however often the kernel is executed.
extern "C" __global__ void kinds(u64 *out, unsigned *counter, const volatile unsigned *in)
{
    unsigned low = clock();
    u64 begin = clock64(), timer;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
    unsigned value = in[threadIdx.x];
    u64 end = clock64() + (value & 0);
    unsigned order = atomicAdd(counter, 1);
    if (threadIdx.x % 32 == 0) {
        u64 *mine = out + 5 * (blockIdx.x * blockDim.x + threadIdx.x) / 32;
        mine[0] = low;
        mine[1] = begin;
        mine[2] = end;
        mine[3] = timer;
        mine[4] = order;
    }
}

// How often a loop turns that waits for a time to pass: the values decide.
extern "C" __global__ void spin(unsigned *out, unsigned cycles)
{
    unsigned turns = 0;
    for (u64 begin = clock64(); clock64() - begin < cycles;)
        turns++;
    out[blockIdx.x * blockDim.x + threadIdx.x] = turns;
}

// A store to where the clock says.
extern "C" __global__ void scatter(unsigned *out)
{
    out[(clock() & 255) * 32 + threadIdx.x % 32] = 1;
}

// The last block counts up, slowly; the others poll until it has come to 3, and look at the clock at
// every poll.
extern "C" __global__ void flag(u64 *out, volatile unsigned *ready, unsigned steps)
{
    u64 last = 0;
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == gridDim.x - 1) {
        unsigned x = steps;
        for (unsigned n = 1; n <= 6; n++) {
            for (unsigned i = 0; i < steps; i++)
                asm volatile("mad.lo.u32 %0, %0, %0, 1;" : "+r"(x));
            if (n == 3)
                last = clock64();
            *ready = n;
        }
        out[64] = x;
    } else {
        do {
            last = clock64();
        } while (*ready < 3);
        out[32 + blockIdx.x] = clock64();
    }
    out[blockIdx.x] = last;
}

// Prints, and takes memory of the heap and gives it back.
extern "C" __global__ void prints(u64 **kept, const int *given)
{
    u64 begin = clock64();
    u64 *mine = (u64 *)malloc(16);
    mine[0] = begin;
    mine[1] = clock64();
    printf("%d %d cycles, %d\n", (int)threadIdx.x, (int)(mine[1] - mine[0]), given[0]);
    free(kept[threadIdx.x]);
    kept[threadIdx.x] = mine;
}

// Where each warp is: SM and warp slot; and a store to a place of their own.
extern "C" __global__ void places(unsigned *out)
{
    unsigned sm, slot, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    out[2 * warp] = sm;
    out[2 * warp + 1] = slot;
    out[128 + sm * 64 + slot] = 1;
}
