// y = a x + y in half precision, two elements per instruction, and the larger of x and y.
//
// Shows HFMA2, HMNMX2 and HSETP2 on packed halves, conversions, and rounding to 11 bits once per
// fused multiply-add: the result must be the exact value, rounded once.
#include "verify.h"

#include <cuda_fp16.h>

__global__ void half2_axpy(float a, const __half2 *x, const __half2 *y, __half2 *sums,
                           __half2 *larger, unsigned *equal, int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    __half2 factor = __float2half2_rn(a);
    sums[i] = __hfma2(factor, x[i], y[i]);
    larger[i] = __hgt2(x[i], y[i]).x == __float2half(1.0f) ? x[i] : y[i];
    equal[i] = __hbeq2(x[i], y[i]);
}

static std::vector<unsigned> bits_of(const std::vector<__half2> &values)
{
    std::vector<unsigned> bits;
    for (__half2 value : values)
        bits.push_back((unsigned)__half_as_ushort(value.y) << 16 | __half_as_ushort(value.x));
    return bits;
}

int main()
{
    const int pairs = 30000 * verify::size();
    const float a = 0.75f;
    verify::Program program("half2_axpy");
    std::vector<float> words = verify::random_floats(4 * pairs, 1, -4.0f, 4.0f);
    std::vector<__half2> x, y, want, want_larger;
    std::vector<unsigned> want_equal;
    for (int i = 0; i < pairs; i++) {
        const float *w = &words[4 * i];
        x.push_back(__floats2half2_rn(w[0], w[1]));
        y.push_back(i % 8 ? __floats2half2_rn(w[2], w[3]) : x[i]);
        // 0.75 times 11 bits plus 11 bits is exact in a double, so that it is rounded once.
        want.push_back(
            __halves2half2(__double2half((double)a * __half2float(x[i].x) + __half2float(y[i].x)),
                           __double2half((double)a * __half2float(x[i].y) + __half2float(y[i].y))));
        bool first = __half2float(x[i].x) > __half2float(y[i].x);
        want_larger.push_back(first ? x[i] : y[i]);
        want_equal.push_back(__half2float(x[i].x) == __half2float(y[i].x) &&
                             __half2float(x[i].y) == __half2float(y[i].y));
    }
    verify::Buffer<__half2> device_x(x), device_y(y), sums(pairs), larger(pairs);
    verify::Buffer<unsigned> equal(pairs);

    half2_axpy<<<(pairs + 127) / 128, 128>>>(a, device_x.data, device_y.data, sums.data,
                                             larger.data, equal.data, pairs);
    program.launched("half2_axpy");
    program.equal("sum", bits_of(program.output("sums", sums)), bits_of(want));
    program.equal("larger", bits_of(program.output("larger", larger)), bits_of(want_larger));
    program.equal("equal", program.output("equal", equal), want_equal);
    return program.finish();
}
