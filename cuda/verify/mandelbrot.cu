// Iterations until a point leaves the Mandelbrot set.
//
// Shows a loop that neighbouring lanes leave at different times. Every operation is written with
// its rounding (__fmul_rn and so on), so that the counts are exact on any machine.
#include "verify.h"

const int most = 200;

__global__ void mandelbrot(int *counts, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float cr = __fadd_rn(-2.0f, __fmul_rn(3.0f / 256, (float)x));
    float ci = __fadd_rn(-1.25f, __fmul_rn(2.5f / 192, (float)y));
    float re = 0.0f, im = 0.0f;
    int count = 0;
    while (count < most) {
        float rr = __fmul_rn(re, re), ii = __fmul_rn(im, im);
        if (__fadd_rn(rr, ii) > 4.0f)
            break;
        im = __fadd_rn(__fmul_rn(__fadd_rn(re, re), im), ci);
        re = __fadd_rn(__fadd_rn(rr, -ii), cr);
        count++;
    }
    counts[y * width + x] = count;
}

static int escape(float cr, float ci)
{
    volatile float re = 0.0f, im = 0.0f, rr, ii, sum; // volatile: no wider or fused arithmetic
    int count = 0;
    for (; count < most; count++) {
        rr = re * re;
        ii = im * im;
        sum = rr + ii;
        if (sum > 4.0f)
            break;
        sum = re + re;
        sum = sum * im;
        im = sum + ci;
        sum = rr - ii;
        re = sum + cr;
    }
    return count;
}

int main()
{
    const int width = 256, height = 192 * verify::size();
    verify::Program program("mandelbrot");
    verify::Buffer<int> counts(width * height);

    mandelbrot<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(counts.data, width, height);
    program.launched("mandelbrot");

    std::vector<int> want;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            volatile float right = 3.0f / 256 * (float)x, down = 2.5f / 192 * (float)y;
            want.push_back(escape(-2.0f + right, -1.25f + down));
        }
    program.equal("count", program.output("counts", counts), want);
    return program.finish();
}
