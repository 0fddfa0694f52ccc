__device__ void put(int *p, int i)
{
    p[i] = i;
}

__device__ void put_both(int *p, int i)
{
    put(p, i);
    put(p, 2 * i);
}

__global__ void fill(int *p)
{
    put_both(p, threadIdx.x);
}
