// Linked with other.cu: a kernel calls a function of another object.
extern __device__ float far(float x, int k);
extern __device__ int shared_counter;
__device__ float (*chosen)(float, int) = far;

__global__ void near(float *p, int k)
{
    p[threadIdx.x] = far(p[threadIdx.x], k) + shared_counter;
}

__global__ void through_pointer(float *p, int k)
{
    p[threadIdx.x] = chosen(p[threadIdx.x], k);
}
