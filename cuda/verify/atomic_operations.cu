// All integer atomics, 32 and 64 bits wide, on 4096 words of global memory: first without use of
// the word that they return, then with.
//
// Shows RED and ATOMG with add, min, max, and, or, xor, exchange and compare-and-swap.
#include "verify.h"

typedef unsigned long long Wide;
const uint32_t places = 4096;

template <typename T> __host__ __device__ inline T operand(uint32_t i)
{
    return (T)(verify::random_word(7, i) * (sizeof(T) == 8 ? 0x100000001ull : 1ull));
}

template <typename T> __global__ void unreturned(T *data, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T x = operand<T>(i);
    uint32_t at = i * 33 % places;
    atomicAdd(&data[at], x);
    atomicMin(&data[places + at], x);
    atomicMax(&data[2 * places + at], x);
    atomicAnd(&data[3 * places + at], x);
    atomicOr(&data[4 * places + at], x);
    atomicXor(&data[5 * places + at], x);
}

/// Every place is touched once: what is returned does not depend on the order.
template <typename T> __global__ void returned(T *data, T *before)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, at = i % places;
    T x = operand<T>(i), *word = &data[i], got = 0;
    switch (i / places) {
    case 0:
        got = atomicAdd(word, x);
        break;
    case 1:
        got = atomicMin(word, x);
        break;
    case 2:
        got = atomicMax(word, x);
        break;
    case 3:
        got = atomicAnd(word, x);
        break;
    case 4:
        got = atomicExch(word, x);
        break;
    case 5:
        got = atomicCAS(word, at % 2 ? (T)0 : *(volatile T *)word, x);
        break;
    }
    before[i] = got;
}

template <typename T> void test(verify::Program &program, const char *kernels[2])
{
    const uint32_t n = 40000;
    std::vector<T> words(6 * places, 0);
    for (uint32_t k = 0; k < places; k++)
        words[places + k] = words[3 * places + k] = (T)-1;
    verify::Buffer<T> data(words), before(6 * places);
    unreturned<T><<<(n + 127) / 128, 128>>>(data.data, n);
    program.launched(kernels[0]);
    for (uint32_t i = 0; i < n; i++) {
        T x = operand<T>(i), *word = &words[i * 33 % places];
        word[0] += x;
        word[places] = std::min(word[places], x);
        word[2 * places] = std::max(word[2 * places], x);
        word[3 * places] &= x;
        word[4 * places] |= x;
        word[5 * places] ^= x;
    }
    program.equal("word", program.output("words", data), words);
    returned<T><<<6 * places / 128, 128>>>(data.data, before.data);
    program.launched(kernels[1]);
    program.equal("before", program.output("before", before), words);
    for (uint32_t i = 0; i < 6 * places; i++) {
        T x = operand<T>(i), w = words[i];
        const T after[6] = {
            w + x, std::min(w, x), std::max(w, x), w & x, x, i % 2 == 0 || w == 0 ? x : w};
        words[i] = after[i / places];
    }
    program.equal("word after", program.output("after", data), words);
}

int main()
{
    verify::Program program("atomic_operations");
    const char *kernels[] = {"unreturned", "returned"};
    test<uint32_t>(program, kernels);
    test<Wide>(program, kernels);
    return program.finish();
}
