// How many warps hide the latency of memory? One block of 1 to 32 warps; each warp loads, waits for
// the word, works a little, and loads again.
//
// Shows lesson 3 of docs/lessons: while a few warps wait, more warps cost no time. The block is
// alone on its SM, whose four sub-partitions share the warps.
#include "verify.h"

const int rounds = 200;

__global__ void latency(const unsigned *data, unsigned *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned sum = 0, offset = 0; // offset stays 0, which the compiler cannot know
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        unsigned word = data[lane + 32 * (warp + warps * r) + offset];
        sum += word;
        offset = word >> 31; // needs the data: waits
    }
    out[threadIdx.x] = sum;
}

int main()
{
    const int most = 32;
    verify::Program program("latency");
    std::vector<uint32_t> data = verify::random_words(32 * most * rounds + 1, 1, 1u << 31);
    verify::Buffer<unsigned> from(data);
    for (int warps = 1; warps <= most; warps *= 2) {
        verify::Buffer<unsigned> to(32 * warps);
        latency<<<1, 32 * warps>>>(from.data, to.data);
        program.launched("latency");
        std::vector<unsigned> want(32 * warps, 0);
        for (int i = 0; i < 32 * warps * rounds; i++)
            want[i % (32 * warps)] += data[i];
        program.equal("sum", program.output("sums", to), want);
    }
    return program.finish();
}
