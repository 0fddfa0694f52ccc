// Threads hand values to the next warp of their warp group. warp_groups.sm_90.cubin is this code, built
// in this folder with
//
//     nvcc -cubin -arch=sm_90 -o warp_groups.sm_90.cubin warp_groups.cu
//
// and its BAR.SYNC replaced by WARPGROUP.WAIT, which nvcc does not emit and cuBLASLt has: the low word
// is 0x79c5, and in the high word, whose control bits stay, bit 15 is set alone.
extern "C" __global__ void hand_on(int *out)
{
    __shared__ int held[256];
    held[threadIdx.x] = 1000 + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = held[threadIdx.x / 128 * 128 + (threadIdx.x + 32) % 128];
}
