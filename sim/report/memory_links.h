/* The ways between the parts of the memory hierarchy: what a launch moved over each. */
#ifndef SIM_REPORT_MEMORY_LINKS_H
#define SIM_REPORT_MEMORY_LINKS_H

#include "report/metrics.h"

/* Copies beside the warps (TMA) are in LINK_SHARED_L2, and also in LINK_L1_L2. */
enum memory_link_id {
    LINK_SM_SHARED,
    LINK_SM_L1,
    LINK_SHARED_L2,
    LINK_L1_L2,
    LINK_L2_DRAM,
    LINK_COUNT
};

struct memory_link {
    const char *name;    /* "SM - L1" */
    double read;         /* bytes towards the SM */
    double written;      /* bytes away from it */
    double other;        /* bytes of atomics, reductions and local memory */
    double hit_percent;  /* of what was read: found at the far end; NaN: not defined */
    double peak_percent; /* of the bandwidth; NaN: not defined */
};

void memory_links(const struct simsm_config *config, const struct simsm_stats *stats,
                  const struct simsm_metric metrics[METRIC_COUNT],
                  struct memory_link links[LINK_COUNT]);

/* Returns whether anything moved over a way. */
bool memory_link_used(const struct memory_link *link);

#endif
