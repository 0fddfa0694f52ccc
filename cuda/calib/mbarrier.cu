// Barriers in shared memory (SYNCS): the cost of an arrival and of a successful wait, the rate of
// arrivals of many lanes and warps, the delay from the last arrival to a waiting warp, the length
// of a wait that fails, and copies that arrive at a barrier. One block.
#include "memory.cuh"

__shared__ __align__(1024) u64 bars[64];
__shared__ __align__(1024) u32 memory[4096];
__shared__ u64 arrived;

__device__ __forceinline__ void begin(u32 at, u32 count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
}

__device__ __forceinline__ u64 arrive(u32 at)
{
    u64 state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    return state;
}

__device__ __forceinline__ u32 test_parity(u32 at, u32 parity)
{
    u32 done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at), "r"(parity) : "memory");
    return done;
}

__device__ __forceinline__ u32 try_parity(u32 at, u32 parity)
{
    u32 done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at), "r"(parity) : "memory");
    return done;
}

__device__ __forceinline__ u32 try_parity_for(u32 at, u32 parity, u32 ns)
{
    u32 done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at), "r"(parity), "r"(ns) : "memory");
    return done;
}

__device__ __forceinline__ u32 setup(u32 count)
{
    u32 at = shared_address(bars);
    if (threadIdx.x == 0)
        for (u32 i = 0; i < 64; i++)
            begin(at + 8 * i, count);
    __syncthreads();
    return at;
}


/// Arrivals in succession, each at an address that depends on the previous arrival; by `lanes`
/// lanes.
extern "C" __global__ void arrive_state(u64 *out, u32 rounds, u32 lanes, u32 zero)
{
    u32 at = setup(1 << 19);
    if (threadIdx.x < lanes)
        chain(out, rounds, at, [=](u32 a) { return at + ((u32)arrive(a) & zero); });
}

/// Independent arrivals of all warps: at one barrier, or each warp at its own.
extern "C" __global__ void arrive_rate(u64 *out, u32 rounds, u32 lanes, u32 apart)
{
    u32 at = setup(1 << 19) + threadIdx.x / 32 * apart;
    bool mine = (threadIdx.x & 31) < lanes;
    rate(out, rounds, [=](u32 moved, int) {
        if (mine)
            arrive(at + moved);
        return 0;
    });
}

/// Waits for a phase that is complete.
extern "C" __global__ void wait_done(u64 *out, u32 rounds, u32 lanes, u32 zero)
{
    u32 at = setup(1 << 19);
    if (threadIdx.x < lanes)
        chain(out, rounds, at, [=](u32 a) { return at + (try_parity(a, 1) & zero); });
}

extern "C" __global__ void test_done(u64 *out, u32 rounds, u32 lanes, u32 zero)
{
    u32 at = setup(1 << 19);
    if (threadIdx.x < lanes)
        chain(out, rounds, at, [=](u32 a) { return at + (test_parity(a, 1) & zero); });
}

/// Tests of a phase that is not complete.
extern "C" __global__ void test_not_done(u64 *out, u32 rounds, u32 lanes, u32 zero)
{
    u32 at = setup(1 << 19);
    if (threadIdx.x < lanes)
        chain(out, rounds, at, [=](u32 a) { return at + (test_parity(a, 0) & zero); });
}

/// The same at full rate, all warps.
extern "C" __global__ void wait_rate(u64 *out, u32 rounds)
{
    u32 at = setup(1 << 19);
    rate(out, rounds, [=](u32 moved, int) { return try_parity(at + moved, 1); });
}

/// Cycles of a wait that ends without success. Not for the simulator: nothing ever arrives.
extern "C" __global__ void wait_fails(u64 *out, u32 ns, u32 hint)
{
    u32 at = setup(1 << 19), done = 0;
    for (int i = 0; i < 4; i++) {
        u64 start = clock_now();
        done += hint ? try_parity_for(at, 0, ns) : try_parity(at, 0);
        wait_for(done);
        u64 stop = clock_now();
        if (threadIdx.x == 0)
            out[i] = stop - start;
    }
}

