// Which side of a branch runs first: lanes of `mask` take one side, the other lanes take the other
// side, and each side reads the clock. out[lane]: 0 if the lane's side ran first, else 1. Expected
// code: BSSY, a branch under a predicate, NANOSLEEP on both sides (so that the compiler keeps two
// sides).
typedef unsigned u32;

extern "C" __global__ void sides(u32 *out, u32 mask)
{
    u32 now;
    if (mask >> threadIdx.x & 1) {
        asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
        asm volatile("nanosleep.u32 20;");
    } else {
        asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
        asm volatile("nanosleep.u32 10;");
    }
    __syncwarp();
    u32 first = now;
    for (int i = 1; i < 32; i *= 2)
        first = min(first, __shfl_xor_sync(0xffffffff, first, i));
    out[threadIdx.x] = now != first;
}

// A lane leaves a loop after lane / 4 + 1 iterations: out[lane] is the rank of the lane's clock
// behind the loop.
extern "C" __global__ void leave(u32 *out)
{
    u32 now;
    for (u32 i = 0; i < threadIdx.x / 4 + 1; i++)
        asm volatile("nanosleep.u32 10;");
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    __syncwarp();
    u32 rank = 0;
    for (int i = 0; i < 32; i++)
        rank += __shfl_sync(0xffffffff, now, i) < now;
    out[threadIdx.x] = rank;
}
