// Two-dimensional Fourier transform of a 256 x 256 image: all rows, a transposition, all rows
// again.
//
// Shows complex arithmetic, sines and cosines by special functions, shared memory with strides of
// powers of two, and a transposition between.
#include "verify.h"

#include <complex>

const int side = 256;

__global__ void fft_rows(float2 *image)
{
    __shared__ float2 row[side];
    int t = threadIdx.x; // 128 threads, two values each
    float2 *line = image + blockIdx.x * side;
    for (int k = t; k < side; k += side / 2)
        row[__brev((unsigned)k) >> 24] = line[k];
    for (int half = 1; half < side; half *= 2) {
        __syncthreads();
        int low = t / half * 2 * half + t % half;
        float sine, cosine;
        sincospif(-(float)(t % half) / (float)half, &sine, &cosine);
        float2 a = row[low], b = row[low + half];
        float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        row[low] = make_float2(a.x + turned.x, a.y + turned.y);
        row[low + half] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
    for (int k = t; k < side; k += side / 2)
        line[k] = row[k];
}

__global__ void turn(const float2 *from, float2 *to)
{
    __shared__ float2 tile[16][17];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    tile[y][x] = from[(blockIdx.y * 16 + y) * side + blockIdx.x * 16 + x];
    __syncthreads();
    to[(blockIdx.x * 16 + y) * side + blockIdx.y * 16 + x] = tile[x][y];
}

int main()
{
    verify::Program program("fft_2d");
    std::vector<float> words = verify::random_floats(2 * side * side, 1);
    std::vector<float2> image(side * side);
    for (int i = 0; i < side * side; i++)
        image[i] = make_float2(words[2 * i], words[2 * i + 1]);
    verify::Buffer<float2> a(image), b(side * side);
    fft_rows<<<side, side / 2>>>(a.data);
    program.launched("fft_rows");
    turn<<<dim3(side / 16, side / 16), 256>>>(a.data, b.data);
    program.launched("turn");
    fft_rows<<<side, side / 2>>>(b.data);
    program.launched("fft_rows");
    std::vector<float2> got = program.output("transform", b); // transposed
    std::vector<double> have, want;
    for (int k = 0; k < 24; k++) { // a sample: each value takes 65536 steps
        int u = (k * 37 + 5) % side, v = (k * 91 + 3) % side;
        std::complex<double> sum = 0.0;
        for (int i = 0; i < side * side; i++)
            sum += std::complex<double>(image[i].x, image[i].y) *
                   std::polar(1.0, -2.0 * 3.14159265358979323846 *
                                       ((u * (i % side) + v * (i / side)) % side) / side);
        want.insert(want.end(), {sum.real(), sum.imag()});
        have.insert(have.end(), {got[u * side + v].x, got[u * side + v].y});
    }
    program.close("transform", have, want, 1e-4, 2e-2);
    return program.finish();
}
