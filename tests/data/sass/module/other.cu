__device__ int shared_counter = 3;

__device__ __noinline__ float deeper(float x)
{
    volatile float room[8];
    room[(int)x & 7] = x;
    return room[(int)x & 3];
}

__device__ float far(float x, int k)
{
    return k ? deeper(x * k) : x;
}

__global__ void third(float *p)
{
    __shared__ float s[64];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x ^ 1];
}
