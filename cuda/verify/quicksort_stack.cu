// Quicksort without recursion: each thread sorts 64 words in global memory, with a stack of ranges
// in local memory.
//
// Shows loops whose length depends on the data, in every lane another, and uncoalesced accesses.
#include "verify.h"

const int keys = 64;

__host__ __device__ inline void sort(uint32_t *key)
{
    int first[16], last[16], depth = 1;
    first[0] = 0, last[0] = keys - 1;
    while (depth > 0) {
        int low = first[--depth], high = last[depth], i = low, j = high;
        uint32_t pivot = key[(low + high) / 2];
        while (i <= j) {
            while (key[i] < pivot)
                i++;
            while (key[j] > pivot)
                j--;
            if (i <= j) {
                uint32_t other = key[i];
                key[i++] = key[j];
                key[j--] = other;
            }
        }
        bool left_longer = j - low > high - i; // the longer part first: the stack stays short
        if (left_longer && low < j)
            first[depth] = low, last[depth++] = j;
        if (i < high)
            first[depth] = i, last[depth++] = high;
        if (!left_longer && low < j)
            first[depth] = low, last[depth++] = j;
    }
}

__global__ void quicksort_stack(uint32_t *all)
{
    sort(all + (blockIdx.x * blockDim.x + threadIdx.x) * keys);
}

int main()
{
    const int threads = 1056;
    verify::Program program("quicksort_stack");
    std::vector<uint32_t> all = verify::random_words(keys * threads, 1);
    verify::Buffer<uint32_t> device_all(all);
    quicksort_stack<<<threads / 32, 32>>>(device_all.data);
    program.launched("quicksort_stack");
    for (int i = 0; i < threads; i++)
        std::sort(all.begin() + i * keys, all.begin() + (i + 1) * keys);
    program.equal("key", program.output("sorted", device_all), all);
    return program.finish();
}
