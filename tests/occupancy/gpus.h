/* The SM of every compute capability from 6.0 to 12.x, as far as occupancy asks for it. */
#ifndef TESTS_OCCUPANCY_GPUS_H
#define TESTS_OCCUPANCY_GPUS_H

#include "simsm/config.h"

struct gpu {
    unsigned capability; /* major x 10 + minor */
    unsigned warps, blocks;
    unsigned shared_kib, optin_kib; /* of the SM; of a block with opt-in */
    unsigned registers_per_block;
    unsigned reserved, unit; /* shared memory, bytes */
    unsigned sub_partitions;
    unsigned carveouts_kib[12]; /* ends with the SM's */
};

/* Ends with capability 0. Source: CUDA C++ Programming Guide, tables of compute capabilities. */
extern const struct gpu gpus[];

/* Sets *config to zero but for what occupancy asks for. */
void gpu_config(const struct gpu *gpu, struct simsm_config *config);

/* Carve-out choices of the GPU. */
unsigned gpu_carveouts(const struct gpu *gpu);

#endif
