// Pi by throwing darts: every thread has its own generator (xorshift) and counts hits.
//
// Shows integer logic and shifts in a long loop, with counts that must be exact.
#include "verify.h"

const int block = 128, throws = 64;

__host__ __device__ static inline unsigned next(unsigned &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__host__ __device__ static inline unsigned hits(unsigned thread)
{
    unsigned state = thread * 2654435761u + 1u, count = 0;
    for (int i = 0; i < throws; i++) {
        unsigned x = next(state) >> 17, y = next(state) >> 17; // 15 bits each
        count += x * x + y * y < 1u << 30;
    }
    return count;
}

__global__ void monte_carlo(unsigned *total, unsigned *counts)
{
    unsigned i = blockIdx.x * block + threadIdx.x;
    unsigned count = hits(i);
    counts[i] = count;
    atomicAdd(total, count);
}

int main()
{
    const unsigned blocks = 264 * verify::size(), n = blocks * block;
    verify::Program program("monte_carlo");
    verify::Buffer<unsigned> total(1), counts(n);

    monte_carlo<<<blocks, block>>>(total.data, counts.data);
    program.launched("monte_carlo");

    std::vector<unsigned> want(n), want_total(1, 0);
    for (unsigned i = 0; i < n; i++) {
        want[i] = hits(i);
        want_total[0] += want[i];
    }
    program.equal("count", program.output("counts", counts), want);
    program.equal("total", program.output("total", total), want_total);
    program.holds("a value near pi",
                  std::fabs(4.0 * want_total[0] / (n * throws) - 3.14159) < 0.01);
    return program.finish();
}
