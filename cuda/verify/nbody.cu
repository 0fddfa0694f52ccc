// Accelerations of 2048 bodies: each thread sums over all bodies, which come in tiles.
//
// Shows reuse of shared memory by all threads of a block, and one reciprocal square root (MUFU.RSQ)
// for each pair: the bits depend on the special function unit.
#include "verify.h"

const int block = 128;

__global__ void nbody(const float4 *bodies, float4 *accelerations, int n)
{
    __shared__ float4 tile[block];
    int i = blockIdx.x * block + threadIdx.x;
    float4 me = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int base = 0; base < n; base += block) {
        tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < block; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = tile[j].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    accelerations[i] = make_float4(ax, ay, az, 0.0f);
}

int main()
{
    const int n = 2048 * verify::size();
    verify::Program program("nbody");
    std::vector<float> words = verify::random_floats(4 * n, 1);
    std::vector<float4> bodies;
    for (int i = 0; i < n; i++)
        bodies.push_back(
            make_float4(words[4 * i], words[4 * i + 1], words[4 * i + 2], 1.0f + words[4 * i + 3]));
    verify::Buffer<float4> device_bodies(bodies), accelerations(n);

    nbody<<<n / block, block>>>(device_bodies.data, accelerations.data, n);
    program.launched("nbody");

    std::vector<float> got;
    std::vector<double> want;
    std::vector<float4> output = program.output("accelerations", accelerations);
    for (int i = 0; i < n; i++) {
        double a[3] = {};
        for (int j = 0; j < n; j++) {
            double dx = (double)bodies[j].x - bodies[i].x, dy = (double)bodies[j].y - bodies[i].y,
                   dz = (double)bodies[j].z - bodies[i].z;
            double pull = bodies[j].w * std::pow(dx * dx + dy * dy + dz * dz + 0.01, -1.5);
            a[0] += dx * pull;
            a[1] += dy * pull;
            a[2] += dz * pull;
        }
        got.insert(got.end(), {output[i].x, output[i].y, output[i].z});
        want.insert(want.end(), a, a + 3);
    }
    program.close("acceleration", got, want, 1e-3, 0.05);
    return program.finish();
}
