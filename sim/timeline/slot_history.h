/*
 * Some time of one SM's timeline, decoded and joined over chunks, with the questions that an
 * explanation asks: who was where, what was issued before, when did a request come back.
 */
#ifndef SIM_TIMELINE_SLOT_HISTORY_H
#define SIM_TIMELINE_SLOT_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/timeline_read.h"

#define HISTORY_NEVER UINT64_MAX

struct history_slot {
    uint32_t span_count, issue_count, memory_count, warp_count;
    struct timeline_span *spans; /* a state that goes on over chunks is one span */
    struct timeline_issue *issues;
    struct timeline_memory *memory;
    struct timeline_warp *warps;
};

struct history {
    const struct timeline_info *info;
    uint32_t sm;
    uint64_t begin, end; /* what is known; half-open */
    struct history_slot slot[SIMSM_SLOTS_PER_SM];
};

/* The way of one memory instruction; HISTORY_NEVER where it is not known or has not happened. */
struct history_flight {
    uint64_t start; /* enters the load/store stage */
    uint64_t done;
    uint32_t level;
};

/*
 * Decodes the chunks of `sm` that touch [from, to). Release with history_free, also on failure.
 */
enum simsm_status history_load(struct history *history, struct timeline_reader *reader, uint32_t sm,
                               uint64_t from, uint64_t to, struct simsm_error *error);
void history_free(struct history *history);

/* One chunk as a history that lies in its arrays: they must stay, and there is nothing to free. */
struct history history_of_chunk(const struct timeline_data *data, const struct timeline_info *info);

/*
 * Appends chunks to a history that begins empty: `slot`, or all slots (UINT32_MAX). They come in
 * order of time, without gaps. Release with history_free, also on failure.
 */
enum simsm_status history_append(struct history *history, const struct timeline_data *data,
                                 const struct timeline_info *info, uint32_t slot,
                                 struct simsm_error *error);

/* NULL if the cycle is outside what is known. */
const struct timeline_span *history_span_at(const struct history *history, uint32_t slot,
                                            uint64_t cycle);

/* The warp that holds the slot, or last held it; NULL if none has. */
const struct timeline_warp *history_warp_at(const struct history *history, uint32_t slot,
                                            uint64_t cycle);

/* Number of issues of the slot at or before `cycle`: the last of them is issues[result - 1]. */
uint32_t history_issues_until(const struct history *history, uint32_t slot, uint64_t cycle);

/* The slot of sub-partition `sub` that issued at `cycle`, and what; NULL if none did. */
const struct timeline_issue *history_issue_in(const struct history *history, uint32_t sub,
                                              uint64_t cycle);

/* What became of the slot's issue with that index, a memory instruction. */
struct history_flight history_flight_of(const struct history *history, uint32_t slot,
                                        uint32_t issue);

/* Static instruction `pc`, or NULL if there is none. */
static inline const struct timeline_line *history_line(const struct history *history, uint32_t pc)
{
    return pc < history->info->line_count ? &history->info->lines[pc] : NULL;
}

/* The class of a static instruction as this program knows it; SIMSM_OP_COUNT: unknown. */
static inline uint32_t history_op(const struct history *history, uint32_t pc)
{
    const struct timeline_line *line = history_line(history, pc);
    return line ? history->info->ops[line->op].known : SIMSM_OP_COUNT;
}

/* Known state of a span. */
static inline uint32_t history_state(const struct history *history,
                                     const struct timeline_span *span)
{
    return history->info->states[span->state].known;
}

#endif
