/* The meta block and the last block of a timeline file, as the reader keeps them. */
#ifndef SIM_TIMELINE_TIMELINE_INFO_H
#define SIM_TIMELINE_TIMELINE_INFO_H

#include "timeline/smtl.h"
#include "timeline/timeline_read.h"

struct info {
    struct timeline_info view; /* points to what follows */
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
    uint32_t selected;   /* the state in which a slot issues */
    uint8_t *meta, *end; /* the payloads, which hold the texts; freed with it */
};

/* The number of a recorded SM, or info->view.sm_count. */
uint32_t info_sm_place(const struct info *info, uint32_t sm);

/* Fills *info from the payload of the meta block; returns NULL or what is wrong with it. */
const char *info_read_meta(struct info *info, struct smtl_cursor cursor);

/* The same for the last block, up to the index of chunks, where *cursor is left. */
const char *info_read_end(struct info *info, struct smtl_cursor *cursor);

void info_free(struct info *info);

#endif
