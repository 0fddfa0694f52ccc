/*
 * The profile of a launch: the features of its signature for parts of the grid, in the order in
 * which blocks are dispatched. It answers whether some blocks can stand for others.
 */
#ifndef SIM_SAMPLE_PROFILE_H
#define SIM_SAMPLE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/feature.h"

enum { PROFILE_PARTS = 512 }; /* at most */

/* A part of the grid: consecutive blocks. */
struct profile_part {
    uint64_t blocks;
    double feature[SAMPLE_FEATURES]; /* sums over the blocks, except FEATURE_LONGEST_WARP: the
                                        largest value; FEATURE_LINES: lines that no earlier part
                                        touches */
};

/* A profile of zeros is empty. Holds no pointers. */
struct sample_profile {
    uint64_t blocks, part_blocks; /* of the grid; of each part but the last */
    uint32_t parts;
    struct profile_part part[PROFILE_PARTS];
    double written; /* lines touched that are written */
    bool waits;     /* warps poll memory that others write */
};

/* Divides a grid of `blocks` blocks into parts. */
void profile_begin(struct sample_profile *profile, uint64_t blocks);

/* Returns the part of `block`. */
static inline struct profile_part *profile_part_of(struct sample_profile *profile, uint64_t block)
{
    return &profile->part[block / profile->part_blocks];
}

/* Returns the sum (FEATURE_LONGEST_WARP: the maximum) of a feature over the parts that lie wholly
 * in blocks [from, to). *blocks becomes the number of their blocks. */
double profile_sum(const struct sample_profile *profile, enum sample_feature feature, uint64_t from,
                   uint64_t to, uint64_t *blocks);

/*
 * Returns the block from which on the launch has touched at least `lines` distinct lines, or the
 * number of blocks if it never does.
 */
uint64_t profile_touched(const struct sample_profile *profile, double lines);

/* Returns the share of the touched lines that are written. */
double profile_written(const struct sample_profile *profile);

/* Returns true if each line is accessed by one block only: the content of L2 then does not matter
 * for reads. */
bool profile_streams(const struct sample_profile *profile);

#endif
