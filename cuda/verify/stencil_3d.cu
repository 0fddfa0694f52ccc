// A 7-point stencil over a volume: each thread walks along z and keeps three planes in registers.
//
// Shows a loop whose loads are prefetched into registers, and read-only loads (ld.global.nc).
#include "verify.h"

__global__ void stencil_3d(const float *__restrict__ in, float *__restrict__ out, int nx, int ny,
                           int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1,
        y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
        return;
    int plane = nx * ny, i = y * nx + x;
    float below = in[i], here = in[i + plane];
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        float above = in[i + plane];
        float sides = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
        out[i] = sides + above + below - 6.0f * here;
        below = here;
        here = above;
    }
}

int main()
{
    const int nx = 96, ny = 64, nz = 48 * verify::size(), n = nx * ny * nz;
    verify::Program program("stencil_3d");
    std::vector<float> in = verify::random_floats(n, 1);
    verify::Buffer<float> from(in), to(n);

    stencil_3d<<<dim3((nx + 31) / 32, (ny + 3) / 4), dim3(32, 4)>>>(from.data, to.data, nx, ny, nz);
    program.launched("stencil_3d");

    std::vector<double> want(n, 0.0);
    for (int z = 1; z < nz - 1; z++)
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++) {
                int i = (z * ny + y) * nx + x;
                want[i] = (double)in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] +
                          in[i - nx * ny] + in[i + nx * ny] - 6.0 * in[i];
            }
    program.close("out", program.output("out", to), want, 1e-5, 1e-5);
    return program.finish();
}
