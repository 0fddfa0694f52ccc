// Evaluates 64 polynomials of degree 15 with double coefficients that are written in the code.
//
// Shows literals of 64 bits: the compiler keeps them in constant memory beside the code, 8 KB of
// them, each read once by every warp.
#include "verify.h"

/// Coefficient `k` of polynomial `p`: known when the code is compiled.
__host__ __device__ constexpr double coefficient(int p, int k)
{
    return 1.0 / (3 + p * 16 + k) + 0.1 * ((p * 7 + k * 3) % 11);
}

template <int P, int K> __host__ __device__ inline double horner(double x)
{
    constexpr double c = coefficient(P, K);
    if constexpr (K == 15)
        return c;
    else
        return horner<P, K + 1>(x) * x + c;
}

template <int P> __host__ __device__ inline double all_polynomials(double x)
{
    double value = horner<P, 0>(x);
    if constexpr (P == 63)
        return value;
    else
        return value + all_polynomials<P + 1>(x * 0.99);
}

__global__ void polynomials(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = all_polynomials<0>(x[i]);
}

int main()
{
    const int n = 16896;
    verify::Program program("polynomials");
    std::vector<double> x, want;
    for (float value : verify::random_floats(n, 1)) {
        x.push_back(value);
        want.push_back(all_polynomials<0>(value));
    }
    verify::Buffer<double> from(x), to(n);
    polynomials<<<n / 128, 128>>>(from.data, to.data);
    program.launched("polynomials");
    program.close("y", program.output("y", to), want, 1e-12, 1e-12);
    return program.finish();
}
