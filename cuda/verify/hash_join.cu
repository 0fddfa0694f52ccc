// Joins two tables: rows of the smaller one go into a hash table of 256 MB, rows of the larger one
// look for their key there and add up the values that they find.
//
// Shows compare-and-swap and dependent loads at random places far apart, with few probes per key.
#include "verify.h"

typedef unsigned long long Slot; // key in the high word, value in the low one; 0 is empty
const uint32_t slots = 1 << 25;

__host__ __device__ inline uint32_t key_of(uint32_t row)
{
    return row * 2654435769u | 1u; // rows 2 i and 2 i + 1 may share a key: none of them is 0
}

__host__ __device__ inline uint32_t slot_of(uint32_t key)
{
    return (key ^ key >> 15) * 2246822519u >> 7;
}

__global__ void build(Slot *table)
{
    uint32_t row = blockIdx.x * blockDim.x + threadIdx.x, key = key_of(2 * row);
    Slot entry = (Slot)key << 32 | (row % 1000 + 1);
    for (uint32_t k = slot_of(key);; k = (k + 1) % slots) {
        Slot found = atomicCAS(&table[k], (Slot)0, entry);
        if (found == 0 || (uint32_t)(found >> 32) == key)
            return;
    }
}

__global__ void probe(const Slot *table, uint32_t rows, uint32_t *sums)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (uint32_t row = i; row < rows; row += gridDim.x * blockDim.x) {
        uint32_t key = key_of(2 * (verify::random_word(1, row) % (1u << 17)));
        for (uint32_t k = slot_of(key); table[k] != 0; k = (k + 1) % slots)
            if ((uint32_t)(table[k] >> 32) == key) {
                sum += (uint32_t)table[k];
                break;
            }
    }
    sums[i] = sum;
}

int main()
{
    const uint32_t built = 1 << 16, rows = 1 << 18, threads = 1 << 16;
    verify::Program program("hash_join");
    verify::Buffer<Slot> table(slots);
    verify::Buffer<uint32_t> sums(threads);

    build<<<built / 128, 128>>>(table.data);
    program.launched("build");
    probe<<<threads / 256, 256>>>(table.data, rows, sums.data);
    program.launched("probe");

    std::vector<uint32_t> want(threads, 0);
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t other = verify::random_word(1, row) % (1u << 17);
        want[row % threads] += other < built ? other % 1000 + 1 : 0;
    }
    program.equal("sum", program.output("sums", sums), want);
    return program.finish();
}
