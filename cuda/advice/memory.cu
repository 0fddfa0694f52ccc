// Global and local memory.
#include "advice.h"

constexpr int N = 1024; // rows and columns of a matrix

__global__ void transpose_naive(const float *in, float *out)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * N + y] = in[y * N + x];
}

__global__ void transpose_tiled(const float *in, float *out)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * N + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        out[(y + i) * N + x] = tile[threadIdx.x][threadIdx.y + i];
}

static double transpose(bool mended)
{
    float *in = floats(N * N), *out = floats(N * N, 0);
    if (mended)
        transpose_tiled<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(in, out);
    else
        transpose_naive<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(in, out);
    return sum_of(out, N * N);
}

// An array of structs of which one member is used, or arrays of members.
struct Particle {
    float x, y, z, mass, vx, vy, vz, charge;
};

__global__ void masses_of_structs(const Particle *p, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[i].mass * 2 + 1;
}

__global__ void masses_of_arrays(const float *mass, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = mass[i] * 2 + 1;
}

static double structs(bool mended)
{
    const int count = SMS * 8 * 256 * 4;
    float *all = floats((size_t)count * 8), *out = floats(count, 0);
    if (mended)
        masses_of_arrays<<<count / 256, 256>>>(floats(count), out);
    else
        masses_of_structs<<<count / 256, 256>>>((const Particle *)all, out);
    return 0;
}

// Each thread sums a row of a matrix, or a column: the data are stored the other way round.
__global__ void sum_rows(const float *in, float *out, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int c = 0; c < columns; c++)
        sum += in[row * columns + c];
    out[row] = sum;
}

__global__ void sum_columns(const float *in, float *out, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int c = 0; c < columns; c++)
        sum += in[c * rows + row];
    out[row] = sum;
}

static double rows(bool mended)
{
    const int count = SMS * 1024, columns = 64;
    float *in = floats((size_t)count * columns), *out = floats(count, 0);
    if (mended)
        sum_columns<<<count / 256, 256>>>(in, out, count, columns);
    else
        sum_rows<<<count / 256, 256>>>(in, out, count, columns);
    return sum_of(out, count);
}

// A gather in random order, or of the same elements in order.
__global__ void gather(const float *in, const int *index, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]] + in[index[i] ^ 64];
}

static double gather_pair(bool mended)
{
    const int count = SMS * 4096;
    float *in = floats(count), *out = floats(count, 0);
    int *index = numbers(count, count), *host = new int[count];
    for (int i = 0; i < count; i++)
        host[i] = i;
    if (mended)
        cudaMemcpy(index, host, count * sizeof(int), cudaMemcpyHostToDevice);
    gather<<<count / 256, 256>>>(in, index, out);
    delete[] host;
    return 0;
}

// A small array with indices that the compiler does not know lies in local memory.
__global__ void local_array(const float *in, float *out, int turns, int mask)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[16];
    for (int k = 0; k < 16; k++)
        a[k] = in[i] + k;
    for (int t = 0; t < turns; t++) {
        const int k = t * 5 & mask;
        a[k] = a[k] * 0.5f + a[(k + 3) & mask];
    }
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += a[k];
    out[i] = sum;
}

__global__ void register_array(const float *in, float *out, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[16];
    for (int k = 0; k < 16; k++)
        a[k] = in[i] + k;
    for (int t = 0; t < turns; t += 16)
#pragma unroll
        for (int u = 0; u < 16; u++)
            a[u * 5 & 15] = a[u * 5 & 15] * 0.5f + a[(u * 5 + 3) & 15];
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += a[k];
    out[i] = sum;
}

static double local_pair(bool mended)
{
    const int count = SMS * 1024;
    float *in = floats(count), *out = floats(count, 0);
    if (mended)
        register_array<<<count / 256, 256>>>(in, out, 64);
    else
        local_array<<<count / 256, 256>>>(in, out, 64, 15);
    return sum_of(out, count);
}

// Sixty-four sums in registers; a bound on registers lets most of them spill.
constexpr int SUMS = 64;

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) many_sums(const float *in, float *out, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[SUMS];
#pragma unroll
    for (int k = 0; k < SUMS; k++)
        sum[k] = in[i] * k;
    for (int t = 0; t < turns; t++) {
        const float x = in[(i + t) & 16383];
#pragma unroll
        for (int k = 0; k < SUMS; k++)
            sum[k] = sum[k] * 0.75f + x;
    }
    float all = 0;
#pragma unroll
    for (int k = 0; k < SUMS; k++)
        all += sum[k];
    out[i] = all;
}

static double spills(bool mended)
{
    const int count = SMS * 256;
    float *in = floats(count), *out = floats(count, 0);
    if (mended)
        many_sums<256, 1><<<count / 256, 256>>>(in, out, 12);
    else
        many_sums<256, 8><<<count / 256, 256>>>(in, out, 12);
    return sum_of(out, count);
}

// Each block sweeps its data several times: all of them, which L1 cannot hold, or piece by piece.
__global__ void sweeps(const float *in, float *out, int all, int piece, int times)
{
    const float *mine = in + (size_t)blockIdx.x * all;
    float sum = 0;
    for (int first = 0; first < all; first += piece)
        for (int t = 0; t < times; t++)
#pragma unroll 4
            for (int k = threadIdx.x; k < piece; k += 256)
                sum += mine[first + k] * (t + 1);
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

static double l1_pair(bool mended)
{
    const int all = 128 * 1024, times = 3;
    float *in = floats((size_t)SMS * all), *out = floats(SMS * 256, 0);
    sweeps<<<SMS, 256>>>(in, out, all, mended ? 8 * 1024 : all, times);
    return sum_of(out, SMS * 256);
}

// Loads one at a time, each waiting for the one before, or eight at once.
__global__ void loads_in_turn(const float *in, const int *next, float *out, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int at = i;
    for (int t = 0; t < turns; t++) {
        const float x = in[at];
        sum += x;
        at += SMS * 256 + (x > 2 ? 1 : 0);
    }
    out[i] = sum;
}

__global__ void loads_at_once(const float *in, const int *next, float *out, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < turns; t += 32) {
        float x[32];
#pragma unroll
        for (int u = 0; u < 32; u++)
            x[u] = in[i + (t + u) * SMS * 256];
#pragma unroll
        for (int u = 0; u < 32; u++)
            sum += x[u];
    }
    out[i] = sum;
}

static double latency_pair(bool mended)
{
    const int count = SMS * 256, turns = 64;
    float *in = floats((size_t)count * turns), *out = floats(count, 0);
    if (mended)
        loads_at_once<<<SMS, 256>>>(in, nullptr, out, turns);
    else
        loads_in_turn<<<SMS, 256>>>(in, nullptr, out, turns);
    return sum_of(out, count);
}

const Pair memory_pairs[] = {{"transpose", "uncoalesced", transpose},
                             {"structs", "uncoalesced", structs},
                             {"rows", "uncoalesced", rows},
                             {"gather", "uncoalesced", gather_pair},
                             {"local_array", "local_memory", local_pair},
                             {"spills", "local_memory", spills},
                             {"l1_capacity", "l1_capacity", l1_pair},
                             {"latency", "load_latency", latency_pair},
                             {nullptr, nullptr, nullptr}};
