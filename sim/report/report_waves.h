/* Waves of blocks and the tail behind the last of them, in words. */
#ifndef SIM_REPORT_REPORT_WAVES_H
#define SIM_REPORT_REPORT_WAVES_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/stats.h"

/* "3 full; the last one has 80 of 320 blocks"; false if no block fits on an SM. */
bool wave_count_words(const struct simsm_stats *stats, char *text, size_t size);

/* What METRIC_TAIL is a share of. */
extern const char wave_tail_words[];

#endif
