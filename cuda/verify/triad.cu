// The four kernels of STREAM in double precision over arrays of 16 MB: copy, scale, add, triad.
//
// Shows the bandwidth of DRAM with one or two streams of reads beside one of writes.
#include "verify.h"

template <int OPERATION> __global__ void triad(const double *b, const double *c, double *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = OPERATION == 0   ? b[i]
               : OPERATION == 1 ? 3.0 * b[i]
               : OPERATION == 2 ? b[i] + c[i]
                                : b[i] + 3.0 * c[i];
}

template <int OPERATION> void test(verify::Program &program, int n)
{
    std::vector<double> b, c, want;
    for (int i = 0; i < n; i++) { // whole numbers: exact
        b.push_back(verify::random_word(1, i) % 1024);
        c.push_back(verify::random_word(2, i) % 1024);
        const double results[] = {b[i], 3.0 * b[i], b[i] + c[i], b[i] + 3.0 * c[i]};
        want.push_back(results[OPERATION]);
    }
    verify::Buffer<double> device_b(b), device_c(c), a(n);
    triad<OPERATION><<<132 * 8, 256>>>(device_b.data, device_c.data, a.data, n);
    program.launched("triad");
    program.equal("a", program.output("a", a), want);
}

int main()
{
    const int n = 2 << 20;
    verify::Program program("triad");
    test<0>(program, n);
    test<1>(program, n);
    test<2>(program, n);
    test<3>(program, n);
    return program.finish();
}
