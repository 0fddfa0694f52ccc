#include "exec/async/landing.h"

#include <string.h>

#include "exec/control/cluster.h"
#include "exec/control/fault.h"

/* Is in the list of the SM in which the barrier is. */
struct landing {
    struct exec_slot *slot; /* of the warp that copies, in SM `from` */
    struct exec_block *block;
    const struct exec_inst *inst;
    uint64_t serial; /* of the block: its memory may serve another one by then */
    struct mbarrier_arrival arrival;
    uint32_t from, number, at; /* place of the barrier in the block's shared memory */
};

static struct landing *landing_at(const struct exec_grid *grid, size_t offset)
{
    return (struct landing *)(void *)(grid->landings.data + offset);
}

void landing_note(struct exec_warp *warp, const struct exec_inst *inst, uint32_t address,
                  const struct mbarrier_arrival *arrival)
{
    struct exec_grid *grid = warp->block->grid;
    uint32_t at;
    struct exec_block *block = cluster_target(warp, inst, 0, address, &at);
    if (!block)
        return;
    const struct landing landing = {.slot = grid->copying,
                                    .block = block,
                                    .inst = inst,
                                    .serial = block->serial,
                                    .arrival = *arrival,
                                    .from = grid->copying->sm,
                                    .number = grid->copy_number,
                                    .at = at};
    buffer_add(&block->grid->landings, &landing, sizeof landing);
    if (block->grid->landings.failed)
        exec_stop(grid, SIMSM_FAILED, "out of memory for copies under way");
}

/* Counts the landing at `offset`, and forgets it. */
static void count(struct exec_grid *grid, size_t offset)
{
    const struct landing landing = *landing_at(grid, offset);
    uint8_t *from = grid->landings.data + offset;
    memmove(from, from + sizeof landing, grid->landings.size - offset - sizeof landing);
    grid->landings.size -= sizeof landing;
    if (landing.block->serial == landing.serial)
        (void)mbarrier_count(landing.block, landing.slot->warp, landing.inst, landing.at,
                             &landing.arrival);
    grid->wrote = false;
}

void landing_count(struct exec_grid *grid, uint32_t from, uint32_t number)
{
    for (size_t at = 0; at < grid->landings.size;) {
        const struct landing *landing = landing_at(grid, at);
        if (landing->number == number && landing->from == from)
            count(grid, at);
        else
            at += sizeof *landing;
    }
}

void landing_count_all(struct exec_grid *grid)
{
    while (grid->landings.size)
        count(grid, 0);
}
