// Moves 400000 particles of 48 bytes: an array of structures whose position and velocity are read
// and whose position is written; then the same with one array for each field.
//
// Shows structures whose fields the lanes of a warp read 48 bytes apart, against side by side.
#include "verify.h"

struct Particle {
    float x, y, z, mass, vx, vy, vz, age;
    uint32_t kind[4];
};

__global__ void move_structs(Particle *particles, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Particle &p = particles[i];
    p.x += dt * p.vx;
    p.y += dt * p.vy;
    p.z += dt * p.vz;
}

__global__ void move_arrays(float *fields, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
#pragma unroll
    for (int k = 0; k < 3; k++)
        fields[k * n + i] += dt * fields[(4 + k) * n + i];
}

int main()
{
    const int n = 400000;
    const float dt = 0.5f; // exact: positions and velocities are whole numbers
    verify::Program program("struct_fields");
    std::vector<Particle> particles(n);
    std::vector<float> fields(12 * n), want, got;
    for (int i = 0; i < n; i++) {
        float values[8];
        for (int k = 0; k < 8; k++)
            values[k] = fields[k * n + i] = (float)(verify::random_word(k, i) % 1000);
        particles[i] = {values[0], values[1], values[2], values[3], values[4],
                        values[5], values[6], values[7], {}};
        for (int k = 0; k < 3; k++)
            want.push_back(values[k] + dt * values[4 + k]);
    }
    verify::Buffer<Particle> structs(particles);
    verify::Buffer<float> arrays(fields);
    move_structs<<<(n + 255) / 256, 256>>>(structs.data, n, dt);
    program.launched("move_structs");
    for (const Particle &p : program.output("structs", structs))
        got.insert(got.end(), {p.x, p.y, p.z});
    program.equal("position in structures", got, want);
    move_arrays<<<(n + 255) / 256, 256>>>(arrays.data, n, dt);
    program.launched("move_arrays");
    fields = program.output("arrays", arrays);
    got.clear();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            got.push_back(fields[k * n + i]);
    program.equal("position in arrays", got, want);
    return program.finish();
}
