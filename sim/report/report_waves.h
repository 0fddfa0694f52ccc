/* Texts about waves of blocks and the tail of a launch. */
#ifndef SIM_REPORT_REPORT_WAVES_H
#define SIM_REPORT_REPORT_WAVES_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/stats.h"

/* Writes a text such as "3 full; the last one has 80 of 320 blocks". Returns false if no block fits
 * into an SM. */
bool wave_count_words(const struct simsm_stats *stats, char *text, size_t size);

/*
 * Returns the tail (METRIC_TAIL) in per cent: of the warp places of all SMs, from the start of the
 * first block to the end of the last, those that are empty because no block is left. The end of the
 * launch, some cycles later, is no part of it. NaN if no block has run.
 */
double wave_tail_percent(const struct simsm_stats *stats);

/* Text that says what METRIC_TAIL is a share of. */
extern const char wave_tail_words[];

#endif
