#include "exec/async/copy_parts.h"

#include "exec/async/bulk_copy.h"
#include "exec/async/tensor_copy.h"
#include "exec/control/fault.h"
#include "front/front.h"

void copy_parts_add(struct byte_buffer *parts, uint64_t address, uint32_t bytes)
{
    const struct front_part part = {address, bytes};
    struct front_part *end = (struct front_part *)(void *)(parts->data + parts->size);
    if (!bytes)
        return;
    if (parts->size && end[-1].address + end[-1].bytes == address)
        end[-1].bytes += bytes;
    else
        buffer_add(parts, &part, sizeof part);
}

void copy_parts(struct exec_warp *warp, const struct exec_inst *inst, struct byte_buffer *parts)
{
    const uint16_t op = inst->sass->op;
    struct exec_grid *grid = warp->block->grid;
    parts->size = 0;
    grid->target_ranks = grid->between = grid->filled = 0;
    if (op == SASS_OP_UBLKCP || op == SASS_OP_UBLKRED)
        bulk_copy_parts(warp, inst, parts);
    else
        tensor_copy_parts(warp, inst, parts);
    if (parts->failed)
        exec_stop(grid, SIMSM_FAILED, "out of memory for the lines of a copy");
}
