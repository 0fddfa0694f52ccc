// Loops whose bodies have 8, 30, 60 and 240 KB of code, passed three times by one warp per SM.
//
// Shows which level of the instruction caches holds the body when it comes again.
#include "verify.h"

template <int N>
__host__ __device__ __forceinline__ void body(float &a, float &b, float &c, float &d)
{
    if constexpr (N <= 16) {
        for (int k = 0; k < N; k++) {
            a = fmaf(a, b, c);
            b = fmaf(b, 0.5f, d);
            c = fmaf(c, a, 0.25f);
            d = fmaf(d, 0.125f, a);
        }
    } else {
        body<N / 2>(a, b, c, d);
        body<N - N / 2>(b, c, d, a);
    }
}

template <int N> __host__ __device__ inline float run(int lane, int rounds)
{
    float a = 0.125f, b = 0.25f, c = 0.5f, d = (float)lane / 64.0f;
    for (int r = 0; r < rounds; r++) {
        body<N>(a, b, c, d);
        a = fminf(fmaxf(a, 0.0f), 1.0f);
        b = fminf(fmaxf(b, 0.0f), 1.0f);
        c = fminf(fmaxf(c, 0.0f), 1.0f);
        d = fminf(fmaxf(d, 0.0f), 1.0f);
    }
    return a + b + c + d;
}

template <int N> __global__ void code_loop(float *out, int rounds)
{
    out[blockIdx.x * 32 + threadIdx.x] = run<N>(threadIdx.x, rounds);
}

const int rounds = 3;

template <int N> void test(verify::Program &program)
{
    const int threads = 132 * 32;
    verify::Buffer<float> out(threads);
    code_loop<N><<<threads / 32, 32>>>(out.data, rounds);
    program.launched("code_loop");
    std::vector<float> want;
    for (int lane = 0; lane < 32; lane++)
        want.push_back(run<N>(lane, rounds));
    for (int i = 32; i < threads; i++)
        want.push_back(want[i % 32]);
    program.equal("value", program.output("values", out), want);
}

int main()
{
    verify::Program program("code_loop");
    test<128>(program);
    test<480>(program);
    test<960>(program);
    test<3840>(program);
    return program.finish();
}
