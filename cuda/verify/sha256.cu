// SHA-256 of many short messages, one per thread.
//
// Shows integer code alone: rotations (SHF), three-input logic (LOP3) and additions (IADD3), fully
// unrolled into one long straight line.
#include "verify.h"

__constant__ unsigned device_k[64];

/// The first 32 bits of the fractional part of the cube root of the i-th prime, as the standard
/// says.
static std::vector<unsigned> constants()
{
    std::vector<unsigned> k;
    for (unsigned candidate = 2; k.size() < 64; candidate++) {
        bool prime = true;
        for (unsigned divisor = 2; divisor * divisor <= candidate; divisor++)
            prime &= candidate % divisor != 0;
        if (prime) {
            long double root = cbrtl((long double)candidate);
            k.push_back((unsigned)((root - floorl(root)) * 4294967296.0L));
        }
    }
    return k;
}

__host__ __device__ static inline unsigned rotate(unsigned x, int by)
{
    return x >> by | x << (32 - by);
}

/// Hashes one block of 16 words into the eight words of `state`.
__host__ __device__ static void compress(unsigned *state, unsigned *w, const unsigned *k)
{
    unsigned s[8];
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        unsigned e = s[4], a = s[0], word = w[i % 16];
        unsigned t = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                     ((e & s[5]) ^ (~e & s[6])) + k[i] + word;
        unsigned u = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += t;
        s[0] = t + u;
        unsigned x = w[(i + 1) % 16], y = w[(i + 14) % 16];
        w[i % 16] = word + w[(i + 9) % 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) +
                    (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

/// The hash of the message of three letters that `number` stands for.
__host__ __device__ static void sha256(unsigned number, unsigned *state, const unsigned *k)
{
    const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned letters = (97 + number % 26) << 24 | (97 + number / 26 % 26) << 16 |
                       (97 + number / 676 % 26) << 8 | 0x80;
    unsigned w[16] = {letters, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24};
    for (int i = 0; i < 8; i++)
        state[i] = start[i];
    compress(state, w, k);
}

__global__ void sha256_all(unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state[8];
    if (i >= n)
        return;
    sha256(i, state, device_k);
    for (int k = 0; k < 8; k++)
        out[k * n + i] = state[k];
}

int main()
{
    const unsigned n = 26 * 26 * 26;
    verify::Program program("sha256");
    std::vector<unsigned> k = constants(), want(8 * n), abc(8);
    verify::must(cudaMemcpyToSymbol(device_k, k.data(), sizeof device_k), "cudaMemcpyToSymbol");
    verify::Buffer<unsigned> out(8 * n);

    sha256_all<<<(n + 127) / 128, 128>>>(out.data, n);
    program.launched("sha256_all");

    for (unsigned i = 0; i < n; i++) {
        unsigned state[8];
        sha256(i, state, k.data());
        for (int j = 0; j < 8; j++)
            want[j * n + i] = state[j];
    }
    sha256(0 + 26 * 1 + 676 * 2, abc.data(), k.data());
    program.holds("the published hash of abc", abc[0] == 0xba7816bf && abc[7] == 0xf20015ad);
    program.equal("word", program.output("hashes", out), want);
    return program.finish();
}
