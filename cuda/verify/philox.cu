// Random numbers by Philox 4x32-10, and normal numbers made of them by the method of Box and
// Muller.
//
// Shows multiplications with 64-bit results, and logarithms, roots, sines and cosines.
#include "verify.h"

__host__ __device__ inline uint4 philox(uint4 counter, uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xd2511f53u * counter.x, b = (uint64_t)0xcd9e8d57u * counter.z;
        counter = {(uint32_t)(b >> 32) ^ counter.y ^ key0, (uint32_t)b,
                   (uint32_t)(a >> 32) ^ counter.w ^ key1, (uint32_t)a};
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    return counter;
}

__global__ void words(uint4 *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = philox({i, 0, 0, 0}, 1, 2);
}

__global__ void normals(float2 *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 random = philox({i, 1, 0, 0}, 1, 2);
    float u = ((float)(random.x >> 8) + 0.5f) / 16777216.0f, sine, cosine;
    float radius = sqrtf(-2.0f * logf(u));
    sincospif((float)(random.y >> 8) / 8388608.0f, &sine, &cosine);
    out[i] = make_float2(radius * cosine, radius * sine);
}

int main()
{
    const uint32_t n = 132 * 512;
    verify::Program program("philox");
    uint4 known = philox({0, 0, 0, 0}, 0, 0); // the authors' test vector
    program.holds("known numbers", known.x == 0x6627e8d5u && known.w == 0x9b00dbd8u);
    std::vector<uint32_t> want;
    std::vector<double> want_normal;
    for (uint32_t i = 0; i < n; i++) {
        uint4 x = philox({i, 0, 0, 0}, 1, 2), y = philox({i, 1, 0, 0}, 1, 2);
        want.insert(want.end(), {x.x, x.y, x.z, x.w});
        double radius = std::sqrt(-2.0 * std::log(((double)(y.x >> 8) + 0.5) / 16777216.0));
        double angle = 3.14159265358979323846 * (y.y >> 8) / 8388608.0;
        want_normal.insert(want_normal.end(), {radius * std::cos(angle), radius * std::sin(angle)});
    }
    verify::Buffer<uint32_t> out(4 * n);
    verify::Buffer<float> normal(2 * n);
    words<<<n / 256, 256>>>((uint4 *)out.data);
    program.launched("words");
    program.equal("word", program.output("words", out), want);
    normals<<<n / 256, 256>>>((float2 *)normal.data);
    program.launched("normals");
    program.close("normal", program.output("normals", normal), want_normal, 1e-5, 1e-5);
    return program.finish();
}
