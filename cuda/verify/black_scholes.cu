// Prices of European options by the formula of Black and Scholes.
//
// Shows logf, expf, sqrtf, division and erfcf as the compiler expands them: polynomials, MUFU, and
// selects for special cases.
#include "verify.h"

const float rate = 0.02f, volatility = 0.3f;

__device__ float normal(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

__global__ void black_scholes(const float *price, const float *strike, const float *years,
                              float *call, float *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float root = sqrtf(years[i]);
    float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
               (volatility * root);
    float d2 = d1 - volatility * root, discounted = strike[i] * expf(-rate * years[i]);
    call[i] = price[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - price[i] * normal(-d1);
}

int main()
{
    const int n = 40000 * verify::size();
    verify::Program program("black_scholes");
    std::vector<float> price = verify::random_floats(n, 1, 5.0f, 30.0f);
    std::vector<float> strike = verify::random_floats(n, 2, 1.0f, 100.0f);
    std::vector<float> years = verify::random_floats(n, 3, 0.25f, 10.0f);
    verify::Buffer<float> a(price), b(strike), c(years), call(n), put(n);

    black_scholes<<<(n + 255) / 256, 256>>>(a.data, b.data, c.data, call.data, put.data, n);
    program.launched("black_scholes");

    std::vector<double> want_call(n), want_put(n);
    for (int i = 0; i < n; i++) {
        double v = volatility, r = rate, s = v * std::sqrt((double)years[i]);
        double d1 = (std::log((double)price[i] / strike[i]) + (r + v * v / 2) * years[i]) / s;
        double pay = strike[i] * std::exp(-r * years[i]), d2 = d1 - s;
        want_call[i] = price[i] * 0.5 * std::erfc(-d1 / std::sqrt(2.0)) -
                       pay * 0.5 * std::erfc(-d2 / std::sqrt(2.0));
        want_put[i] = pay * 0.5 * std::erfc(d2 / std::sqrt(2.0)) -
                      price[i] * 0.5 * std::erfc(d1 / std::sqrt(2.0));
    }
    program.close("call", program.output("call", call), want_call, 1e-4, 1e-3);
    program.close("put", program.output("put", put), want_put, 1e-4, 1e-3);
    return program.finish();
}
