/* Makes the buffers and parameters of a launch file in device memory. */
#ifndef SIM_EXEC_LAUNCH_LAUNCH_DATA_H
#define SIM_EXEC_LAUNCH_LAUNCH_DATA_H

#include "exec/launch/exec_launch.h"
#include "exec/launch/launch_plan.h"
#include "exec/memory/device_memory.h"
#include "sass/image/sass_module.h"

/*
 * Fills `to`, b->size zero bytes, as the buffer wants it. Asks `watch` (NULL: nobody) many times a
 * second, and returns SIMSM_INTERRUPTED when it says so.
 */
enum simsm_status launch_data_fill(const struct launch_plan *plan, const struct plan_buffer *b,
                                   uint8_t *to, const struct exec_watch *watch,
                                   struct simsm_error *error);

/* Bytes of device memory that a launch has: as plan->memory says, or for the buffers and for what
 * kernels and their modules need beside them, up to DEVICE_MEMORY. Refuses buffers beyond that. */
enum simsm_status launch_data_room(const struct launch_plan *plan, uint64_t *bytes,
                                   struct simsm_error *error);

/* Makes all buffers, and fills those that have a file; address[i] is that of plan->buffer[i]. */
enum simsm_status launch_data_make(const struct launch_plan *plan, struct device_memory *memory,
                                   uint64_t address[PLAN_BUFFERS], struct simsm_error *error);

/* Fills the buffers that have no file. `watch` as of launch_data_fill. */
enum simsm_status launch_data_begin(const struct launch_plan *plan, struct device_memory *memory,
                                    const uint64_t address[PLAN_BUFFERS],
                                    const struct exec_watch *watch, struct simsm_error *error);

/* Writes the buffers that have an `out` file. */
enum simsm_status launch_data_write(const struct launch_plan *plan, struct device_memory *memory,
                                    const uint64_t address[PLAN_BUFFERS],
                                    struct simsm_error *error);

/* Fills `params`, kernel->param_bytes zero bytes, from the plan's arguments. Returns
 * SIMSM_BAD_INPUT if they do not fit the kernel's parameters. */
enum simsm_status launch_data_params(const struct launch_plan *plan,
                                     const struct sass_kernel *kernel,
                                     const uint64_t address[PLAN_BUFFERS], uint8_t *params,
                                     struct simsm_error *error);

#endif
