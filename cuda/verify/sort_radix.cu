// Sorts 32768 key-value pairs by their keys, 4 bits at a time, stable.
//
// Shows counting, a prefix sum over counts, and a stable scatter: a thread's rank among the equal
// digits of its warp comes from __match_any_sync, that among warps from counts in shared memory.
#include "verify.h"

const int block = 256, warps = block / 32, digits = 16;

__global__ void count_digits(const unsigned *keys, unsigned *counts, int shift)
{
    __shared__ unsigned local[digits];
    if (threadIdx.x < digits)
        local[threadIdx.x] = 0;
    __syncthreads();
    unsigned key = keys[blockIdx.x * block + threadIdx.x];
    atomicAdd(&local[key >> shift & (digits - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < digits)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

/// Exclusive prefix sums in place, by one block; `n` is a multiple of the block size.
__global__ void scan_counts(unsigned *counts, int n)
{
    __shared__ unsigned sums[1024];
    int t = threadIdx.x, each = n / blockDim.x;
    unsigned sum = 0;
    for (int i = 0; i < each; i++)
        sum += counts[t * each + i];
    sums[t] = sum;
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        __syncthreads();
        unsigned other = t >= (int)step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += other;
    }
    unsigned before = sums[t] - sum;
    for (int i = 0; i < each; i++) {
        unsigned count = counts[t * each + i];
        counts[t * each + i] = before;
        before += count;
    }
}

__global__ void scatter(const unsigned *keys, const unsigned *values, unsigned *keys_out,
                        unsigned *values_out, const unsigned *offsets, int shift)
{
    __shared__ unsigned counts[warps][digits];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * block + t;
    unsigned key = keys[i], digit = key >> shift & (digits - 1);
    if (lane < digits)
        counts[warp][lane] = 0;
    __syncwarp();
    unsigned peers = __match_any_sync(0xffffffffu, digit);
    unsigned rank = __popc(peers & ((1u << lane) - 1));
    if (rank == 0)
        counts[warp][digit] = __popc(peers);
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        rank += counts[w][digit];
    unsigned place = offsets[digit * gridDim.x + blockIdx.x] + rank;
    keys_out[place] = key;
    values_out[place] = values[i];
}

int main()
{
    const int n = 32768 * verify::size(), blocks = n / block;
    verify::Program program("sort_radix");
    std::vector<uint32_t> keys = verify::random_words(n, 1, 1 << 16), values(n), order(n);
    for (int i = 0; i < n; i++)
        values[i] = order[i] = (uint32_t)i;
    verify::Buffer<unsigned> keys_a(keys), keys_b(n), values_a(values), values_b(n);
    verify::Buffer<unsigned> counts(digits * blocks);
    unsigned *key_from = keys_a.data, *key_to = keys_b.data;
    unsigned *value_from = values_a.data, *value_to = values_b.data;

    for (int shift = 0; shift < 16; shift += 4) {
        count_digits<<<blocks, block>>>(key_from, counts.data, shift);
        program.launched("count_digits");
        program.output("counts", counts);
        scan_counts<<<1, 1024>>>(counts.data, digits * blocks);
        program.launched("scan_counts");
        program.output("counts", counts);
        scatter<<<blocks, block>>>(key_from, value_from, key_to, value_to, counts.data, shift);
        program.launched("scatter");
        std::swap(key_from, key_to);
        std::swap(value_from, value_to);
    }

    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    program.equal("value", program.output("values", values_a), order);
    std::vector<uint32_t> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    program.equal("key", program.output("keys", keys_a), sorted);
    return program.finish();
}
