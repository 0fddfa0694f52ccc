/*
 * The meta block and the last block of a timeline file, as the reader keeps them. Private to this
 * folder.
 */
#ifndef SIM_TIMELINE_TIMELINE_INFO_H
#define SIM_TIMELINE_TIMELINE_INFO_H

#include "timeline/smtl.h"
#include "timeline/timeline_read.h"

struct info {
    struct timeline_info view; /* points to the other members */
    uint32_t *sm;
    struct timeline_state *states;
    struct timeline_op *ops;
    struct timeline_pipe *pipes;
    const char **levels;
    struct timeline_line *lines;
    struct timeline_counter *counters;
    struct timeline_totals *totals;
    uint64_t *total_states;
    struct simsm_stats stats;
    struct simsm_line_info *line_info;
    struct simsm_line_stats *line_stats;
    uint32_t selected;   /* number of the state `selected`, in which a slot issues */
    uint8_t *meta, *end; /* the payloads, which hold the texts; freed with the info */
};

/*
 * Returns the index of SM `sm` in the list of recorded SMs, or info->view.sm_count if it is not
 * recorded.
 */
uint32_t info_sm_place(const struct info *info, uint32_t sm);

/*
 * Fills *info from the payload of the meta block. Returns NULL, or a clause that says what is wrong
 * with it.
 */
const char *info_read_meta(struct info *info, struct smtl_cursor cursor);

/*
 * Adds what the last block says, and moves *cursor to the index of chunks. Returns NULL, or a
 * clause that says what is wrong with the block; *info is then unchanged.
 */
const char *info_read_end(struct info *info, struct smtl_cursor *cursor);

/* Frees all arrays and payloads of *info and sets it to zero. */
void info_free(struct info *info);

#endif
