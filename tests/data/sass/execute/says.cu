/* Prints, and adds to memory. MANIFEST says how this is compiled. */
#include <stdio.h>

extern "C" __global__ void says(int *sum, int n)
{
    printf("thread %d, %d\n", threadIdx.x, n);
    sum[threadIdx.x] += n;
}
