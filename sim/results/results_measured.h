/* Points of a sweep beside what was measured on a GPU (sim/compare). */
#ifndef SIM_RESULTS_RESULTS_MEASURED_H
#define SIM_RESULTS_RESULTS_MEASURED_H

#include "compare/show.h"
#include "results/results.h"

/* What is compared. Begins as {0}; measured_free ends it. */
struct measured_points {
    struct launches simulated, measured;
    struct match match;
    struct figures figures;
    struct shown shown;
    char gpu[64];
};

/*
 * Reads `path`, what `ncu --csv` printed, and matches its launches with the points that are done:
 * by kernel function, grid, block and order. `metric` is what is shown; NULL: the time.
 */
enum simsm_status measured_compare(struct measured_points *measured, struct results *results,
                                   const char *path, const char *metric, struct simsm_error *error);
void measured_free(struct measured_points *measured);

#endif
