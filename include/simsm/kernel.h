/* A kernel launch: the kernel's resources and the size of its grid. */
#ifndef SIMSM_KERNEL_H
#define SIMSM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIMSM_CARVEOUT_DEFAULT UINT32_MAX

/* A launch. Holds no pointers and may be copied. */
struct simsm_launch {
    char name[128];
    uint32_t grid[3];        /* blocks in x, y, z */
    uint32_t block[3];       /* threads in x, y, z */
    uint32_t registers;      /* per thread */
    uint32_t shared_static;  /* bytes per block */
    uint32_t shared_dynamic; /* bytes per block */
    uint32_t cluster[3];     /* blocks of a cluster in x, y, z; 0: not launched in clusters */
    uint32_t carveout;       /* bytes of the SM's shared memory that the program asks for, or
                                SIMSM_CARVEOUT_DEFAULT */
    bool untranslated;       /* the first launch of a program: the GPU has not translated an address
                                of its memory yet */
};

static inline uint32_t simsm_block_threads(const struct simsm_launch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

static inline uint32_t simsm_block_warps(const struct simsm_launch *launch)
{
    return (simsm_block_threads(launch) + 31u) / 32u;
}

static inline uint64_t simsm_grid_blocks(const struct simsm_launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

#ifdef __cplusplus
}
#endif

#endif
