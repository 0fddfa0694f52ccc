// Reads of the same lines by several SMs of a GPC, some cycles apart: which become one on their way
// to L2. SMs of a GPC have the same clock, by which they begin; then each executes the same
// instructions, and waits for no load.
#include "walk.cuh"

/// Lines loaded; how far apart they are.
constexpr u32 LINES = 32, APART = 9;

/// Who loads: the first `members` of SMs 0, 1, 16, 17, 32, 33, 48, 49, or, if `members` is 0, SM 0
/// and SM `partner`. Returns its number among them.
__device__ __forceinline__ u32 place(u32 members, u32 partner)
{
    u32 sm = sm_id();
    if (members == 0)
        return sm == 0 ? 0 : sm == partner ? 1 : ~0u;
    u32 n = sm / 16 * 2 + sm % 16;
    return sm < 64 && sm % 16 < 2 && n < members ? n : ~0u;
}

/// A row of dependent instructions, 4 cycles each.
template <int N> __device__ __forceinline__ void pass_time(float *value)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(*value));
}

/// Where the lines are that are for one purpose only.
__device__ __forceinline__ char *region(char *data, u32 number)
{
    return data + number * 65536 + threadIdx.x * 4;
}

/// Waits until SMs have come to the same cycle: by the clock, and, for the simulator, where
/// spinning does not depend on time, by loads that memory answers for all of them at once.
__device__ __forceinline__ void together(const char *lines)
{
    u64 start = ((clock_now() >> 13) + 2) << 13;
    while (clock_now() < start)
        ;
#pragma unroll 1
    for (u32 i = 0; i < 3; i++)
        wait_for(load_l2(lines + i * APART * 128));
}

/// Of LINES lines those sectors that the hexadecimal digit of `sectors` for this SM names, the n-th
/// SM n x `steps` steps of 20 cycles and a branch later. Each SM loads LINES lines past L1 before,
/// the first one these if they are to be in L2, and a line of its own; and all three lines
/// together. out[2 x n]: when it began; out[2 x n + 1]: cycles until all have come.
template <class Load>
__device__ __forceinline__ void late(u32 *out, char *data, u32 n, u32 steps, u32 sectors, u32 in_l2,
                                     Load load)
{
    u32 value[LINES], sum = 0;
    bool on = sectors >> (n * 4 + threadIdx.x / 8) & 1;
    float time = threadIdx.x;
    const char *touched = region(data, n == 0 && in_l2 ? 0 : n + 1);
#pragma unroll
    for (u32 k = 0; k < LINES; k++)
        value[k] = load_l2(touched + k * APART * 128);
#pragma unroll 1
    for (u32 i = 0; i < 100; i++)
        pass_time<5>(&time);
#pragma unroll
    for (u32 k = 0; k < LINES; k++)
        sum += value[k];
#pragma unroll 1
    for (u32 pass = 0; pass < 2; pass++) { // the first fills the instruction caches
        const char *at = region(data, pass ? 0 : n + 10);
        u64 stride = pass ? APART * 128 : 0;
        if (pass)
            together(region(data, 20));
#pragma unroll 1
        for (u32 i = 0; i < n * steps; i++)
            pass_time<5>(&time);
        u32 begun = (u32)clock_now();
#pragma unroll
        for (u32 k = 0; k < LINES; k++) {
            if (on)
                value[k] = load(at + k * stride);
            pass_time<12>(&time);
        }
#pragma unroll
        for (u32 k = 0; k < LINES; k++)
            sum += value[k];
        wait_for(sum + (time == 1.5f));
        u32 cycles = (u32)clock_now() - begun;
        if (on) {
            out[2 * n] = begun;
            out[2 * n + 1] = cycles;
        }
    }
}

#define LATE(NAME, INSTRUCTION)                                                                    \
    extern "C" __global__ void late_##NAME(u32 *out, char *data, u32 members, u32 partner,         \
                                           u32 steps, u32 sectors, u32 in_l2)                      \
    {                                                                                              \
        u32 n = place(members, partner);                                                           \
        if (n == ~0u)                                                                              \
            return;                                                                                \
        late(out, data, n, steps, sectors, in_l2, [](const char *at) {                             \
            u32 value;                                                                             \
            asm volatile(INSTRUCTION " %0, [%1];" : "=r"(value) : "l"(at) : "memory");             \
            return value;                                                                          \
        });                                                                                        \
    }
LATE(ld, "ld.global.u32")
LATE(ld_l2, "ld.global.cg.u32")
LATE(ld_volatile, "ld.volatile.global.u32")

/// `rounds` times, each warp of all blocks loads 128 bytes, lanes `apart` bytes apart, of a place that is the same for
/// all blocks and different for each warp and round; then a barrier (`meet`) or not, and a pause of so many steps of
/// 20 cycles and a branch. With `together`, blocks of a GPC begin at the same cycle, else as they were started.
/// Loads of a round with `ahead` are issued before those of the one before are waited for.
template <u32 AHEAD>
__device__ __forceinline__ void pace(char *data, u32 apart, u32 rounds, u32 pause, u32 meet, u32 begin, u32 size)
{
    u32 warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x & 31, sum = 0;
    u32 tile = 32 * apart;
    float time = threadIdx.x;
#pragma unroll 1
    for (u32 pass = 0; pass < 2; pass++) { // the first fills the instruction caches
        const char *at = data + 65536 + warp * tile + lane * apart;
        u32 offset = 0, step = pass ? warps * tile : 0, n = pass ? rounds : 2 * AHEAD;
        __syncthreads();
        if (pass && begin)
            together(region(data, 0));
#pragma unroll 1
        for (u32 i = 0; i < n; i += AHEAD) {
            u32 value[AHEAD];
#pragma unroll
            for (u32 k = 0; k < AHEAD; k++) {
                asm volatile("ld.global.u32 %0, [%1];" : "=r"(value[k]) : "l"(at + offset) : "memory");
                offset = (offset + step) & (size - 1);
            }
#pragma unroll
            for (u32 k = 0; k < AHEAD; k++)
                sum += value[k];
            wait_for(sum);
            if (meet)
                __syncthreads();
#pragma unroll 1
            for (u32 k = 0; k < pause; k++)
                pass_time<5>(&time);
        }
    }
    wait_for(sum + (time == 1.5f));
}

#define PACE(AHEAD)                                                                                \
    extern "C" __global__ void pace_##AHEAD(char *data, u32 apart, u32 rounds, u32 pause,          \
                                            u32 meet, u32 begin, u32 size)                         \
    {                                                                                              \
        pace<AHEAD>(data, apart, rounds, pause, meet, begin, size);                                \
    }
PACE(1)
PACE(4)
PACE(16)

/// The SM of each block. Blocks last as long as `turns` steps.
extern "C" __global__ void visit(u32 *out, u32 turns)
{
    u32 sm = sm_id();
    float time = threadIdx.x;
    if (threadIdx.x == 0)
        out[blockIdx.x] = sm;
#pragma unroll 1
    for (u32 i = 0; i < turns; i++)
        pass_time<5>(&time);
}
