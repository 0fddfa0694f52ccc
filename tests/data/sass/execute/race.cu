/* Blocks that race through global memory: thread 0 of each takes numbers, one turn at a time. */

/* Atomically. */
extern "C" __global__ void take(int *counter, int *out, int turns)
{
    for (int i = 0; threadIdx.x == 0 && i < turns; i++)
        out[blockIdx.x * turns + i] = atomicAdd(counter, 1);
}

/* Not so: what others add between load and store is lost. */
extern "C" __global__ void lose(volatile int *counter, int *out, int turns)
{
    for (int i = 0; threadIdx.x == 0 && i < turns; i++) {
        int number = *counter;
        out[blockIdx.x * turns + i] = number;
        *counter = number + 1;
    }
}

/* Likewise, with loads that need not see what others write. */
extern "C" __global__ void plain(int *counter, int *out, int turns)
{
    for (int i = 0; threadIdx.x == 0 && i < turns; i++) {
        int number;
        asm volatile("ld.global.s32 %0, [%1];" : "=r"(number) : "l"(counter) : "memory");
        out[blockIdx.x * turns + i] = number;
        asm volatile("st.global.s32 [%0], %1;" ::"l"(counter), "r"(number + 1) : "memory");
    }
}

/* The first block waits for the last one's flag, and all others too; it says how many had ended. */
extern "C" __global__ void await(volatile int *flag, int *ended, int *out)
{
    if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1)
        *flag = 1;
    while (threadIdx.x == 0 && *flag == 0)
        ;
    if (threadIdx.x == 0)
        out[blockIdx.x] = atomicAdd(ended, 1);
}

/* The first block goes from one entry of `next` to another, `turns` times, and changes nothing
 * meanwhile; the others have ended before. */
extern "C" __global__ void follow(int *counter, const int *next, int *out, int turns)
{
    int at = 0;
    for (int i = 0; blockIdx.x == 0 && i < turns; i++)
        asm volatile("ld.global.s32 %0, [%1];" : "=r"(at) : "l"(next + at) : "memory");
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = at;
        out[2 * blockIdx.x + 1] = atomicAdd(counter, 1);
    }
}
