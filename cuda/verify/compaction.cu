// Keeps the elements of an array that are multiples of three: places come from one counter, by an
// atomic of each thread, of each warp (ballot), or of each block.
//
// Shows atomics whose result is needed at once, one for 1, 32 and 256 elements. The order of the
// result is not known: its sum and its length are compared.
#include "verify.h"

__global__ void compaction(const uint32_t *in, uint32_t n, int how, uint32_t *count, uint32_t *out)
{
    __shared__ uint32_t in_warp[8], base;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, at = 0;
    bool keep = i < n && in[i] % 3 == 0;
    if (how == 0) {
        if (keep)
            out[atomicAdd(count, 1u)] = in[i];
        return;
    }
    unsigned mask = __ballot_sync(0xffffffffu, keep);
    if (how == 1) {
        if (lane == 0 && mask)
            at = atomicAdd(count, (uint32_t)__popc(mask));
        at = __shfl_sync(0xffffffffu, at, 0);
    } else {
        in_warp[threadIdx.x / 32] = (uint32_t)__popc(mask);
        __syncthreads();
        if (threadIdx.x == 0) {
            uint32_t sum = 0;
            for (int w = 0; w < 8; w++)
                sum += in_warp[w];
            base = atomicAdd(count, sum);
        }
        __syncthreads();
        at = base;
        for (uint32_t w = 0; w < threadIdx.x / 32; w++)
            at += in_warp[w];
    }
    if (keep)
        out[at + (uint32_t)__popc(mask & ((1u << lane) - 1))] = in[i];
}

int main()
{
    const uint32_t n = 200000;
    verify::Program program("compaction");
    std::vector<uint32_t> in = verify::random_words(n, 1), want;
    for (uint32_t word : in)
        if (word % 3 == 0)
            want.push_back(word);
    std::sort(want.begin(), want.end());
    verify::Buffer<uint32_t> from(in);
    for (int how = 0; how < 3; how++) {
        verify::Buffer<uint32_t> count(1), to(n);
        compaction<<<(n + 255) / 256, 256>>>(from.data, n, how, count.data, to.data);
        program.launched("compaction");
        program.equal("length", program.output("length", count), {(uint32_t)want.size()});
        std::vector<uint32_t> got = to.read();
        got.resize(want.size());
        std::sort(got.begin(), got.end());
        program.equal("element", got, want);
    }
    return program.finish();
}
