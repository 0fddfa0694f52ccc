/* What a copy (TMA) accesses in global memory, for the engine that copies. */
#ifndef SIM_EXEC_ASYNC_COPY_PARTS_H
#define SIM_EXEC_ASYNC_COPY_PARTS_H

#include "base/byte_buffer.h"
#include "exec/control/exec_grid.h"

/* Replaces *parts (struct front_part) by those of the copy that the warp issues. A copy that the
 * hardware does not take fails the launch. */
void copy_parts(struct exec_warp *warp, const struct exec_inst *inst, struct byte_buffer *parts);

/* Adds `bytes` at `address`, to the last part if they follow it. */
void copy_parts_add(struct byte_buffer *parts, uint64_t address, uint32_t bytes);

#endif
