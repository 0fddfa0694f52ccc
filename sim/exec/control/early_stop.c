/* The end of a launch before its last instruction. */
#include "exec/control/early_stop.h"

#include "exec/control/fault.h"

static void end_launch(struct exec_block *block, const struct exec_slot *slot,
                       enum simsm_status status, const char *why)
{
    struct exec_grid *grid = block->grid;
    char place[EXEC_PLACE_TEXT] = "the end of a warp";
    const uint32_t last = slot->now < slot->groups ? slot->now : slot->groups - 1;
    if (slot->groups)
        (void)exec_place(grid, slot->group[last].at, place);
    exec_stop(grid, status, "%s after %llu warp instructions, in block (%u,%u,%u) at %s", why,
              (unsigned long long)grid->counts.warp_instructions, block->id[0], block->id[1],
              block->id[2], place);
}

bool exec_ends_early(struct exec_block *block, const struct exec_slot *slot)
{
    struct exec_grid *grid = block->grid;
    const struct exec_watch *watch = grid->options.watch;
    const uint64_t limit = grid->options.max_instructions;
    if (watch && !watch->go_on(watch->context, &grid->counts)) {
        end_launch(block, slot, SIMSM_INTERRUPTED, "interrupted");
    } else if (limit && grid->counts.warp_instructions >= limit) {
        end_launch(block, slot, SIMSM_LIMIT, "stopped by max_instructions");
        if (grid->options.failure)
            *grid->options.failure = EXEC_FAILURE_LIMIT;
    }
    return grid->status != SIMSM_OK;
}
