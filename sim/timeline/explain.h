/*
 * Explanations: why a warp slot is in its state at a cycle, in sentences, with the chain of causes.
 */
#ifndef SIM_TIMELINE_EXPLAIN_H
#define SIM_TIMELINE_EXPLAIN_H

#include <stdint.h>
#include <stdio.h>

#include "timeline/slot_history.h"

struct explain_question {
    uint32_t sm, sub, index; /* index: of the slot in its sub-partition */
    uint64_t cycle;
    uint32_t width; /* of a line, in characters */
};

/* Writes the explanation to `file`. A cycle or a slot that is not recorded is an error. */
enum simsm_status explain_write(struct timeline_reader *reader,
                                const struct explain_question *question, FILE *file,
                                struct simsm_error *error);

/* The instruction that a slot waits for, with what is needed to draw an arrow from it. */
struct explain_link {
    uint32_t slot;
    uint64_t cycle; /* of the issue */
    uint64_t done;  /* cycle of the answer; HISTORY_NEVER: unknown, or no memory access */
    char text[160]; /* "waits for R6 <- LDG R6, [R4.64], issued at 2352" */
};

/*
 * Finds the instruction within `history` that the slot's state at `cycle` comes from. That is the
 * producer of an operand, the instruction that the scheduler chose instead, or the barrier
 * instruction of the last warp to arrive, which is later than `cycle`. Returns false if the state
 * has no such cause.
 */
bool explain_link(const struct history *history, uint32_t slot, uint64_t cycle,
                  struct explain_link *link);

#endif
