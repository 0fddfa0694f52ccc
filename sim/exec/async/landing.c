#include "exec/async/landing.h"

#include <string.h>

#include "exec/async/mbarrier.h"
#include "exec/control/fault.h"

struct landing {
    struct exec_slot *slot; /* of the warp that copies */
    const struct exec_inst *inst;
    uint64_t block; /* exec_block.serial: its memory may serve another block by then */
    uint32_t number, address, bytes;
};

static struct landing *landing_at(const struct exec_grid *grid, size_t offset)
{
    return (struct landing *)(void *)(grid->landings.data + offset);
}

void landing_note(struct exec_warp *warp, const struct exec_inst *inst, uint32_t address,
                  uint32_t bytes)
{
    struct exec_grid *grid = warp->block->grid;
    const struct landing landing = {.slot = grid->copying,
                                    .inst = inst,
                                    .block = warp->block->serial,
                                    .number = grid->copy_number,
                                    .address = address,
                                    .bytes = bytes};
    buffer_add(&grid->landings, &landing, sizeof landing);
    if (grid->landings.failed)
        exec_stop(grid, SIMSM_FAILED, "out of memory for copies under way");
}

/* Counts the landing at `offset`, and forgets it. */
static void count(struct exec_grid *grid, size_t offset)
{
    const struct landing landing = *landing_at(grid, offset);
    struct exec_warp *warp = landing.slot->warp;
    uint8_t *from = grid->landings.data + offset;
    memmove(from, from + sizeof landing, grid->landings.size - offset - sizeof landing);
    grid->landings.size -= sizeof landing;
    if (warp->block->serial == landing.block)
        (void)mbarrier_count_bytes(warp, landing.inst, landing.address, landing.bytes);
    grid->wrote = false;
}

void landing_count(struct exec_grid *grid, uint32_t number)
{
    for (size_t at = 0; at < grid->landings.size;)
        if (landing_at(grid, at)->number == number)
            count(grid, at);
        else
            at += sizeof(struct landing);
}

void landing_count_all(struct exec_grid *grid)
{
    while (grid->landings.size)
        count(grid, 0);
}
