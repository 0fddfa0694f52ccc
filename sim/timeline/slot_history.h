/*
 * A stretch of one SM's timeline, decoded and joined over chunks, with the searches that an
 * explanation needs: which warp held a slot, what it issued before, when a memory request was
 * answered.
 */
#ifndef SIM_TIMELINE_SLOT_HISTORY_H
#define SIM_TIMELINE_SLOT_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/timeline_read.h"

#define HISTORY_NEVER UINT64_MAX

struct history_slot {
    uint32_t span_count, issue_count, memory_count, warp_count;
    struct timeline_span *spans; /* a state that lasts over several chunks is one span */
    struct timeline_issue *issues;
    struct timeline_memory *memory;
    struct timeline_warp *warps;
};

struct history {
    const struct timeline_info *info;
    uint32_t sm;
    uint64_t begin, end; /* the cycles that the history covers; half-open */
    struct history_slot slot[SIMSM_SLOTS_PER_SM];
    uint32_t work_count, wake_count;
    struct timeline_work *works; /* by issue; a copy that lasts over several chunks is one entry */
    struct timeline_wake *wakes;
};

/* The times of one memory instruction. HISTORY_NEVER: unknown, or not within the history. */
struct history_flight {
    uint64_t start; /* cycle at which it enters the load/store stage */
    uint64_t done;  /* cycle of the answer */
    uint32_t level; /* memory level that answered */
};

/*
 * Decodes the chunks of `sm` that overlap cycles [from, to). The caller frees the history with
 * history_free, also on failure.
 */
enum simsm_status history_load(struct history *history, struct timeline_reader *reader, uint32_t sm,
                               uint64_t from, uint64_t to, struct simsm_error *error);
/* Frees the arrays of a history and sets it to zero. */
void history_free(struct history *history);

/*
 * Returns one chunk as a history that points into the arrays of *data. They must stay; the history
 * is not freed.
 */
struct history history_of_chunk(const struct timeline_data *data, const struct timeline_info *info);

/*
 * Appends a chunk to a history that is zero before the first call. Takes `slot` only, or all slots
 * (UINT32_MAX). Chunks come in order of time, without gaps. The caller frees the history with
 * history_free, also on failure.
 */
enum simsm_status history_append(struct history *history, const struct timeline_data *data,
                                 const struct timeline_info *info, uint32_t slot,
                                 struct simsm_error *error);

/* Returns the span of the slot's state at a cycle, or NULL if the cycle is outside the history. */
const struct timeline_span *history_span_at(const struct history *history, uint32_t slot,
                                            uint64_t cycle);

/* Returns the warp that holds the slot at a cycle, or held it last, or NULL if there was none. */
const struct timeline_warp *history_warp_at(const struct history *history, uint32_t slot,
                                            uint64_t cycle);

/*
 * Returns the number of issues of the slot at or before `cycle`. The last of them is issues[result
 * - 1].
 */
uint32_t history_issues_until(const struct history *history, uint32_t slot, uint64_t cycle);

/* Returns what sub-partition `sub` issued at `cycle`, or NULL if it issued nothing. */
const struct timeline_issue *history_issue_in(const struct history *history, uint32_t sub,
                                              uint64_t cycle);

/* Returns the times of a memory instruction: number `issue` in the slot's list of issues. */
struct history_flight history_flight_of(const struct history *history, uint32_t slot,
                                        uint32_t issue);

/* Returns the copy that a wake-up is about, or NULL: it was issued by another SM. */
const struct timeline_work *history_waker(const struct history *history,
                                          const struct timeline_wake *wake);

/*
 * Returns what has ended the wait of a slot for a phase, in cycles [from, to). NULL: no copy.
 */
const struct timeline_wake *history_wake_in(const struct history *history, uint32_t slot,
                                            uint64_t from, uint64_t to);
/* Returns what ends the wait in which the slot is at a cycle. NULL: no copy ends it. */
const struct timeline_wake *history_wake_of(const struct history *history, uint32_t slot,
                                            uint64_t cycle);

/* Returns static instruction `pc`, or NULL if there is none. */
static inline const struct timeline_line *history_line(const struct history *history, uint32_t pc)
{
    return pc < history->info->line_count ? &history->info->lines[pc] : NULL;
}

/*
 * Returns enum simsm_op_class of static instruction `pc`. SIMSM_OP_COUNT: this program does not
 * know its class.
 */
static inline uint32_t history_op(const struct history *history, uint32_t pc)
{
    const struct timeline_line *line = history_line(history, pc);
    return line ? history->info->ops[line->op].known : SIMSM_OP_COUNT;
}

/*
 * Returns enum simsm_warp_state of a span. SIMSM_STATE_COUNT: this program does not know its state.
 */
static inline uint32_t history_state(const struct history *history,
                                     const struct timeline_span *span)
{
    return history->info->states[span->state].known;
}

#endif
