// Random writes of single words all over an array of 1 GB, and reads of the words in another order.
//
// Shows stores that fill an eighth of a sector each, with nothing to merge them, and what L2 and
// DRAM do with sectors of which 28 bytes are not known.
#include "verify.h"

__host__ __device__ inline size_t place(uint32_t i, size_t words)
{
    return (size_t)(i * 2654435769u) & (words - 1); // different for all i: the factor is odd
}

__global__ void scatter_far(uint32_t *data, size_t words)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    data[place(i, words)] = i + 1;
}

__global__ void read_back(const uint32_t *data, size_t words, uint32_t n, uint32_t *sums)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, sum = 0;
    for (uint32_t k = i; k < n; k += threads)
        sum = sum * 3 + data[place(k * 5 & (n - 1), words)];
    sums[i] = sum;
}

int main()
{
    const uint32_t n = 1 << 17, threads = n / 4;
    const size_t words = ((size_t)1 << 28) * (size_t)verify::size();
    verify::Program program("scatter_far");
    verify::Buffer<uint32_t> data(words), sums(threads);

    scatter_far<<<n / 128, 128>>>(data.data, words);
    program.launched("scatter_far");
    read_back<<<threads / 128, 128>>>(data.data, words, n, sums.data);
    program.launched("read_back");

    std::vector<uint32_t> want(threads, 0);
    for (uint32_t k = 0; k < n; k++)
        want[k % threads] = want[k % threads] * 3 + (k * 5 & (n - 1)) + 1;
    program.equal("sum", program.output("sums", sums), want);
    return program.finish();
}
