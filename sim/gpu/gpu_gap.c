/* Accounts of empty warp places (gpu_gap.h). */
#include "gpu/gpu_gap.h"

#include "base/check.h"

void gap_init(struct gap *gap, uint32_t places)
{
    *gap = (struct gap){.places = places, .last_start = UINT64_MAX};
}

void gap_last_start(struct gap *gap, uint64_t cycle)
{
    gap->last_start = cycle;
}

/* Accounts an interval that does not contain the start of the last block. */
static void account(struct gap *gap, uint64_t cycles)
{
    if (!gap->filled) { /* an idle SM has no active cycles to lose */
        if (gap->since >= gap->last_start)
            gap->idle += cycles;
        return;
    }
    uint64_t empty = gap->places - gap->filled;
    gap->active += cycles;
    if (gap->since < gap->last_start) {
        gap->empty_before += empty * cycles;
        return;
    }
    uint64_t never = gap->places - gap->filled_at_last;
    uint64_t missing = empty < never ? empty : never;
    gap->short_of_blocks += missing * cycles;
    gap->ended_early += (empty - missing) * cycles;
}

void gap_settle(struct gap *gap, uint64_t cycle)
{
    SIMSM_CHECK(cycle >= gap->since, "cycle %llu after %llu", (unsigned long long)cycle,
                (unsigned long long)gap->since);
    if (gap->since < gap->last_start && gap->last_start <= cycle) {
        account(gap, gap->last_start - gap->since);
        gap->since = gap->last_start;
        gap->filled_at_last = gap->filled;
    }
    account(gap, cycle - gap->since);
    gap->since = cycle;
}

void gap_change(struct gap *gap, uint64_t cycle, int32_t warps)
{
    gap_settle(gap, cycle);
    gap->filled = (uint32_t)((int64_t)gap->filled + warps);
    SIMSM_CHECK(gap->filled <= gap->places, "%u warps in %u places", gap->filled, gap->places);
    /*
     * The last block, and other blocks that start in the same cycle, count as present at its start.
     */
    if (cycle == gap->last_start)
        gap->filled_at_last = gap->filled;
}
