// When does NANOSLEEP end?
//
//     nvcc -O3 -arch=sm_90 -o sleep sleep.cu; sleep
//
// Sleeps of one thread that begin at any time. Prints the nanoseconds that each was asked for, the
// cycles that it took, and %globaltimer before and after it, whose steps are 32 ns.
#include <cstdio>

typedef long long i64;

enum { SLEEPS = 60 };

static __device__ i64 global_timer()
{
    i64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void sleeps(i64 *out, int nanoseconds)
{
    for (int i = 0; i < SLEEPS; i++) {
        for (i64 end = clock64() + 137 * i; clock64() < end;)
            ;
        i64 before = global_timer(), begin = clock64();
        __nanosleep(nanoseconds);
        out[3 * i] = clock64() - begin;
        out[3 * i + 1] = before;
        out[3 * i + 2] = global_timer();
    }
}

int main()
{
    i64 *out;
    cudaMallocManaged(&out, 3 * SLEEPS * sizeof *out);
    printf("nanoseconds,cycles,timer_before,timer_after\n");
    for (int nanoseconds : {20, 40, 100, 200, 500, 1000, 2000, 5000}) {
        sleeps<<<1, 1>>>(out, nanoseconds);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        for (int i = 0; i < SLEEPS; i++)
            printf("%d,%lld,%lld,%lld\n", nanoseconds, out[3 * i], out[3 * i + 1] % (1 << 24),
                   out[3 * i + 2] % (1 << 24));
    }
    return 0;
}
