// Random reads of single words all over an array of 1 GB; every 64th of them finds a marked word.
//
// Shows loads whose sectors share neither lines nor pages: translation of addresses, DRAM rows that
// are opened for 32 bytes, and how many such misses are under way at once.
#include "verify.h"

const int reads = 8;

__host__ __device__ inline size_t place(uint32_t i, size_t words)
{
    return ((size_t)verify::random_word(1, i) << 3 | verify::random_word(2, i) >> 29) & (words - 1);
}

__global__ void mark(uint32_t *data, size_t words)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    data[place(64 * i, words)] = 1;
}

__global__ void gather_far(const uint32_t *data, size_t words, uint32_t *sums)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, sum = 0;
#pragma unroll
    for (int k = 0; k < reads; k++)
        sum += data[place(i + (uint32_t)k * threads, words)];
    sums[i] = sum;
}

int main()
{
    const uint32_t threads = 1 << 17;
    const size_t words = ((size_t)1 << 28) * (size_t)verify::size();
    verify::Program program("gather_far");
    verify::Buffer<uint32_t> data(words), sums(threads);

    mark<<<threads * reads / 64 / 128, 128>>>(data.data, words);
    program.launched("mark");
    gather_far<<<threads / 256, 256>>>(data.data, words, sums.data);
    program.launched("gather_far");

    std::vector<size_t> marked;
    for (uint32_t i = 0; i < threads * reads; i += 64)
        marked.push_back(place(i, words));
    std::sort(marked.begin(), marked.end());
    std::vector<uint32_t> want(threads, 0);
    for (uint32_t i = 0; i < threads * reads; i++)
        want[i % threads] += std::binary_search(marked.begin(), marked.end(), place(i, words));
    program.equal("sum", program.output("sums", sums), want);
    return program.finish();
}
