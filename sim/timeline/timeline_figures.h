/* What a run has counted (simsm_stats), as the last block of a timeline file keeps it. */
#ifndef SIM_TIMELINE_TIMELINE_FIGURES_H
#define SIM_TIMELINE_TIMELINE_FIGURES_H

#include "simsm/stats.h"
#include "timeline/timeline_info.h"

/* Appends what of the statistics the rest of the file does not have. */
void figures_add(struct byte_buffer *payload, const struct simsm_stats *stats);

/*
 * Reads that, and the rest of the statistics from `info`, which has been read: info->view.stats
 * then points to them. It stays NULL if the writer had none of the lines, or knew classes of
 * instructions that this program does not. False if the bytes make no sense.
 */
bool figures_read(struct info *info, struct smtl_cursor *cursor);

#endif
