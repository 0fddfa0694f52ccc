// Runs one variant of a pair: `advice NAME faulty|mended`. `advice --list` lists the names and the
// advice that must come first.
#include "advice.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static const Pair *const tables[] = {memory_pairs, shared_pairs, lane_pairs,
                                     shape_pairs,  unit_pairs,   copy_pairs};

static void check(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "advice: %s\n", cudaGetErrorString(status));
    exit(1);
}

float *floats(size_t count, float scale)
{
    std::vector<float> host(count);
    for (size_t i = 0; i < count; i++)
        host[i] = scale * (float)((i * 37 + 11) % 64) / 64;
    float *device;
    check(cudaMalloc(&device, count * sizeof(float)));
    check(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

int *numbers(size_t count, int below)
{
    std::vector<int> host(count);
    unsigned long long x = 88172645463325252ull;
    for (size_t i = 0; i < count; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        host[i] = (int)(x >> 33) % below;
    }
    int *device;
    check(cudaMalloc(&device, count * sizeof(int)));
    check(cudaMemcpy(device, host.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    return device;
}

double sum_of(const float *buffer, size_t count)
{
    std::vector<float> host(count);
    check(cudaMemcpy(host.data(), buffer, count * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float x : host)
        sum += x;
    return sum;
}

int main(int argc, char **argv)
{
    const bool list = argc == 2 && strcmp(argv[1], "--list") == 0;
    const bool mended = argc == 3 && strcmp(argv[2], "mended") == 0;
    if (!list && !mended && (argc != 3 || strcmp(argv[2], "faulty") != 0)) {
        fprintf(stderr, "usage: advice --list | NAME faulty|mended\n");
        return 2;
    }
    for (const Pair *table : tables)
        for (const Pair *pair = table; pair->name; pair++) {
            if (list) {
                printf("%s %s\n", pair->name, pair->advice);
            } else if (strcmp(argv[1], pair->name) == 0) {
                const double sum = pair->run(mended);
                check(cudaDeviceSynchronize());
                printf("%s: sum %.6g\n", pair->name, sum);
                return 0;
            }
        }
    if (!list)
        fprintf(stderr, "advice: no pair '%s'; --list lists them\n", argv[1]);
    return list ? 0 : 2;
}
