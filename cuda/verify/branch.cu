// x = x / 2 + 1 or x = x / 4 + 2: by a branch that splits every warp, by one that splits none, and
// without a branch.
//
// Shows lesson 2 of docs/lessons (branch efficiency). The compiler turns a short branch into
// predicated instructions, as in branch_short; sixteen steps on each side are too long for that.
#include "verify.h"

const int grid = 320, block = 128;

/// `times` steps of x = x * a + b, which the compiler must not shorten.
template <int times> __device__ float side(float x, float a, float b)
{
#pragma unroll
    for (int i = 0; i < times; i++)
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
    return x;
}

/// `granularity`: threads that decide alike.
template <int times> __device__ void choose(float *out, int granularity, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, group = i / granularity;
    float x = (float)(i & 7);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        if ((group + r) % 2 == 0)
            x = side<times>(x, 0.5f, 1.0f);
        else
            x = side<times>(x, 0.25f, 2.0f);
    }
    out[i] = x;
}

__global__ void branch(float *out, int granularity, int rounds)
{
    choose<16>(out, granularity, rounds);
}

__global__ void branch_short(float *out, int granularity, int rounds)
{
    choose<1>(out, granularity, rounds);
}

static std::vector<float> expected(int granularity, int rounds, int times)
{
    std::vector<float> want;
    for (int i = 0; i < grid * block; i++) {
        float x = (float)(i & 7);
        for (int step = 0; step < rounds * times; step++) {
            bool even = (i / granularity + step / times) % 2 == 0;
            x = std::fmaf(x, even ? 0.5f : 0.25f, even ? 1.0f : 2.0f);
        }
        want.push_back(x);
    }
    return want;
}

int main()
{
    verify::Program program("branch");
    verify::Buffer<float> out(grid * block);
    for (int granularity : {1, 32}) {
        branch<<<grid, block>>>(out.data, granularity, 8);
        program.launched("branch");
        program.equal("x", program.output("x", out), expected(granularity, 8, 16));
    }
    branch_short<<<grid, block>>>(out.data, 1, 64);
    program.launched("branch_short");
    program.equal("x of branch_short", program.output("x", out), expected(1, 64, 1));
    return program.finish();
}
