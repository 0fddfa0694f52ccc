/* Points of a sweep compared with launches that were measured on a GPU (sim/compare). */
#ifndef SIM_RESULTS_RESULTS_MEASURED_H
#define SIM_RESULTS_RESULTS_MEASURED_H

#include "compare/show.h"
#include "results/results.h"

/* A comparison. Begins as {0}; measured_free() ends it. */
struct measured_points {
    struct launches simulated, measured;
    struct match match;
    struct figures figures;
    struct shown shown;
    char gpu[64];
};

/*
 * Reads the measured launches from `path`, the output of `ncu --csv`, and matches them with the
 * points that are done: by kernel function, grid, block and order. Removes the other points from
 * *results. `metric` is the metric to show; NULL: the time. Returns SIMSM_BAD_INPUT if nothing
 * matches.
 */
enum simsm_status measured_compare(struct measured_points *measured, struct results *results,
                                   const char *path, const char *metric, struct simsm_error *error);

/* Frees the comparison. */
void measured_free(struct measured_points *measured);

#endif
