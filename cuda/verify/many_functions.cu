// 64 functions that are not inlined, called through a table of pointers, in an order that each warp
// takes from a list.
//
// Shows indirect calls of 64 targets that lie in many lines of the instruction caches.
#include "verify.h"

typedef uint32_t (*Function)(uint32_t, uint32_t);

template <int N> __host__ __device__ __noinline__ uint32_t function(uint32_t x, uint32_t y)
{
    for (int k = 0; k < 12; k++) // unrolled, with other constants in each function
        x = (x ^ (y + N * 31 + k)) * (N * 2 + 2654435769u) + (x >> (N % 11 + k + 1));
    return x;
}

#define EIGHT(n)                                                                                   \
    function<n>, function<n + 1>, function<n + 2>, function<n + 3>, function<n + 4>,               \
        function<n + 5>, function<n + 6>, function<n + 7>
#define ALL EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)

__device__ const Function device_table[64] = {ALL};
static const Function host_table[64] = {ALL};

__global__ void many_functions(const uint8_t *order, int calls, uint32_t *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int k = 0; k < calls; k++)
        x = device_table[order[(i / 32 * 5 + k) % 1024]](x, k);
    out[i] = x;
}

int main()
{
    const int threads = 16896, calls = 32;
    verify::Program program("many_functions");
    std::vector<uint8_t> order;
    for (uint32_t word : verify::random_words(1024, 1, 64))
        order.push_back((uint8_t)word);
    verify::Buffer<uint8_t> device_order(order);
    verify::Buffer<uint32_t> out(threads);
    many_functions<<<threads / 128, 128>>>(device_order.data, calls, out.data);
    program.launched("many_functions");
    std::vector<uint32_t> want;
    for (int i = 0; i < threads; i++) {
        uint32_t x = (uint32_t)i;
        for (int k = 0; k < calls; k++)
            x = host_table[order[(i / 32 * 5 + k) % 1024]](x, (uint32_t)k);
        want.push_back(x);
    }
    program.equal("word", program.output("words", out), want);
    return program.finish();
}
