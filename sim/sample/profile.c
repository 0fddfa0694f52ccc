#include "sample/profile.h"

#include <string.h>

const char *const sample_feature_names[SAMPLE_FEATURES] = {
    [FEATURE_WARP_INSTRUCTIONS] = "warp_instructions",
    [FEATURE_THREAD_INSTRUCTIONS] = "thread_instructions",
    [FEATURE_LONGEST_WARP] = "longest_warp",
    [FEATURE_SECTORS] = "sectors",
    [FEATURE_LINES] = "lines",
    [FEATURE_ATOMICS] = "atomic_lanes",
    [FEATURE_SHARED] = "shared_accesses",
};

void profile_begin(struct sample_profile *profile, uint64_t blocks)
{
    memset(profile, 0, sizeof *profile);
    profile->blocks = blocks;
    profile->part_blocks = (blocks + PROFILE_PARTS - 1) / PROFILE_PARTS;
    profile->parts = (uint32_t)((blocks + profile->part_blocks - 1) / profile->part_blocks);
}

double profile_sum(const struct sample_profile *profile, enum sample_feature feature, uint64_t from,
                   uint64_t to, uint64_t *blocks)
{
    double sum = 0;
    *blocks = 0;
    for (uint32_t i = 0; i < profile->parts; i++) {
        const struct profile_part *part = &profile->part[i];
        const uint64_t first = i * profile->part_blocks;
        const double value = part->feature[feature];
        if (first < from || first + part->blocks > to)
            continue;
        *blocks += part->blocks;
        if (feature != FEATURE_LONGEST_WARP)
            sum += value;
        else if (value > sum)
            sum = value;
    }
    return sum;
}

uint64_t profile_touched(const struct sample_profile *profile, double lines)
{
    double sum = 0;
    for (uint32_t i = 0; i < profile->parts; i++) {
        sum += profile->part[i].feature[FEATURE_LINES];
        if (sum >= lines)
            return i * profile->part_blocks;
    }
    return profile->blocks;
}

static double sum_of(const struct sample_profile *profile, enum sample_feature feature)
{
    uint64_t blocks;
    return profile_sum(profile, feature, 0, profile->blocks, &blocks);
}

double profile_written(const struct sample_profile *profile)
{
    const double lines = sum_of(profile, FEATURE_LINES);
    return lines > 0 ? profile->written / lines : 0;
}

bool profile_streams(const struct sample_profile *profile)
{
    const double sectors_of_line = 4, again = 1.1;
    return sum_of(profile, FEATURE_SECTORS) <=
           again * sectors_of_line * sum_of(profile, FEATURE_LINES);
}
