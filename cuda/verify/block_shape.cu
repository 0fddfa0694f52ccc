// Blocks of one, two and three dimensions: how threads become warps.
//
// Shows lesson 1 of docs/lessons: x runs fastest, then y, then z; 40 x 2 threads are 3 warps,
// the last with 16 lanes. Every thread writes its warp, its lane and the lanes active with it.
#include "verify.h"

__global__ void block_shape(unsigned *out)
{
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    unsigned active = __activemask(), row0 = 0;
    if (threadIdx.y == 0) // threads of row 0 alone
        row0 = __activemask();
    out[3 * thread] = thread / 32 * 32 + lane;
    out[3 * thread + 1] = active;
    out[3 * thread + 2] = row0;
}

/// The active lanes of a warp, all or those of row 0, worked out from the shape.
static unsigned lanes_of(dim3 shape, unsigned warp, bool only_row0)
{
    unsigned mask = 0, threads = shape.x * shape.y * shape.z;
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned thread = 32 * warp + lane;
        bool row0 = thread / shape.x % shape.y == 0;
        if (thread < threads && (row0 || !only_row0))
            mask |= 1u << lane;
    }
    return mask;
}

int main()
{
    const dim3 shapes[] = {dim3(256), dim3(16, 16), dim3(40, 2), dim3(8, 4, 8), dim3(5, 7, 3)};
    verify::Program program("block_shape");
    for (dim3 shape : shapes) {
        unsigned threads = shape.x * shape.y * shape.z;
        verify::Buffer<unsigned> to(3 * threads);
        block_shape<<<1, shape>>>(to.data);
        program.launched("block_shape");
        std::vector<unsigned> want;
        for (unsigned thread = 0; thread < threads; thread++) {
            bool row0 = thread / shape.x % shape.y == 0;
            want.push_back(thread);
            want.push_back(lanes_of(shape, thread / 32, false));
            want.push_back(row0 ? lanes_of(shape, thread / 32, true) : 0);
        }
        program.equal("numbers", program.output("numbers", to), want);
    }
    return program.finish();
}
