/* The parts of an SM in one cycle, as text: schedulers, warp slots, memory, work beside the warps.
 */
#ifndef SIM_TIMELINE_SM_PARTS_H
#define SIM_TIMELINE_SM_PARTS_H

#include <stdint.h>
#include <stdio.h>

#include "timeline/timeline_read.h"

/* Writes the parts of SM `sm` at a cycle. UINT32_MAX: the first SM that is recorded. An SM or a
 * cycle that is not recorded is an error. */
enum simsm_status parts_write(struct timeline_reader *reader, uint32_t sm, uint64_t cycle,
                              FILE *file, struct simsm_error *error);

#endif
