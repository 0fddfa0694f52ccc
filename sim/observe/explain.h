/* Why a warp slot is in its state at a cycle: in sentences, with the chain of causes. */
#ifndef SIM_OBSERVE_EXPLAIN_H
#define SIM_OBSERVE_EXPLAIN_H

#include <stdint.h>
#include <stdio.h>

#include "observe/timeline_read.h"

struct explain_question {
    uint32_t sm, sub, index; /* index: of the slot in its sub-partition */
    uint64_t cycle;
    uint32_t width; /* columns of a line */
};

/* Writes the answer to `file`. A cycle or a slot that is not recorded is an error. */
enum simsm_status explain_write(struct timeline_reader *reader,
                                const struct explain_question *question, FILE *file,
                                struct simsm_error *error);

#endif
