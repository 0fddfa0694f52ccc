/* Barriers that lanes of a warp come to one after the other: test_sass_exec_apart.c. MANIFEST says
 * how this is compiled. */
#define KERNEL extern "C" __global__ void

/* nvcc makes it one path with predicates, for code of sm_90 without parting the lanes. */
KERNEL predicated(int *out)
{
    int t = threadIdx.x;
    if (t & 1) {
        __syncthreads();
        out[t] = 1;
    } else {
        out[t] = 2;
        __syncthreads();
    }
    out[t] += out[(t + 1) & 31];
}

/* Here the paths are two: nobody comes on (an H200 hangs). */
KERNEL branches(int *out, volatile int *turns)
{
    int t = threadIdx.x;
    if (t & 1) {
        for (int i = 0; i < turns[0]; i++)
            out[t] += i;
        __syncthreads();
        out[t] += 1;
    } else {
        for (int i = 0; i < turns[1]; i++)
            out[t] -= i;
        __syncthreads();
        out[t] -= 1;
    }
}

/* Half of each warp ends instead. */
KERNEL half_ends(int *out)
{
    __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = t;
    if (t & 16)
        return;
    __syncthreads();
    out[t] = part[(t + 32) & 63];
}
