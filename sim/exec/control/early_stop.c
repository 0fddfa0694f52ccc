/* The end of a launch before its last instruction. */
#include "exec/control/early_stop.h"

#include <stdio.h>

#include "exec/control/fault.h"

enum simsm_status exec_early_end(const struct exec_grid *grid)
{
    const struct exec_watch *watch = grid->options.watch;
    const uint64_t limit = grid->options.max_instructions;
    if (watch && !watch->go_on(watch->context, &grid->counts))
        return SIMSM_INTERRUPTED;
    return limit && grid->counts.warp_instructions >= limit ? SIMSM_LIMIT : SIMSM_OK;
}

void exec_end_early(struct exec_grid *grid, enum simsm_status why, const struct exec_slot *slot)
{
    char place[EXEC_PLACE_TEXT] = "the end of a warp", where[EXEC_PLACE_TEXT + 64] = "";
    if (slot) {
        const uint32_t *id = slot->warp->block->id;
        const uint32_t last = slot->now < slot->groups ? slot->now : slot->groups - 1;
        if (slot->groups)
            (void)exec_place(grid, slot->group[last].at, place);
        (void)snprintf(where, sizeof where, ", in block (%u,%u,%u) at %s", id[0], id[1], id[2],
                       place);
    }
    exec_stop(grid, why, "%s after %llu warp instructions%s",
              why == SIMSM_LIMIT ? "stopped by max_instructions" : "interrupted",
              (unsigned long long)grid->counts.warp_instructions, where);
    if (why == SIMSM_LIMIT && grid->options.failure)
        *grid->options.failure = EXEC_FAILURE_LIMIT;
}

bool exec_ends_early(struct exec_grid *grid, const struct exec_slot *slot)
{
    const enum simsm_status why = exec_early_end(grid);
    if (why != SIMSM_OK)
        exec_end_early(grid, why, slot);
    return grid->status != SIMSM_OK;
}
