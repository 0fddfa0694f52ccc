// Division and remainder, 32 and 64 bits wide, by values known only at run time, and float division
// and square roots, including hard cases: infinities, denormals, zero, huge quotients.
//
// Shows the sequences that a compiler makes of operations the hardware lacks. All are exact or
// correctly rounded, so that every bit must agree with the CPU.
#include "verify.h"

struct Integers {
    unsigned quotient, remainder;
    int signed_quotient, signed_remainder;
    unsigned long long wide_quotient, wide_remainder;
};

struct Floats {
    unsigned quotient, root, reciprocal, unused;
    unsigned long long wide_quotient, wide_root;
};

__global__ void integers(const uint32_t *in, Integers *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = in[i], b = in[i + n] >> in[i] % 32 | 1u;
    unsigned long long wide = (unsigned long long)a << 32 | in[i + n];
    unsigned long long by = (unsigned long long)in[i + n] << (a % 20) | 1u;
    out[i] = {a / b, a % b, (int)a / (int)b, (int)a % (int)b, wide / by, wide % by};
}

__device__ unsigned bits(float x)
{
    return isnan(x) ? 0x7fffffffu : __float_as_uint(x);
}

__global__ void floats(const float *in, Floats *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = in[i], b = in[i + n];
    double wide = a, by = b, quotient = wide / (by * 3.0), root = sqrt(fabs(wide) * 3.0);
    out[i] = {bits(a / b),
              bits(sqrtf(fabsf(a))),
              bits(1.0f / b),
              0,
              isnan(quotient) ? ~0ull : (unsigned long long)__double_as_longlong(quotient),
              isnan(root) ? ~0ull : (unsigned long long)__double_as_longlong(root)};
}

template <typename To, typename From> static To same_bits(From from, To for_nan)
{
    To to;
    static_assert(sizeof to == sizeof from, "");
    if (from != from)
        return for_nan;
    const char *source = (const char *)&from;
    std::copy(source, source + sizeof to, (char *)&to);
    return to;
}

int main()
{
    const int n = 12000 * verify::size();
    verify::Program program("division");
    std::vector<uint32_t> words = verify::random_words(2 * n, 1);
    const float special[] = {0.0f, -0.0f, 1.0f, INFINITY, -INFINITY, NAN, 1e-45f, 3.4e38f, 1e-38f};
    std::vector<float> values;
    for (int i = 0; i < 2 * n; i++)
        values.push_back(i % 16 == 3 || i % 48 == 7 ? special[words[i] % 9]
                                                    : same_bits<float>(words[i], 0.0f));
    verify::Buffer<uint32_t> device_words(words);
    verify::Buffer<float> device_values(values);
    verify::Buffer<Integers> whole(n);
    verify::Buffer<Floats> real(n);

    integers<<<(n + 127) / 128, 128>>>(device_words.data, whole.data, n);
    program.launched("integers");
    std::vector<Integers> got = program.output("integers", whole);
    floats<<<(n + 127) / 128, 128>>>(device_values.data, real.data, n);
    program.launched("floats");
    std::vector<Floats> got_floats = program.output("floats", real);

    bool right = true, float_right = true, double_right = true;
    for (int i = 0; i < n; i++) {
        unsigned a = words[i], b = words[i + n] >> words[i] % 32 | 1u;
        unsigned long long wide = (unsigned long long)a << 32 | words[i + n];
        unsigned long long by = (unsigned long long)words[i + n] << (a % 20) | 1u;
        const Integers &g = got[i];
        right &= g.quotient == a / b && g.remainder == a % b;
        // As 64-bit numbers, since the smallest integer / -1 has no 32-bit result.
        right &= g.signed_quotient == (int)((long long)(int)a / (int)b) &&
                 g.signed_remainder == (int)((long long)(int)a % (int)b);
        right &= g.wide_quotient == wide / by && g.wide_remainder == wide % by;
        float x = values[i], y = values[i + n];
        const Floats &f = got_floats[i];
        float_right &= f.quotient == same_bits<unsigned>(x / y, 0x7fffffffu) &&
                       f.root == same_bits<unsigned>(std::sqrt(std::fabs(x)), 0x7fffffffu) &&
                       f.reciprocal == same_bits<unsigned>(1.0f / y, 0x7fffffffu);
        double quotient = x / (y * 3.0), root = std::sqrt(std::fabs((double)x) * 3.0);
        double_right &= f.wide_quotient == same_bits<unsigned long long>(quotient, ~0ull) &&
                        f.wide_root == same_bits<unsigned long long>(root, ~0ull);
    }
    program.holds("every integer quotient and remainder", right);
    program.holds("every float quotient and root", float_right);
    program.holds("every double quotient and root", double_right);
    return program.finish();
}
