// Two steps over an array of 48 MB: the whole array step by step, or pieces of 3 MB that pass
// through both steps while they are in L2.
//
// Shows what L2 spares if work is ordered for it. All blocks wait for each other between steps, in
// one launch.
#include "verify.h"

__host__ __device__ inline uint32_t change(uint32_t word, uint32_t step)
{
    return (word ^ step) * 2654435769u + (word >> 3);
}

__global__ void l2_blocking(uint4 *data, uint32_t quads, uint32_t piece, unsigned *arrived)
{
    unsigned goal = 0;
    for (uint32_t first = 0; first < quads; first += piece)
        for (uint32_t step = 0; step < 2; step++) {
            for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < piece;
                 k += gridDim.x * blockDim.x) {
                uint4 q = data[first + (step % 2 ? piece - 1 - k : k)];
                q.x = change(q.x, step), q.y = change(q.y, step);
                q.z = change(q.z, step), q.w = change(q.w, step);
                data[first + (step % 2 ? piece - 1 - k : k)] = q;
            }
            __syncthreads();
            goal += gridDim.x;
            if (threadIdx.x == 0) {
                __threadfence();
                atomicAdd(arrived, 1u);
                while (*(volatile unsigned *)arrived < goal)
                    ;
                __threadfence();
            }
            __syncthreads();
        }
}

int main()
{
    const uint32_t quads = 3u << 20;
    verify::Program program("l2_blocking");
    for (uint32_t piece : {quads, quads / 16}) {
        verify::Buffer<uint32_t> data(4 * quads);
        verify::Buffer<unsigned> arrived(1);
        uint4 *words = (uint4 *)data.data;
        void *arguments[] = {&words, (void *)&quads, (void *)&piece, &arrived.data};
        verify::must(
            cudaLaunchCooperativeKernel((const void *)l2_blocking, 132, 512, arguments, 0, 0),
            "cudaLaunchCooperativeKernel");
        program.launched("l2_blocking");
        uint32_t want = 0;
        for (uint32_t step = 0; step < 2; step++)
            want = change(want, step);
        std::vector<uint32_t> got = data.read();
        program.equal("word", got, std::vector<uint32_t>(got.size(), want));
        program.output("arrived", arrived);
    }
    return program.finish();
}
