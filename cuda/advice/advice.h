// Pairs of kernels for the same task: one with a planted performance fault, one without it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SMS = 132; // SMs of an H100 and H200; grids are made of multiples

// Memory on the device, filled from a fixed formula.
float *floats(size_t count, float scale = 1);
int *numbers(size_t count, int below);

// A pair. `run` launches the kernels and returns what they computed: both variants return the same,
// up to rounding.
struct Pair {
    const char *name;
    const char *advice; // the name of the advice that must come first (simsm why --json)
    double (*run)(bool mended);
};

// Returns the sum of a buffer on the device.
double sum_of(const float *buffer, size_t count);

extern const Pair memory_pairs[], shared_pairs[], lane_pairs[], shape_pairs[], unit_pairs[],
    copy_pairs[]; // whole programs
