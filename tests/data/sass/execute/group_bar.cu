// Two warp groups use one barrier for 128 threads: it opens for warps of both, and all come through
// because no warp goes past WARPGROUP.ARRIVE (wgmma.fence) before its group. Warp 2 comes after warp 3
// to the first turn. Built in this folder with
//
//     nvcc -cubin -arch=sm_90a -o group_bar.sm_90.cubin group_bar.cu
extern "C" __global__ void share(int *out)
{
    __shared__ volatile int begun;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        begun = 0;
    __syncthreads();
    if (threadIdx.x == 3 * 32)
        begun = 1;
    while (warp == 2 && !begun)
        ;
#pragma unroll 1
    for (int turn = 0; turn < 2; turn++) {
        asm volatile("bar.sync 0, 128;\n\twgmma.fence.sync.aligned;" ::: "memory");
        out[threadIdx.x] += 1 + turn;
    }
}
