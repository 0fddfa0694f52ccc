// Greatest common divisors of pairs of words by Euclid's algorithm, and of 64-bit words by the
// binary one.
//
// Shows chains of integer divisions, each waiting for the one before, and lanes that end early.
#include "verify.h"

__host__ __device__ inline uint32_t euclid(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/// Both odd.
__host__ __device__ inline uint64_t binary(uint64_t a, uint64_t b)
{
    while (a != b) {
        if (a < b) {
            uint64_t other = a;
            a = b;
            b = other;
        }
        a -= b;
        while (a % 2 == 0)
            a /= 2;
    }
    return a;
}

__global__ void gcd(const uint32_t *words, uint32_t *out, uint64_t *wide)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t a = words[2 * i], b = words[2 * i + 1];
    out[i] = euclid(words[2 * i] * 6 % 4000000000u, words[2 * i + 1] * 6);
    wide[i] = binary((a << 24 | b) | 1, (b << 24 | a) | 1);
}

int main()
{
    const uint32_t n = 16896;
    verify::Program program("gcd");
    std::vector<uint32_t> words = verify::random_words(2 * n, 1), want;
    std::vector<uint64_t> want_wide;
    verify::Buffer<uint32_t> device_words(words), out(n);
    verify::Buffer<uint64_t> wide(n);
    gcd<<<n / 128, 128>>>(device_words.data, out.data, wide.data);
    program.launched("gcd");
    for (uint32_t i = 0; i < n; i++) {
        uint64_t a = words[2 * i], b = words[2 * i + 1];
        want.push_back(euclid(words[2 * i] * 6 % 4000000000u, words[2 * i + 1] * 6));
        want_wide.push_back(binary((a << 24 | b) | 1, (b << 24 | a) | 1));
    }
    program.equal("divisor", program.output("divisors", out), want);
    program.equal("wide divisor", program.output("wide", wide), want_wide);
    return program.finish();
}
