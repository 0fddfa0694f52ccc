/* The gap between theoretical and achieved occupancy by cause, in figures that add up. */
#ifndef SIM_REPORT_REPORT_GAP_H
#define SIM_REPORT_REPORT_GAP_H

#include <stdbool.h>

#include "simsm/stats.h"

enum { GAP_CAUSES = 5 };

/* All in tenths of a per cent of the GPU's warp slots; `lost` is what the causes add up to. */
struct gap_shares {
    long theoretical, achieved, lost;
    struct {
        const char *name, *phrase;
        long tenths;
    } cause[GAP_CAUSES];
};

/* False if no block has run, or the statistics contradict themselves: then only `theoretical` is
 * known. */
bool gap_shares(const struct simsm_stats *stats, struct gap_shares *shares);

#endif
