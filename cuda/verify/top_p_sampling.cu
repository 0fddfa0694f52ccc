// Draws tokens: of each row of 4096 scores, the exponentials, the threshold above which they sum to
// 90 %, by bisection, and the first token at which the running sum passes a random number.
//
// Shows a block that meets again and again for sums of its values; scores are whole numbers, so
// that sums are exact.
#include "verify.h"

const int tokens = 4096, block = 256, each = tokens / block;

__device__ unsigned block_sum(unsigned value, unsigned *parts)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (int w = 0; w < block / 32; w++)
        value += parts[w];
    return value;
}

__global__ void top_p_sampling(const unsigned *weights, const unsigned *random, unsigned *drawn)
{
    __shared__ unsigned parts[8], sums[block];
    unsigned mine[each], t = threadIdx.x, all = 0;
    for (int k = 0; k < each; k++) {
        mine[k] = weights[blockIdx.x * tokens + t * each + k];
        all += mine[k];
    }
    all = block_sum(all, parts);
    unsigned low = 0, high = 1u << 16; // the largest threshold that keeps 90 %
    while (high - low > 1) {
        unsigned middle = (low + high) / 2, kept = 0;
        for (int k = 0; k < each; k++)
            kept += mine[k] >= middle ? mine[k] : 0;
        if (block_sum(kept, parts) >= all / 10 * 9)
            low = middle;
        else
            high = middle;
    }
    unsigned kept = 0, before = 0;
    for (int k = 0; k < each; k++)
        kept += mine[k] >= low ? mine[k] : 0;
    unsigned goal = random[blockIdx.x] % block_sum(kept, parts);
    sums[t] = kept;
    __syncthreads();
    for (unsigned k = 0; k < t; k++)
        before += sums[k];
    for (int k = 0; k < each; k++)
        if (mine[k] >= low) {
            if (before <= goal && goal < before + mine[k])
                drawn[blockIdx.x] = t * each + k;
            before += mine[k];
        }
}

int main()
{
    const int rows = 132;
    verify::Program program("top_p_sampling");
    std::vector<unsigned> weights, random = verify::random_words(rows, 2), want;
    for (int i = 0; i < rows * tokens; i++) // few are large
        weights.push_back(verify::random_word(1, i) >> 16 >> verify::random_word(3, i) % 12);
    for (int r = 0; r < rows; r++) {
        const unsigned *row = &weights[r * tokens];
        unsigned all = 0, threshold = 65535, kept = 0, before = 0, token = 0;
        for (int k = 0; k < tokens; k++)
            all += row[k];
        std::vector<unsigned> sum_of(65536, 0);
        for (int k = 0; k < tokens; k++)
            sum_of[row[k]] += row[k];
        for (kept = sum_of[65535]; threshold > 0 && kept < all / 10 * 9;)
            kept += sum_of[--threshold];
        unsigned goal = random[r] % kept;
        for (;; token++)
            if (row[token] >= threshold) {
                if (goal < before + row[token])
                    break;
                before += row[token];
            }
        want.push_back(token);
    }
    verify::Buffer<unsigned> device_weights(weights), device_random(random), drawn(rows);
    top_p_sampling<<<rows, block>>>(device_weights.data, device_random.data, drawn.data);
    program.launched("top_p_sampling");
    program.equal("token", program.output("drawn", drawn), want);
    return program.finish();
}
