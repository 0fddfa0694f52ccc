/* Texts about waves of blocks and the tail of a launch. */
#ifndef SIM_REPORT_REPORT_WAVES_H
#define SIM_REPORT_REPORT_WAVES_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/stats.h"

/* Writes a text such as "3 full; the last one has 80 of 320 blocks". Returns false if no block fits
 * into an SM. */
bool wave_count_words(const struct simsm_stats *stats, char *text, size_t size);

/* Text that says what METRIC_TAIL is a share of. */
extern const char wave_tail_words[];

#endif
