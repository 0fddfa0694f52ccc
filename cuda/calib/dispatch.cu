// When and on which SM blocks and warps begin and end. Warps read the clock, run `turns` times 16
// dependent FFMAs, and read the clock again. life: out holds {SM, slot, first clock, last clock} of
// each warp of the grid; place: the SM of each block; stamps: {first, last} clock of the blocks of
// one SM.
typedef unsigned u32;

__device__ __forceinline__ u32 clock_now(void)
{
    u32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}

__device__ __forceinline__ u32 sm_id(void)
{
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__device__ __forceinline__ float work(int turns)
{
    float a = threadIdx.x;
    for (int i = 0; i < turns; i++) {
#pragma unroll
        for (int j = 0; j < 16; j++)
            asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(a));
    }
    return a;
}

extern "C" __global__ void life(u32 *out, int turns)
{
    u32 first = clock_now();
    u32 sm = sm_id();
    u32 slot;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    float a = work(turns);
    u32 last = clock_now();
    if (a == 1.25f)
        last = 0;
    if (threadIdx.x % 32 == 0) {
        u32 *mine = out + 4 * ((blockIdx.x * blockDim.x + threadIdx.x) / 32);
        mine[0] = sm;
        mine[1] = slot;
        mine[2] = first;
        mine[3] = last;
    }
}

extern "C" __global__ void place(u32 *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = sm_id();
}

// Blocks of the SM `sm` in order of arrival: out[2 n] = when warp `which` of block n began, out[2 n
// + 1] = when it ended. `arrivals` counts the blocks of the SM.
extern "C" __global__ void stamps(u32 *out, u32 *arrivals, u32 sm, int turns, u32 which)
{
    u32 first = clock_now();
    bool mine = sm_id() == sm && threadIdx.x == 32 * which;
    u32 n = mine ? atomicAdd(arrivals, 1) : 0;
    float a = work(turns);
    u32 last = clock_now();
    if (a == 1.25f)
        last = 0;
    if (mine) {
        out[2 * n] = first;
        out[2 * n + 1] = last;
    }
}
