// Maximum of floats, minimum of doubles and sum of whole doubles, each by a loop of
// compare-and-swap, on 64 words that all threads share.
//
// Shows loops that repeat until no other thread came between: the more threads, the more rounds.
#include "verify.h"

#include <cstring>

typedef unsigned long long Wide;
const uint32_t places = 64;

__host__ __device__ inline float value(uint32_t i)
{
    return (float)(verify::random_word(1, i) % 100000) - 50000.0f;
}

__global__ void cas_loops(unsigned *largest, Wide *smallest, Wide *sums, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, at = i * 7 % places;
    if (i >= n)
        return;
    unsigned seen = largest[at];
    while (__uint_as_float(seen) < value(i)) {
        unsigned before = atomicCAS(&largest[at], seen, __float_as_uint(value(i)));
        if (before == seen)
            break;
        seen = before;
    }
    Wide least = smallest[at];
    while (__longlong_as_double((long long)least) > (double)value(i)) {
        Wide before = atomicCAS(&smallest[at], least, (Wide)__double_as_longlong(value(i)));
        if (before == least)
            break;
        least = before;
    }
    for (Wide sum = sums[at], before;; sum = before) {
        double more = __longlong_as_double((long long)sum) + (double)value(i);
        before = atomicCAS(&sums[at], sum, (Wide)__double_as_longlong(more));
        if (before == sum)
            break;
    }
}

int main()
{
    const uint32_t n = 4224;
    verify::Program program("cas_loops");
    verify::Buffer<unsigned> largest(places);
    verify::Buffer<Wide> smallest(places), sums(places);
    cas_loops<<<n / 32, 32>>>(largest.data, smallest.data, sums.data, n);
    program.launched("cas_loops");
    std::vector<float> most(places, 0.0f);
    std::vector<double> least(places, 0.0), sum(places, 0.0);
    for (uint32_t i = 0; i < n; i++) {
        most[i * 7 % places] = std::max(most[i * 7 % places], value(i));
        least[i * 7 % places] = std::min(least[i * 7 % places], (double)value(i));
        sum[i * 7 % places] += value(i);
    }
    std::vector<unsigned> want_most(places);
    std::vector<Wide> want_least(places), want_sum(places);
    std::memcpy(want_most.data(), most.data(), 4 * places);
    std::memcpy(want_least.data(), least.data(), 8 * places);
    std::memcpy(want_sum.data(), sum.data(), 8 * places);
    program.equal("largest", program.output("largest", largest), want_most);
    program.equal("smallest", program.output("smallest", smallest), want_least);
    program.equal("sum", program.output("sums", sums), want_sum);
    return program.finish();
}
