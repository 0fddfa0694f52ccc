// A hash table with open addressing: threads insert keys at once, then look up keys.
//
// Shows 64-bit atomicCAS and probing loops of different length. Where a key lands depends on the
// order of the inserts; what a look-up returns does not.
#include "verify.h"

const unsigned slots = 1 << 15;
typedef unsigned long long Slot; // key + 1 in the high word, value in the low word; 0 is empty

__device__ unsigned slot_of(unsigned key)
{
    return (key * 2654435769u) >> 17;
}

__global__ void insert(const unsigned *keys, int n, Slot *table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Slot entry = (Slot)(keys[i] + 1) << 32 | (unsigned)i;
    for (unsigned k = slot_of(keys[i]);; k = (k + 1) % slots)
        if (atomicCAS(&table[k], (Slot)0, entry) == 0)
            return;
}

__global__ void look_up(const unsigned *keys, int n, const Slot *table, int *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int value = -1;
    for (unsigned k = slot_of(keys[i]); table[k] != 0; k = (k + 1) % slots)
        if ((unsigned)(table[k] >> 32) == keys[i] + 1) {
            value = (int)(unsigned)table[k];
            break;
        }
    values[i] = value;
}

int main()
{
    const int n = 20000, asked = 30000;
    verify::Program program("hash_table");
    std::vector<uint32_t> keys, questions;
    std::vector<int> want;
    for (uint32_t i = 0; i < n; i++)
        keys.push_back(i * 7919u % 1000003u); // all different: 1000003 is prime
    for (uint32_t i = 0; i < asked; i++) {
        uint32_t k = verify::random_word(3, i) % (2 * n);
        questions.push_back(k * 7919u % 1000003u);
        want.push_back(k < n ? (int)k : -1);
    }
    verify::Buffer<unsigned> device_keys(keys), device_questions(questions);
    verify::Buffer<Slot> table(slots);
    verify::Buffer<int> values(asked);

    insert<<<(n + 127) / 128, 128>>>(device_keys.data, n, table.data);
    program.launched("insert");
    look_up<<<(asked + 127) / 128, 128>>>(device_questions.data, asked, table.data, values.data);
    program.launched("look_up");
    program.equal("value", program.output("values", values), want);
    return program.finish();
}