/// Warp 0 works for about `late` cycles and arrives. The other warps wait by try_wait, or, if
/// `testing`, by test_wait until it succeeds. out: cycles from before the arrival to behind each
/// wait.
extern "C" __global__ void hand_over(u64 *out, u32 late, u32 testing)
{
    u32 at = setup(1), warp = threadIdx.x / 32;
    u64 stamp = 0;
    for (u32 turn = 0; turn < 2; turn++) { // the first turn loads the code
        __syncthreads();
        u32 here = at + 8 * turn;
        if (warp == 0) {
            float work = (float)late;
            for (u32 i = 0; i < late / 16; i++)
                asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(work));
            wait_for(__float_as_uint(work));
            stamp = clock_now();
            if (threadIdx.x == 0)
                arrive(here);
        } else {
            if (testing)
                while (!test_parity(here, 0))
                    ;
            else
                while (!try_parity(here, 0))
                    ;
            stamp = clock_now();
        }
    }
    if (threadIdx.x == 0)
        arrived = stamp;
    __syncthreads();
    if (warp && (threadIdx.x & 31) == 0)
        out[warp - 1] = stamp - arrived;
}

/// All threads arrive and wait, in each round: cycles of `rounds` rounds.
extern "C" __global__ void together(u64 *out, u32 rounds, u32 testing)
{
    u32 at = setup(blockDim.x);
    u64 start = 0;
    for (u32 i = 0; i < rounds + 4; i++) {
        if (i == 4)
            start = clock_now();
        arrive(at);
        if (testing)
            while (!test_parity(at, i & 1))
                ;
        else
            while (!try_parity(at, i & 1))
                ;
    }
    u64 stop = clock_now();
    if ((threadIdx.x & 31) == 0) {
        out[threadIdx.x / 32 * 2] = start;
        out[threadIdx.x / 32 * 2 + 1] = stop;
    }
}

/// The same, but only one lane of each warp arrives.
extern "C" __global__ void together_warps(u64 *out, u32 rounds)
{
    u32 at = setup(blockDim.x / 32);
    u64 start = 0;
    for (u32 i = 0; i < rounds + 4; i++) {
        if (i == 4)
            start = clock_now();
        if ((threadIdx.x & 31) == 0)
            arrive(at);
        __syncwarp();
        while (!try_parity(at, i & 1))
            ;
    }
    u64 stop = clock_now();
    if ((threadIdx.x & 31) == 0) {
        out[threadIdx.x / 32 * 2] = start;
        out[threadIdx.x / 32 * 2 + 1] = stop;
    }
}

/// Two warps pass a token to each other: cycles of `rounds` round trips.
extern "C" __global__ void to_and_fro(u64 *out, u32 rounds)
{
    u32 at = setup(32), warp = threadIdx.x / 32;
    u64 start = 0;
    for (u32 i = 0; i < rounds + 4; i++) {
        if (i == 4)
            start = clock_now();
        if (warp == 0) {
            arrive(at);
            while (!try_parity(at + 8, i & 1))
                ;
        } else {
            while (!try_parity(at, i & 1))
                ;
            arrive(at + 8);
        }
    }
    u64 stop = clock_now();
    if (threadIdx.x == 0)
        out[0] = stop - start;
}

/// A copy of 4 bytes a lane that arrives at a barrier, and the wait for it.
extern "C" __global__ void copy_arrives(u64 *out, const char *data, u32 rounds, u32 step)
{
    u32 at = setup(blockDim.x), to = shared_address(memory) + threadIdx.x * 4;
    const char *from = data + threadIdx.x * 4;
    u64 start = 0;
    for (u32 i = 0; i < rounds + 4; i++) {
        if (i == 4)
            start = clock_now();
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from + i * step) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
        while (!try_parity(at, i & 1))
            ;
    }
    u64 stop = clock_now();
    if ((threadIdx.x & 31) == 0) {
        out[threadIdx.x / 32 * 2] = start;
        out[threadIdx.x / 32 * 2 + 1] = stop;
    }
}

/// The same with a load and a store to shared memory, and an arrival.
extern "C" __global__ void load_arrives(u64 *out, const char *data, u32 rounds, u32 step)
{
    u32 at = setup(blockDim.x), to = shared_address(memory) + threadIdx.x * 4;
    const char *from = data + threadIdx.x * 4;
    u64 start = 0;
    for (u32 i = 0; i < rounds + 4; i++) {
        if (i == 4)
            start = clock_now();
        u32 v;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from + i * step) : "memory");
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(v) : "memory");
        arrive(at);
        while (!try_parity(at, i & 1))
            ;
    }
    u64 stop = clock_now();
    if ((threadIdx.x & 31) == 0) {
        out[threadIdx.x / 32 * 2] = start;
        out[threadIdx.x / 32 * 2 + 1] = stop;
    }
}
