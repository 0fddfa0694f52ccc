// One warp, one branch, two paths of very different length.
//
// Shows lesson 2 of docs/lessons: the first `a` lanes take 100 additions, the others one. The
// additions must not be folded into one: they are inline PTX.
#include "verify.h"

__device__ float add(float x, float y)
{
    asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
    return x;
}

__global__ void two_paths(float *out, int a, float y)
{
    int lane = threadIdx.x;
    float x = (float)lane;
    if (lane < a) {
#pragma unroll
        for (int i = 0; i < 100; i++)
            x = add(x, y);
    } else {
        x = add(x, y);
    }
    out[lane] = x;
}

int main()
{
    const int splits[] = {32, 0, 16, 31, 1};
    verify::Program program("two_paths");
    verify::Buffer<float> out(32);
    for (int a : splits) {
        two_paths<<<1, 32>>>(out.data, a, 0.5f);
        program.launched("two_paths");
        std::vector<float> want;
        for (int lane = 0; lane < 32; lane++)
            want.push_back((float)lane + (lane < a ? 50.0f : 0.5f)); // exact
        program.equal("x", program.output("x", out), want);
    }
    return program.finish();
}
