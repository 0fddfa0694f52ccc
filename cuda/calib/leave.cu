// The cost of a warp's last instructions for the next block in its place: does EXIT wait for
// stores, reductions and loads whose results are unused? One block at a time fits into an SM (its
// shared memory). Blocks 1 to `sms` - 1 stay to the end, each on an SM of its own. All further
// blocks therefore run on the SM of block 0, with no other work; they are counted from 0. Blocks
// with odd numbers end before the instruction in question; in blocks with even numbers it is the
// last instruction before EXIT. The difference is measured between the first clocks of successive
// blocks. *out = the sum of the differences over blocks 4 to 11: four times the cost of the
// instruction. Expected machine code at the end: @P EXIT, STG, EXIT.
typedef unsigned u32;

// Iterations of a counted block, long enough for the answers to everything that it began with;
// iterations of a block that stays; the number of a block that stays.
enum { TURNS = 12, STAY = 600, OTHER = 0x7fffffff };

__device__ __forceinline__ u32 clock_now(void)
{
    u32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}

__device__ __forceinline__ float work(int turns)
{
    float a = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < turns; i++) {
#pragma unroll
        for (int j = 0; j < 16; j++)
            asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(a));
    }
    return a;
}

// Reads the first clock of this block and adds up differences. Returns the block's number; OTHER if
// it stays.
__device__ __forceinline__ u32 arrive(int *out, u32 *stamp, u32 sms)
{
    u32 first = clock_now();
    u32 n = blockIdx.x == 0 ? 0 : blockIdx.x < sms ? OTHER : blockIdx.x - sms + 1;
    if (threadIdx.x == 0 && n != OTHER) {
        int since = (int)(first - *(volatile u32 *)stamp);
        *(volatile u32 *)stamp = first;
        if (n >= 5 && n < 13)
            atomicAdd(out, n % 2 ? since : -since);
    }
    __syncthreads();
    return n;
}

// Returns the shared memory word of the thread.
__device__ __forceinline__ u32 place(u32 more)
{
    extern __shared__ u32 word[];
    return (u32)__cvta_generic_to_shared(word + 1 + threadIdx.x + more);
}

#define LEAVE(name, words, text)                                                                        \
    extern "C" __global__ void leave_##name(int *out, u32 *stamp, float *away, u32 sms)                 \
    {                                                                                                   \
        u32 n = arrive(out, stamp, sms);                                                                \
        float a = work(n == OTHER ? STAY : TURNS);                                                      \
        float *to = away + words * threadIdx.x + (a == 1.25f);                                          \
        u32 shared = place(a == 1.25f);                                                                 \
        float b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;                                                 \
        asm volatile("{ .reg .pred p; .reg .f32 x; .reg .u32 t; and.b32 t, %6, 1;\n"                    \
                     "setp.eq.u32 p, t, 0;\n@p " text "}" ::"l"(to),                                    \
                     "f"(a), "f"(b), "f"(c), "f"(d), "r"(shared), "r"(n)                                \
                     : "memory");                                                                       \
    }

LEAVE(st, 1, "st.global.f32 [%0], %1;\n")
LEAVE(st_wide, 4, "st.global.v4.f32 [%0], {%1, %2, %3, %4};\n")
LEAVE(red, 1, "red.global.add.f32 [%0], %1;\n")
LEAVE(sts, 1, "st.shared.f32 [%5], %1;\n")
LEAVE(ld, 1, "ld.volatile.global.f32 x, [%0];\n")
