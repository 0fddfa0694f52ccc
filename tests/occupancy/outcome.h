/* A launch and its occupancy, by simsm and by NVIDIA's cuda_occupancy.h. */
#ifndef TESTS_OCCUPANCY_OUTCOME_H
#define TESTS_OCCUPANCY_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "occupancy/gpus.h"

struct launch_case {
    uint32_t threads, registers, shared_static, shared_dynamic;
    int carveout; /* percent of the SM's shared memory, or -1 */
};

struct outcome {
    uint64_t
        limits; /* warps, registers, shared, blocks: 16 bits each from the lowest; ffff: none */
    uint64_t
        resources; /* resident blocks 8, limiters 8, registers 24, shared bytes of a block 24 */
};

/* By simsm, for the configuration of that GPU. */
struct outcome outcome_simsm(const struct simsm_config *config, const struct launch_case *launch);

/* By the header. False where this build has none, or it does not know the GPU. */
bool outcome_header(const struct gpu *gpu, const struct launch_case *launch,
                    struct outcome *outcome);

/* Returns the version of the header, such as "CUDA 13.0, calculator 12.1"; NULL if there is
 * none. */
const char *outcome_header_version(void);

#endif
