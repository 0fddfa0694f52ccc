/*
 * The ranges that launches and copies belong to: NVTX ranges of the calling thread, and the time
 * between cudaProfilerStart and cudaProfilerStop. Ranges with the same names in the same order are
 * one.
 */
#ifndef SIM_CUDA_RANGES_H
#define SIM_CUDA_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

struct range {
    uint32_t parent; /* number of the range around it; 0: none */
    char *name;      /* with its domain, "domain:name" */
    uint64_t passes; /* how often the range was opened, without passes that contain no work */
    uint64_t serial; /* number of the pass that contains the last launch or copy */
};

struct ranges {
    struct pool pool; /* struct range, numbered from 1 */
};

/*
 * Returns the number of the innermost range that the calling thread has open; 0: none, or memory
 * ran out.
 */
uint32_t ranges_now(struct ranges *ranges);

/* Returns the range of a number from 1. */
const struct range *ranges_get(const struct ranges *ranges, uint32_t number);

/* Writes "step/attention". Returns `text`; NULL for number 0. */
const char *ranges_path(const struct ranges *ranges, uint32_t number, char *text, uint32_t size);

void ranges_free(struct ranges *ranges);

/* Notes a call of cudaProfilerStart (true) or cudaProfilerStop. */
void ranges_profile(bool on);

#endif
