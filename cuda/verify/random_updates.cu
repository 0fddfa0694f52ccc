// Random updates (GUPS): words at random places of a table of 1 GB are changed by exclusive or, by
// atomics that return nothing, and a part of them by atomics that return the word before.
//
// Shows atomics that miss L2: a sector is read from DRAM, changed and written back.
#include "verify.h"

const int updates = 4;

__host__ __device__ inline size_t place(uint32_t i, size_t words)
{
    return ((size_t)verify::random_word(3, i) << 2 | i % 4) & (words - 1);
}

__global__ void update(uint32_t *table, size_t words)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll
    for (uint32_t k = 0; k < updates; k++)
        atomicXor(&table[place(i + k * threads, words)], i + k * threads);
}

__global__ void fetch_update(uint32_t *table, size_t words, uint32_t *before)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    before[i] = atomicXor(&table[place(i, words)], i);
}

int main()
{
    const uint32_t n = 1 << 17, fetched = 1 << 15;
    const size_t words = (size_t)1 << 28;
    verify::Program program("random_updates");
    verify::Buffer<uint32_t> table(words), before(fetched);

    update<<<n / updates / 128, 128>>>(table.data, words);
    program.launched("update");
    fetch_update<<<fetched / 128, 128>>>(table.data, words, before.data);
    program.launched("fetch_update");

    // Undoing updates one after another: what fetch_update found is the exclusive or of all updates
    // of a place. Places that fetch_update visits twice are left out: their order is not known.
    std::vector<std::pair<size_t, uint32_t>> all, asked;
    for (uint32_t i = 0; i < n; i++)
        all.push_back({place(i, words), i});
    asked.assign(all.begin(), all.begin() + fetched);
    std::sort(all.begin(), all.end());
    std::sort(asked.begin(), asked.end());
    std::vector<uint32_t> got = before.read(), found, want;
    for (size_t a = 0; a < asked.size(); a++) {
        bool twice = (a > 0 && asked[a - 1].first == asked[a].first) ||
                     (a + 1 < asked.size() && asked[a + 1].first == asked[a].first);
        if (twice)
            continue;
        uint32_t value = 0;
        for (auto it = std::lower_bound(all.begin(), all.end(), std::make_pair(asked[a].first, 0u));
             it != all.end() && it->first == asked[a].first; ++it)
            value ^= it->second;
        want.push_back(value);
        found.push_back(got[asked[a].second]);
    }
    program.equal("before", found, want);
    program.output("before", before);
    return program.finish();
}
