// Roots of x exp(x) = c by Newton's method in double precision, and cube roots by Halley's: two
// blocks of two warps, 40 steps each.
//
// Shows few warps with long sequences of dependent double operations: exp, division, square root.
#include "verify.h"

__global__ void newton_f64(const double *c, double *roots, double *cubes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = 1.0, y = 1.0;
#pragma unroll 1
    for (int k = 0; k < 40; k++) {
        double e = exp(x);
        x -= (x * e - c[i]) / (e * (x + 1.0));
        double cube = y * y * y;
        y *= (cube + 2.0 * c[i]) / (2.0 * cube + c[i]);
    }
    roots[i] = x;
    cubes[i] = sqrt(y) * sqrt(y);
}

int main()
{
    const int n = 128;
    verify::Program program("newton_f64");
    std::vector<double> c, want;
    for (int i = 0; i < n; i++) {
        c.push_back(0.5 + 20.0 * verify::random_unit(1, i));
        want.push_back(cbrt(c[i]));
    }
    verify::Buffer<double> device_c(c), roots(n), cubes(n);
    newton_f64<<<2, 64>>>(device_c.data, roots.data, cubes.data);
    program.launched("newton_f64");
    std::vector<double> x = program.output("roots", roots);
    for (double &root : x)
        root *= std::exp(root);
    program.close("x exp(x)", x, c, 1e-12, 0.0);
    program.close("cube root", program.output("cubes", cubes), want, 1e-12, 0.0);
    return program.finish();
}
