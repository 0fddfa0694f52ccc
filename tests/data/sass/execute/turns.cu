// Two groups of four warps take turns by barriers whose numbers are in registers, as cuDNN's kernels
// do: out[turn] is the turn that the group has seen. MANIFEST says how this is compiled.
extern "C" __global__ void turns(int *out, int rounds)
{
    __shared__ int turn;
    const int group = threadIdx.x / 128, own = 1 + group, other = 2 - group;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    if (group == 1)
        asm volatile("bar.arrive %0, 256;" ::"r"(other) : "memory");
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        asm volatile("bar.sync %0, 256;" ::"r"(own) : "memory");
        for (long long begun = clock64(); group == 0 && clock64() - begun < 200;)
            ;
        if (threadIdx.x % 128 == 0)
            out[2 * round + group] = turn++;
        if (group == 0 || round + 1 < rounds)
            asm volatile("bar.arrive %0, 256;" ::"r"(other) : "memory");
    }
}

// Names `threads` threads: on an H200, 2048 and more are an illegal instruction.
extern "C" __global__ void crowd(unsigned threads)
{
    asm volatile("bar.arrive 1, %0;" ::"r"(threads) : "memory");
}
