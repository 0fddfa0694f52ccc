// Sums, fourth way: every thread, or one thread of every warp, adds to one word with an atomic.
//
// Shows integer atomics whose result nobody reads (reductions), float atomics, minimum, maximum and
// a 64-bit sum. The float sum depends on the order in which the atomics happen.
#include "verify.h"

struct Totals {
    int sum, minimum, maximum, ones;
    unsigned long long wide;
};

__global__ void reduce_integers(const int *in, int n, Totals *totals)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(&totals->sum, in[i]);
    atomicMin(&totals->minimum, in[i]);
    atomicMax(&totals->maximum, in[i]);
    atomicAdd(&totals->wide, (unsigned long long)in[i] * in[i]);
    if (in[i] & 1)
        atomicAdd(&totals->ones, 1);
}

__global__ void reduce_floats(const float *in, int n, float *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? in[i] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sums[blockIdx.x % 8], value);
}

int main()
{
    const int n = 60000 * verify::size();
    verify::Program program("reduce_atomic");
    std::vector<uint32_t> words = verify::random_words(n, 7, 20001);
    std::vector<int> in(n);
    for (int i = 0; i < n; i++)
        in[i] = (int)words[i] - 10000;
    std::vector<float> floats = verify::random_floats(n, 8);
    verify::Buffer<int> device_in(in);
    verify::Buffer<float> device_floats(floats), device_sums(8);
    verify::Buffer<Totals> device_totals(1);

    reduce_integers<<<(n + 127) / 128, 128>>>(device_in.data, n, device_totals.data);
    program.launched("reduce_integers");
    Totals totals = program.output("totals", device_totals)[0];

    reduce_floats<<<(n + 127) / 128, 128>>>(device_floats.data, n, device_sums.data);
    program.launched("reduce_floats");
    std::vector<float> sums = program.output_approx("sums", device_sums);

    Totals want = {};
    std::vector<double> want_sums(8, 0.0);
    for (int i = 0; i < n; i++) {
        want.sum += in[i];
        want.minimum = in[i] < want.minimum ? in[i] : want.minimum;
        want.maximum = in[i] > want.maximum ? in[i] : want.maximum;
        want.ones += in[i] & 1;
        want.wide += (unsigned long long)in[i] * in[i];
        want_sums[i / 128 % 8] += floats[i];
    }
    program.holds("sum", totals.sum == want.sum);
    program.holds("minimum and maximum",
                  totals.minimum == want.minimum && totals.maximum == want.maximum);
    program.holds("number of odd values", totals.ones == want.ones);
    program.holds("sum of squares", totals.wide == want.wide);
    program.close("float sum", sums, want_sums, 1e-4, 1e-3);
    return program.finish();
}
