/* The statistics of a run (simsm_stats), as the last block of a timeline file keeps them. */
#ifndef SIM_TIMELINE_TIMELINE_FIGURES_H
#define SIM_TIMELINE_TIMELINE_FIGURES_H

#include "simsm/stats.h"
#include "timeline/timeline_info.h"

/* Appends the statistics that no other part of the file has. */
void figures_add(struct byte_buffer *payload, const struct simsm_stats *stats);

/*
 * Reads what figures_add has written. The other statistics come from *info, which must have been
 * read. Afterwards info->view.stats points to the statistics. It stays NULL if the file has no
 * statistics of instructions, or has instruction classes that this program does not know. Returns
 * false if the bytes contradict themselves.
 */
bool figures_read(struct info *info, struct smtl_cursor *cursor);

#endif
