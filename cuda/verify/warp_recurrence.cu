// A linear recurrence x[i] = a[i] x[i-1] + b[i] over 32768 elements by one warp: 32 elements at a
// time with a scan by shuffles, the carry going from one step to the next.
//
// Shows a single warp with a long dependence through shuffles and loads; the loads are independent.
#include "verify.h"

__global__ void warp_recurrence(const uint32_t *a, const uint32_t *b, uint32_t *x, int n)
{
    int lane = threadIdx.x;
    uint32_t carry = 1;
    for (int first = 0; first < n; first += 32) {
        uint32_t factor = a[first + lane], term = b[first + lane];
        for (int offset = 1; offset < 32; offset *= 2) {
            uint32_t other_factor = __shfl_up_sync(0xffffffffu, factor, offset);
            uint32_t other_term = __shfl_up_sync(0xffffffffu, term, offset);
            if (lane >= offset) {
                term += factor * other_term;
                factor *= other_factor;
            }
        }
        uint32_t value = factor * carry + term;
        x[first + lane] = value;
        carry = __shfl_sync(0xffffffffu, value, 31);
    }
}

int main()
{
    const int n = 32768;
    verify::Program program("warp_recurrence");
    std::vector<uint32_t> a = verify::random_words(n, 1), b = verify::random_words(n, 2), want;
    verify::Buffer<uint32_t> device_a(a), device_b(b), x(n);
    warp_recurrence<<<1, 32>>>(device_a.data, device_b.data, x.data, n);
    program.launched("warp_recurrence");
    uint32_t value = 1;
    for (int i = 0; i < n; i++)
        want.push_back(value = a[i] * value + b[i]);
    program.equal("x", program.output("x", x), want);
    return program.finish();
}
