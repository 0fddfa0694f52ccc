/*
 * How what a launch does is spread over its grid: the features of its signature for parts of the
 * grid, in the order in which blocks go out. Whether some of its blocks can stand for the others is
 * asked of it.
 */
#ifndef SIM_SAMPLE_PROFILE_H
#define SIM_SAMPLE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/feature.h"

enum { PROFILE_PARTS = 512 }; /* at most */

/* Blocks that follow one another. */
struct profile_part {
    uint64_t blocks;
    double feature[SAMPLE_FEATURES]; /* sums; of FEATURE_LONGEST_WARP the largest value, of
                                        FEATURE_LINES those that no part before has touched */
};

/* All zero: nothing is known. Nothing to free. */
struct sample_profile {
    uint64_t blocks, part_blocks; /* of the grid; of each part but the last */
    uint32_t parts;
    struct profile_part part[PROFILE_PARTS];
    double written; /* of all lines touched, those that are written */
    bool waits;     /* warps wait in loops for what others write */
};

/* Divides a grid of `blocks` blocks into parts. */
void profile_begin(struct sample_profile *profile, uint64_t blocks);

/* The part that `block` belongs to. */
static inline struct profile_part *profile_part_of(struct sample_profile *profile, uint64_t block)
{
    return &profile->part[block / profile->part_blocks];
}

/* The sum, or the largest value, of a feature over the parts that lie wholly in blocks [from, to);
 * *blocks: how many blocks these have. */
double profile_sum(const struct sample_profile *profile, enum sample_feature feature, uint64_t from,
                   uint64_t to, uint64_t *blocks);

/*
 * From which block on the launch has touched at least `lines` distinct lines of memory; the number
 * of blocks if it never does.
 */
uint64_t profile_touched(const struct sample_profile *profile, double lines);

/* The share of the lines touched that is written. */
double profile_written(const struct sample_profile *profile);

/* Whether each line is accessed once, by one block: what L2 holds makes no difference to reads. */
bool profile_streams(const struct sample_profile *profile);

#endif
