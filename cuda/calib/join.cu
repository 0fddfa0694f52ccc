// Reads of the same lines by several SMs of a GPC, some cycles apart: which reads are joined on
// their way to L2. The SMs of a GPC have a common clock, and start by it. Then each SM executes the
// same instructions, and waits for no load.
#include "walk.cuh"

/// Number of lines that are loaded; distance from line to line, in lines of 128 bytes.
constexpr u32 LINES = 32, APART = 9;

/// Chooses the SMs that load: the first `members` of SMs 0, 1, 16, 17, 32, 33, 48, 49; if `members`
/// is 0, SM 0 and SM `partner`. Returns the SM's index among them.
__device__ __forceinline__ u32 place(u32 members, u32 partner)
{
    u32 sm = sm_id();
    if (members == 0)
        return sm == 0 ? 0 : sm == partner ? 1 : ~0u;
    u32 n = sm / 16 * 2 + sm % 16;
    return sm < 64 && sm % 16 < 2 && n < members ? n : ~0u;
}

/// N dependent instructions of 4 cycles each.
template <int N> __device__ __forceinline__ void pass_time(float *value)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(*value));
}

/// Returns the memory of one purpose: region `number` of the buffer.
__device__ __forceinline__ char *region(char *data, u32 number)
{
    return data + number * 65536 + threadIdx.x * 4;
}

/// Waits until the SMs are at the same cycle: by the clock, and by loads that memory answers for
/// all SMs at once. The loads are for the simulator, where spinning does not depend on time.
__device__ __forceinline__ void together(const char *lines)
{
    u64 start = ((clock_now() >> 13) + 2) << 13;
    while (clock_now() < start)
        ;
#pragma unroll 1
    for (u32 i = 0; i < 3; i++)
        wait_for(load_l2(lines + i * APART * 128));
}

/// SM n loads, of LINES lines, the sectors that its hexadecimal digit of `sectors` names, n x
/// `steps` steps (20 cycles and a branch) after SM 0. Before, each SM loads LINES lines past L1
/// (the first SM loads the measured lines, if they are to be in L2), a line of its own, and all SMs
/// three common lines together. out[2 x n]: when the SM began; out[2 x n + 1]: cycles until all
/// sectors have arrived.
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
    for (u32 pass = 0; pass < 2; pass++) { // the first pass fills the instruction caches
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

/// `rounds` times, each warp of all blocks loads 128 bytes, lanes `apart` bytes apart. The place is
/// the same for all blocks, and different for each warp and round. Then follow a barrier (if
/// `meet`) and a pause of `pause` steps of 20 cycles and a branch. `begin`: the blocks of a GPC
/// begin at the same cycle, else as they were started. The loads of AHEAD rounds are issued before
/// the first of them is waited for.
template <u32 AHEAD>
__device__ __forceinline__ void pace(char *data, u32 apart, u32 rounds, u32 pause, u32 meet, u32 begin, u32 size)
{
    u32 warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x & 31, sum = 0;
    u32 tile = 32 * apart;
    float time = threadIdx.x;
#pragma unroll 1
    for (u32 pass = 0; pass < 2; pass++) { // the first pass fills the instruction caches
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

/// Writes the SM of each block. A block lasts `turns` steps.
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
