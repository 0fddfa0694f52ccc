// Adds floats and doubles into 16, 1024 and 65536 sums with atomics.
//
// Shows additions in L2 of 32 and 64 bits, from contended to spread; each lane adds to its own
// place, lanes of a warp to places side by side or to random ones.
#include "verify.h"

__host__ __device__ inline float value(uint32_t i)
{
    return verify::random_unit(1, i);
}

template <typename T> __global__ void add(T *sums, uint32_t places, uint32_t n, int random)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sums[(random ? verify::random_word(2, i) : i) & (places - 1)], (T)value(i));
}

template <typename T> void test(verify::Program &program, uint32_t places, int random)
{
    const uint32_t n = 60000 * (uint32_t)verify::size();
    verify::Buffer<T> sums(places);
    add<T><<<(n + 255) / 256, 256>>>(sums.data, places, n, random);
    program.launched("add");
    std::vector<double> want(places, 0.0);
    for (uint32_t i = 0; i < n; i++)
        want[(random ? verify::random_word(2, i) : i) & (places - 1)] += value(i);
    program.close("sum", program.output_approx("sums", sums), want, 1e-3, 1e-3);
}

int main()
{
    verify::Program program("atomic_float");
    test<float>(program, 16, 0);
    test<float>(program, 65536, 1);
    test<double>(program, 16, 0);
    test<double>(program, 1024, 1);
    test<double>(program, 65536, 0);
    return program.finish();
}
