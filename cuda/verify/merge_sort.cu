// Merge sort of 65536 words: blocks sort 1024 words in shared memory, then launches merge pairs of
// runs, each thread looking up the place of its word in the other run by binary search.
//
// Shows binary searches in global memory, with lanes whose searches share their first steps.
#include "verify.h"

const int in_block = 1024;

__global__ void sort_blocks(uint32_t *data)
{
    __shared__ uint32_t key[in_block];
    int t = threadIdx.x;
    for (int k = t; k < in_block; k += blockDim.x)
        key[k] = data[blockIdx.x * in_block + k];
    for (int size = 2; size <= in_block; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int low = t / step * 2 * step + t % step, high = low + step;
            uint32_t a = key[low], b = key[high];
            if ((a > b) == ((low & size) == 0)) {
                key[low] = b;
                key[high] = a;
            }
        }
    __syncthreads();
    for (int k = t; k < in_block; k += blockDim.x)
        data[blockIdx.x * in_block + k] = key[k];
}

__global__ void merge(const uint32_t *from, uint32_t *to, int run)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, in_second = i / run % 2;
    int pair = i / (2 * run) * 2 * run;
    uint32_t key = from[i];
    const uint32_t *other = from + pair + (in_second ? 0 : run);
    int low = 0, high = run;
    while (low < high) { // equal words of the first run come first
        int middle = (low + high) / 2;
        if (other[middle] < key || (in_second && other[middle] == key))
            low = middle + 1;
        else
            high = middle;
    }
    to[pair + i % run + low] = key;
}

int main()
{
    const int n = 65536;
    verify::Program program("merge_sort");
    std::vector<uint32_t> words = verify::random_words(n, 1);
    verify::Buffer<uint32_t> a(words), b(n), *from = &a, *to = &b;
    sort_blocks<<<n / in_block, in_block / 2>>>(a.data);
    program.launched("sort_blocks");
    for (int run = in_block; run < n; run *= 2) {
        merge<<<n / 256, 256>>>(from->data, to->data, run);
        program.launched("merge");
        std::swap(from, to);
    }
    std::sort(words.begin(), words.end());
    program.equal("word", program.output("sorted", *from), words);
    return program.finish();
}
