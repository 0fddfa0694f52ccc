/* Tensor copies (TMA, cp.async.bulk.tensor): UTMALDG, UTMASTG and UTMAREDG. */
#ifndef SIM_EXEC_ASYNC_TENSOR_COPY_H
#define SIM_EXEC_ASYNC_TENSOR_COPY_H

#include "base/byte_buffer.h"
#include "exec/control/exec_grid.h"

/* As copy_parts (copy_parts.h). */
void tensor_copy_parts(struct exec_warp *warp, const struct exec_inst *inst,
                       struct byte_buffer *parts);

/* Prepares one of them, as struct control_row has it (control/control_flow.c). */
bool exec_prepare_tensor_copy(struct exec_step *step, const struct sass_inst *sass, uint32_t steps);

#endif
