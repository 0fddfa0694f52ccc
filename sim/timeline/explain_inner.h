/*
 * What the explanations of all states share: printing, and names for warps and instructions.
 * Private to this folder.
 */
#ifndef SIM_TIMELINE_EXPLAIN_INNER_H
#define SIM_TIMELINE_EXPLAIN_INNER_H

#include <stdio.h>

#include "timeline/explain.h"
#include "timeline/slot_history.h"

struct explain {
    const struct history *history;
    const struct timeline_info *info;
    FILE *file;
    uint32_t width, depth; /* width: characters of a line; depth: in the chain of causes, from 0 */
};

/* A slot at a cycle, and the span of its state: what a cause is searched for. */
struct moment {
    uint32_t slot;
    uint64_t cycle;
    const struct timeline_span *span;
};

/* Prints one or two sentences, translated, as a paragraph with a dash, indented by the depth. */
void explain_print(const struct explain *explain, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum { EXPLAIN_NAME = 320 };

/* Names for sentences. Each function fills `text` (EXPLAIN_NAME bytes) and returns it. */
const char *explain_line(const struct explain *explain, uint32_t pc, char *text);
const char *explain_slot(const struct explain *explain, uint32_t slot, char *text);
const char *explain_warp(const struct explain *explain, uint32_t slot, uint64_t cycle, char *text);
const char *explain_register(struct reg_range range, char *text);
const char *explain_cycles(uint64_t cycles, char *text);

/*
 * Returns the last instruction that the slot's warp issued before `cycle`, or NULL if none is
 * known.
 */
const struct timeline_issue *explain_last_issue(const struct explain *explain, uint32_t slot,
                                                uint64_t cycle);

/*
 * Prints why the slot is in its state, one level deeper than the caller. Prints nothing below the
 * deepest level.
 */
void explain_cause(const struct explain *explain, uint32_t slot, uint64_t cycle);

/*
 * Each function prints the cause of one state, or of several (explain_data.c, explain_block.c,
 * explain_async.c, explain_issue.c).
 */
void explain_scoreboard(const struct explain *explain, const struct moment *moment);
void explain_wait(const struct explain *explain, const struct moment *moment);
void explain_drain(const struct explain *explain, const struct moment *moment);
void explain_fence(const struct explain *explain, const struct moment *moment);
void explain_barrier(const struct explain *explain, const struct moment *moment);
/*
 * Links a slot in state `barrier` to the warp that arrives last. Returns false if that is unknown.
 */
bool explain_link_barrier(const struct explain *explain, const struct moment *moment,
                          struct explain_link *link);
/*
 * explain_phase: what ends a phase of a barrier in shared memory; explain_copy: the work that the
 * slot issues in this cycle. They print nothing if there is none.
 */
void explain_phase(const struct explain *explain, const struct moment *moment);
void explain_copy(const struct explain *explain, const struct moment *moment);
void explain_products(const struct explain *explain, const struct moment *moment);
bool explain_product_beside(const struct explain *explain, const struct moment *moment);
bool explain_link_products(const struct explain *explain, const struct moment *moment,
                           struct explain_link *link);
void explain_cluster(const struct explain *explain, const struct moment *moment);
void explain_group(const struct explain *explain, const struct moment *moment);
void explain_exited(const struct explain *explain, const struct moment *moment);
void explain_issued(const struct explain *explain, const struct moment *moment);
void explain_not_selected(const struct explain *explain, const struct moment *moment);
void explain_pipe(const struct explain *explain, const struct moment *moment);
void explain_queue(const struct explain *explain, const struct moment *moment);
void explain_port(const struct explain *explain, const struct moment *moment);
void explain_fetch(const struct explain *explain, const struct moment *moment);
void explain_after(const struct explain *explain, const struct moment *moment);

#endif
