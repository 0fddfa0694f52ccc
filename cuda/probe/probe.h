// The host side of a generated probe: launches its kernels one by one and writes their answers.
#ifndef CUDA_PROBE_PROBE_H
#define CUDA_PROBE_PROBE_H

#include "operands.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

struct Probe {
    const char *name;
    void (*kernel)(void *answers);
    size_t width; // bytes of an answer
};

inline void probe_must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

/// Runs all probes and writes the answers, one probe after the other, to the file `path`; prints a
/// hash of each probe's answers as the programs in cuda/verify do.
inline int probe_all(const Probe *probes, size_t count, const char *path)
{
    std::FILE *file = std::fopen(path, "wb");
    if (!file) {
        std::fprintf(stderr, "cannot write %s\n", path);
        return 1;
    }
    void *device;
    probe_must(cudaMalloc(&device, PROBE_COUNT * 8), "cudaMalloc");
    for (size_t k = 0; k < count; k++) {
        std::vector<unsigned char> answers(PROBE_COUNT * probes[k].width);
        probe_must(cudaMemset(device, 0, answers.size()), "cudaMemset");
        probes[k].kernel<<<PROBE_COUNT / 128, 128>>>(device);
        probe_must(cudaGetLastError(), probes[k].name);
        probe_must(cudaMemcpy(answers.data(), device, answers.size(), cudaMemcpyDeviceToHost),
                   probes[k].name);
        uint64_t hash = 0xcbf29ce484222325u;
        for (unsigned char byte : answers)
            hash = (hash ^ byte) * 0x100000001b3u;
        std::printf("hash %zu %s %016llx %zu\n", k, probes[k].name, (unsigned long long)hash,
                    answers.size());
        if (std::fwrite(answers.data(), 1, answers.size(), file) != answers.size() ||
            std::fflush(file) != 0) {
            std::fprintf(stderr, "cannot write %s\n", path);
            return 1;
        }
    }
    cudaFree(device);
    return std::fclose(file) == 0 ? 0 : 1;
}

#endif
