/* A configuration of round numbers for tests of the memory system, and requests to it. */
#ifndef TESTS_MEM_FIXTURE_H
#define TESTS_MEM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem/mem.h"

/* The schema's defaults; a small T4-like device where it has none. */
static inline struct simsm_config mem_config(enum simsm_memory_model model)
{
    struct simsm_config c;
    memset(&c, 0, sizeof c);
#define REQUIRED 0
#define SECTION(section, meaning)
#define UINT(section, key, value, ...)        c.section##_##key = (value);
#define VERSION(section, key, value, ...)     c.section##_##key = (value);
#define REAL(section, key, value, ...)        c.section##_##key = (value);
#define BOOL(section, key, value, ...)        c.section##_##key = (value);
#define ENUM(section, key, table, value, ...) c.section##_##key = SIMSM_##value##_##table;
#define TEXT(section, key, size, value, ...)
#define LIST(section, key, ...)
#define MAP(section, key, ...)
#include "simsm/defs/config_fields.def"
#undef REQUIRED
#undef SECTION
#undef UINT
#undef VERSION
#undef REAL
#undef BOOL
#undef ENUM
#undef TEXT
#undef LIST
#undef MAP
    c.memory_model = model;
    c.gpu_clock_mhz = 1000;
    c.sm_l1_shared_bytes = 96 * 1024;
    c.l2_bytes = 4 * 1024 * 1024;
    c.l2_slices = 32;
    c.l2_latency = 200;
    c.dram_channels = 8;
    c.dram_bandwidth_gbs = 320;
    c.dram_latency = 500;
    return c;
}

enum { FIXTURE_SHARED = 64 * 1024 };

static inline struct lane_addresses affine(uint64_t base, int64_t stride)
{
    return (struct lane_addresses){.affine = true, .base = base, .stride = stride};
}

static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Each lane in a place of its own below base + range. */
static inline struct lane_addresses scattered(uint64_t *state, uint64_t base, uint64_t range,
                                              uint32_t align)
{
    struct lane_addresses addresses = {.affine = false};
    for (unsigned lane = 0; lane < SIMSM_WARP_LANES; lane++)
        addresses.lane[lane] = base + next_random(state) % range / align * align;
    return addresses;
}

#endif
