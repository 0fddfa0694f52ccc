// Cycles of operations on barriers in shared memory (mbarrier), for the timing model: prints a line
// "NAME CYCLES" each, the least of eight tries. Compute capability 9.0.
#include "probe.h"

__device__ unsigned long long shared_clock()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

__device__ void init(uint32_t at, uint32_t count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
}

__device__ unsigned long long arrive(uint32_t at)
{
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
    return token;
}

__device__ uint32_t try_wait(uint32_t at, uint32_t parity)
{
    uint32_t done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
                 " selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(at), "r"(parity)
                 : "memory");
    return done;
}

enum { ARRIVE, ARRIVE_32, ARRIVE_OWN, TEST, TEST_HALF, TIME_OUT, ROUND_TRIP, LOAD, ADD_32, KINDS };

/// Measures `kind` once, in the first warp. For ROUND_TRIP two warps wait for each other 64 times.
__global__ void measure(int kind, unsigned long long *cycles)
{
    __shared__ __align__(8) unsigned long long word[64];
    uint32_t at = (uint32_t)__cvta_generic_to_shared(word), lane = threadIdx.x % 32;
    if (threadIdx.x < 64)
        init(at + 8 * threadIdx.x, kind == ROUND_TRIP ? 32 : 1000);
    __syncthreads();
    unsigned long long value = 0, begin = shared_clock();
    if (kind == ROUND_TRIP) {
        uint32_t mine = at + 8 * (threadIdx.x / 32), other = at + 8 * (1 - threadIdx.x / 32);
        for (uint32_t i = 0; i < 64; i++) {
            if (threadIdx.x / 32 == 0)
                arrive(other);
            while (!try_wait(mine, i & 1))
                ;
            if (threadIdx.x / 32 == 1)
                arrive(other);
        }
    } else if (threadIdx.x >= 32) {
        return;
    } else if (kind == ARRIVE || kind == ARRIVE_32 || kind == ARRIVE_OWN) {
        uint32_t to = at + (kind == ARRIVE_OWN ? 8 * lane : 0);
        if (kind != ARRIVE || lane == 0)
            value = arrive(to);
    } else if (kind == TEST) {
        value = try_wait(at, 1);
    } else if (kind == TEST_HALF) {
        value = try_wait(at, lane < 16);
    } else if (kind == TIME_OUT) {
        value = try_wait(at, 0);
    } else if (kind == LOAD) {
        asm volatile("ld.shared.b64 %0, [%1];" : "=l"(value) : "r"(at + 8 * lane) : "memory");
    } else {
        asm volatile("{ .reg .b32 r; atom.shared.add.u32 r, [%1], %2; cvt.u64.u32 %0, r; }"
                     : "=l"(value)
                     : "r"(at), "r"(lane)
                     : "memory");
    }
    asm volatile("" : "+l"(value)::"memory");
    if (value == 12345)
        cycles[40] = value;
    unsigned long long end = shared_clock();
    if (lane == 0)
        cycles[threadIdx.x / 32] = end - begin;
    cycles[8 + lane] = value;
}

int main()
{
    const char *names[KINDS] = {"arrive",         "arrive_32_lanes", "arrive_32_barriers",
                                "try_wait",       "try_wait_half",   "try_wait_time_out",
                                "round_trips_64", "load_64",         "atomic_add_32_lanes"};
    unsigned long long *cycles, seen[41];
    probe_must(cudaMalloc(&cycles, sizeof seen), "cudaMalloc");
    for (int kind = 0; kind < KINDS; kind++) {
        unsigned long long least = ~0ull;
        for (int i = 0; i < 8; i++) {
            measure<<<1, kind == ROUND_TRIP ? 64 : 32>>>(kind, cycles);
            probe_must(cudaMemcpy(seen, cycles, sizeof seen, cudaMemcpyDeviceToHost), names[kind]);
            least = seen[0] < least ? seen[0] : least;
        }
        std::printf("%s %llu; values of lanes 0 and 31: %llx %llx\n", names[kind], least, seen[8],
                    seen[39]);
    }
    return 0;
}
