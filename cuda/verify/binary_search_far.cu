// Looks up values in a sorted array of 128 MB by binary search.
//
// Shows chains of dependent loads whose first steps hit caches and whose last steps miss all of
// them.
#include "verify.h"

__global__ void fill(uint4 *data, uint32_t quads)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x)
        data[i] = make_uint4(12 * i, 12 * i + 3, 12 * i + 6, 12 * i + 9);
}

__global__ void search(const uint32_t *data, uint32_t n, const uint32_t *keys, uint32_t *found)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i], low = 0, high = n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (data[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    found[i] = low;
}

int main()
{
    const uint32_t n = 1 << 25, asked = 1 << 16;
    verify::Program program("binary_search_far");
    std::vector<uint32_t> keys = verify::random_words(asked, 1, 3 * n), want;
    for (uint32_t key : keys)
        want.push_back((key + 2) / 3);
    verify::Buffer<uint32_t> data(n), device_keys(keys), found(asked);

    fill<<<528, 256>>>((uint4 *)data.data, n / 4);
    program.launched("fill");
    search<<<asked / 128, 128>>>(data.data, n, device_keys.data, found.data);
    program.launched("search");
    program.equal("place", program.output("found", found), want);
    return program.finish();
}
