// Numbers of 8 bits, E4M3 and E5M2: conversions to and from them, with all their special values,
// and a matrix product of them on tensor cores (compute capability 8.9 and later; by plain loops
// before).
#include "verify.h"

#include <cuda_fp8.h>

const int n = 8192, m = 16, k = 32, columns = 8; // a warp multiplies m x k by k x columns

template <__nv_fp8_interpretation_t kind>
__global__ void convert(const float2 *in, uint16_t *narrow, uint32_t *half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint16_t pair = __nv_cvt_float2_to_fp8x2(in[i], __NV_SATFINITE, kind);
    narrow[i] = pair;
    __half2_raw wide = __nv_cvt_fp8x2_to_halfraw2(pair, kind);
    half[i] = (uint32_t)wide.x | (uint32_t)wide.y << 16;
}

/// Lane l has rows l / 4 and l / 4 + 8 of A, column l / 4 of B, and two columns of both rows of D.
__global__ void product(const uint8_t *a, const uint8_t *b, float *d)
{
    int row = threadIdx.x / 4, t = threadIdx.x % 4;
    a += blockIdx.x * m * k;
    b += blockIdx.x * k * columns;
    d += blockIdx.x * m * columns;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#if __CUDA_ARCH__ >= 890
    const uint32_t *words = (const uint32_t *)a, *column = (const uint32_t *)b + row * k / 4;
    uint32_t x[4] = {words[row * k / 4 + t], words[(row + 8) * k / 4 + t],
                     words[row * k / 4 + t + 4], words[(row + 8) * k / 4 + t + 4]};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, "
                 "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(column[t]), "r"(column[t + 4]));
#else
    for (int q = 0; q < 4; q++)
        for (int i = 0; i < k; i++) {
            __half_raw x = __nv_cvt_fp8_to_halfraw(a[(row + q / 2 * 8) * k + i], __NV_E4M3);
            __half_raw y = __nv_cvt_fp8_to_halfraw(b[(2 * t + q % 2) * k + i], __NV_E5M2);
            sum[q] += __half2float(__half(x)) * __half2float(__half(y));
        }
#endif
    for (int q = 0; q < 4; q++)
        d[(row + q / 2 * 8) * columns + 2 * t + q % 2] = sum[q];
}

template <__nv_fp8_interpretation_t kind>
void check_conversion(verify::Program &program, const char *name, const std::vector<float2> &in)
{
    std::vector<uint16_t> want(n);
    std::vector<uint32_t> want_half(n);
    for (int i = 0; i < n; i++) {
        want[i] = __nv_cvt_float2_to_fp8x2(in[i], __NV_SATFINITE, kind);
        __half2_raw wide = __nv_cvt_fp8x2_to_halfraw2(want[i], kind);
        want_half[i] = (uint32_t)wide.x | (uint32_t)wide.y << 16;
    }
    verify::Buffer<float2> from(in);
    verify::Buffer<uint16_t> narrow(n);
    verify::Buffer<uint32_t> half(n);
    convert<kind><<<n / 128, 128>>>(from.data, narrow.data, half.data);
    program.launched(name);
    program.equal(name, program.output("narrow", narrow), want);
    program.equal(name, program.output("half", half), want_half);
}

/// Small integers, which both formats hold, so that sums are exact in whatever order.
void check_product(verify::Program &program)
{
    const int blocks = 50;
    std::vector<uint32_t> word = verify::random_words(blocks * k * (m + columns), 5, 17);
    std::vector<uint8_t> a(blocks * m * k), b(blocks * k * columns);
    std::vector<float> x(a.size()), y(b.size()), want(blocks * m * columns, 0.0f);
    for (size_t i = 0; i < a.size(); i++) {
        x[i] = (float)word[i] - 8.0f;
        a[i] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
    }
    for (size_t i = 0; i < b.size(); i++) {
        y[i] = (float)(word[a.size() + i] % 9) - 4.0f;
        b[i] = __nv_cvt_float_to_fp8(y[i], __NV_SATFINITE, __NV_E5M2);
    }
    for (int block = 0; block < blocks; block++)
        for (int row = 0; row < m; row++)
            for (int c = 0; c < columns; c++)
                for (int i = 0; i < k; i++)
                    want[(block * m + row) * columns + c] +=
                        x[(block * m + row) * k + i] * y[(block * columns + c) * k + i];
    verify::Buffer<uint8_t> left(a), right(b);
    verify::Buffer<float> d(want.size());
    product<<<blocks, 32>>>(left.data, right.data, d.data);
    program.launched("product");
    program.equal("product", program.output("product", d), want);
}

int main()
{
    verify::Program program("fp8");
    std::vector<float2> in(n);
    const float edges[] = {
        0.0f,    -0.0f,    448.0f,       464.0f,        57344.0f,           61440.0f,
        1e30f,   INFINITY, 0.001953125f, 0.0009765625f, 1.52587890625e-05f, 7.62939453125e-06f,
        1.0625f, 1.125f,   NAN,          1.1875f};
    for (int i = 0; i < n; i++) {
        uint32_t word = verify::random_word(2, i), other = verify::random_word(3, i);
        in[i].x = std::ldexp((float)(int32_t)word / 2147483648.0f, (int)(other % 40) - 22);
        in[i].y = i < 32 ? (i % 2 ? -1.0f : 1.0f) * edges[i / 2]
                         : std::ldexp((float)(int32_t)other / 2147483648.0f, (int)(word % 24) - 12);
    }
    check_conversion<__NV_E4M3>(program, "E4M3", in);
    check_conversion<__NV_E5M2>(program, "E5M2", in);
    check_product(program);
    return program.finish();
}
