/* The gap between theoretical and achieved occupancy, by cause, rounded so that the figures add up.
 */
#ifndef SIM_REPORT_REPORT_GAP_H
#define SIM_REPORT_REPORT_GAP_H

#include <stdbool.h>

#include "simsm/stats.h"

enum { GAP_CAUSES = 5 };

/* Shares of the GPU's warp slots, in tenths of a per cent. The causes add up to `lost`. */
struct gap_shares {
    long theoretical, achieved, lost;
    struct {
        const char *name, *phrase;
        long tenths;
    } cause[GAP_CAUSES];
};

/* Fills *shares. Returns false, and fills only `theoretical`, if no block has run or the statistics
 * contradict each other. */
bool gap_shares(const struct simsm_stats *stats, struct gap_shares *shares);

#endif
