/* Why a warp slot is in its state at a cycle: in sentences, with the chain of causes. */
#ifndef SIM_TIMELINE_EXPLAIN_H
#define SIM_TIMELINE_EXPLAIN_H

#include <stdint.h>
#include <stdio.h>

#include "timeline/slot_history.h"

struct explain_question {
    uint32_t sm, sub, index; /* index: of the slot in its sub-partition */
    uint64_t cycle;
    uint32_t width; /* columns of a line */
};

/* Writes the answer to `file`. A cycle or a slot that is not recorded is an error. */
enum simsm_status explain_write(struct timeline_reader *reader,
                                const struct explain_question *question, FILE *file,
                                struct simsm_error *error);

/* The instruction that a slot waits for, as something to draw an arrow from. */
struct explain_link {
    uint32_t slot;
    uint64_t cycle; /* of its issue */
    uint64_t done;  /* when its answer came; HISTORY_NEVER: unknown, or it is no memory access */
    char text[160]; /* "waits for R6 <- LDG R6, [R4.64], issued at 2352" */
};

/*
 * What the slot's state at `cycle` comes from, as far as it is one instruction within `history`:
 * the producer of an operand, the one that the scheduler preferred, or the barrier instruction of
 * the warp that is the last to arrive, later than `cycle`. False if it is not.
 */
bool explain_link(const struct history *history, uint32_t slot, uint64_t cycle,
                  struct explain_link *link);

#endif
