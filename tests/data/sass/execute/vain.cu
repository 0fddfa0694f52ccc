/* Loops that read memory in vain, for ever, and loops that only look like it:
 * tests/integration/test_vain.c. MANIFEST says how this is compiled. */
#define KERNEL extern "C" __global__ void

/* Sixteen flags, one after the other. */
KERNEL polls_many_words(volatile int *flag)
{
    while ((flag[0] | flag[64] | flag[1] | flag[65] | flag[2] | flag[66] | flag[3] | flag[67] |
            flag[4] | flag[68] | flag[5] | flag[69] | flag[6] | flag[70] | flag[7] | flag[71]) == 0)
        ;
}

/* The flags of many others, in a loop. */
KERNEL polls_all_words(volatile int *flag, int *out, int words)
{
    int any = 0;
    while (!any)
#pragma unroll 1
        for (int i = 0; i < words; i++)
            any |= flag[i];
    *out = any;
}

/* Six flags, and a counter of the turns. */
KERNEL polls_and_counts(volatile int *flag, int *out)
{
    int turns = 0;
    while ((flag[0] | flag[1] | flag[2] | flag[3] | flag[4] | flag[5]) == 0)
        turns++;
    *out = turns;
}

/* A counter in local memory: an array, at an index that nvcc does not know. */
KERNEL polls_and_spills(volatile int *flag, int *out, int at)
{
    volatile int turns[64] = {0};
    while (*flag == 0)
        turns[at] = turns[at] + 1;
    *out = turns[at];
}

/* Half of the warps wait for a flag in shared memory, the others at a barrier for these. */
KERNEL polls_shared_memory(int *out)
{
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    while (threadIdx.x >= 32 && ready == 0)
        ;
    __syncthreads();
    *out = 1;
}

/* Goes through four words of shared memory, `turns` times. */
KERNEL walks(int *out, int turns)
{
    __shared__ volatile int next[4];
    int at = 0;
    if (threadIdx.x < 4)
        next[threadIdx.x] = (threadIdx.x + 1) & 3;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < turns; i++)
        at = next[at];
    out[threadIdx.x] = at;
}

/* The first warp computes, and the second looks at shared memory and waits for it, turn by turn. */
KERNEL meets(int *out, int turns)
{
    __shared__ volatile int limit;
    int turn = 0, work = 0;
    if (threadIdx.x == 0)
        limit = turns;
    __syncthreads();
    do {
        if (threadIdx.x < 32)
            turn++;
        work = limit;
    } while (__syncthreads_or(turn > 0 && turn < turns));
    out[threadIdx.x] = threadIdx.x < 32 ? turn : work;
}

/* Counts in local memory, with a load of shared memory in each turn. */
KERNEL walks_and_spills(int *out, int turns, int at)
{
    __shared__ volatile int one;
    volatile int left[64];
    left[at] = turns;
    one = 1;
    __syncthreads();
    while (left[at] > 0)
        left[at] = left[at] - one;
    out[threadIdx.x] = left[at];
}
