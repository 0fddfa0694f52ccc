/* Bulk copies (cp.async.bulk): UBLKCP and UBLKRED, between global and shared memory. */
#ifndef SIM_EXEC_ASYNC_BULK_COPY_H
#define SIM_EXEC_ASYNC_BULK_COPY_H

#include "base/byte_buffer.h"
#include "exec/control/exec_grid.h"

/* As copy_parts (copy_parts.h). */
void bulk_copy_parts(struct exec_warp *warp, const struct exec_inst *inst,
                     struct byte_buffer *parts);

/* Prepares one of them, as struct control_row has it (control/control_flow.c). */
bool exec_prepare_bulk(struct exec_step *step, const struct sass_inst *sass, uint32_t steps);

#endif
