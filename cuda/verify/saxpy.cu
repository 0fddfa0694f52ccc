// y = a x + y with a grid-stride loop, and once more with four elements per load.
//
// Shows loops with a stride known only at run time, fused multiply-add, and 128-bit accesses.
#include "verify.h"

__global__ void saxpy(float a, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

__global__ void saxpy_vector(float a, const float4 *x, float4 *y, int quads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads)
        return;
    float4 p = x[i], q = y[i];
    q.x = a * p.x + q.x;
    q.y = a * p.y + q.y;
    q.z = a * p.z + q.z;
    q.w = a * p.w + q.w;
    y[i] = q;
}

int main()
{
    const int n = (1 << 18) * verify::size();
    const float a = 1.7f;
    verify::Program program("saxpy");
    std::vector<float> x = verify::random_floats(n, 1), y = verify::random_floats(n, 2);
    verify::Buffer<float> device_x(x), device_y(y), device_z(y);

    saxpy<<<264, 256>>>(a, device_x.data, device_y.data, n);
    program.launched("saxpy");
    std::vector<float> scalar = program.output("y", device_y);

    saxpy_vector<<<n / 4 / 256, 256>>>(a, (const float4 *)device_x.data, (float4 *)device_z.data,
                                       n / 4);
    program.launched("saxpy_vector");
    std::vector<float> vector = program.output("y", device_z);

    std::vector<float> want(n);
    for (int i = 0; i < n; i++)
        want[i] = a * x[i] + y[i];
    program.close("y", scalar, want, 1e-6, 1e-6);
    program.equal("y of saxpy_vector", vector, scalar);
    return program.finish();
}
