// c = a + b, one element per thread; the last block is partly out of bounds.
//
// Shows the plainest kernel: an address per thread, a guard, coalesced loads and stores.
#include "verify.h"

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 100003 * verify::size();
    verify::Program program("vector_add");
    std::vector<float> a = verify::random_floats(n, 1), b = verify::random_floats(n, 2);
    verify::Buffer<float> device_a(a), device_b(b), device_c(n);

    vector_add<<<(n + 255) / 256, 256>>>(device_a.data, device_b.data, device_c.data, n);
    program.launched("vector_add");

    std::vector<float> want(n);
    for (int i = 0; i < n; i++)
        want[i] = a[i] + b[i];
    program.equal("c", program.output("c", device_c), want);
    return program.finish();
}
