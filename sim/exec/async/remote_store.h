/* st.async: STAS, stores to the shared memory of a block of the cluster. */
#ifndef SIM_EXEC_ASYNC_REMOTE_STORE_H
#define SIM_EXEC_ASYNC_REMOTE_STORE_H

#include "exec/control/exec_grid.h"

/* Prepares STAS, as struct control_row has it (control/control_flow.c). */
bool exec_prepare_remote_store(struct exec_step *step, const struct sass_inst *sass,
                               uint32_t steps);

#endif
