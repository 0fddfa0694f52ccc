/* Errors of simulated values relative to measured ones. */
#ifndef SIM_COMPARE_COMPARE_FIGURES_H
#define SIM_COMPARE_COMPARE_FIGURES_H

#include "compare/match.h"

/*
 * One metric over matched launches. Errors are 100 (simulated - measured) / measured, in percent.
 * If `points` is set, the metric is itself a percentage and errors are simulated - measured. `mean`
 * to `worst` are of absolute errors.
 */
struct figure {
    const char *name;        /* the measured metric */
    int simulated, measured; /* index of the metric on both sides */
    bool points;
    bool zero;       /* the metric is 0 on both sides in all launches */
    size_t launches; /* launches with an error; if there are none, the members below are NaN */
    double mean, median, p90, worst;
    size_t worst_pair;
    double correlation; /* correlation, of logarithms if all values are above 0; NaN for fewer than
                           3 launches */
};

struct figures {
    struct figure *figure; /* [count] */
    size_t count;
    int headline; /* index of the metric for time; -1: there is none */
};

/* Finds all metrics that both sides have for some pair. The caller calls figures_free() whatever
 * the result. */
enum simsm_status figures_find(struct figures *figures, const struct match *match,
                               struct simsm_error *error);
void figures_free(struct figures *figures);

/* Returns the error of a launch. Returns NaN if a side has no value, or if the measured value is
 * 0 and the simulated one is not. */
double figure_error(const struct figure *figure, const struct match_pair *pair);

/* Computes the errors of `figure` over the pairs for which the measured value of `filter` is
 * above `above`; filter NULL: over all pairs. */
enum simsm_status figure_compute(struct figure *figure, const struct match *match,
                                 const struct figure *filter, double above,
                                 struct simsm_error *error);

/* Returns the figure of a metric, or NULL. */
const struct figure *figures_named(const struct figures *figures, const char *name);

/* Returns the metric whose name is nearest to a misspelt name, or NULL if none is near. */
const char *figures_nearest(const struct figures *figures, const char *name);

enum { FIGURES_STALL = 32 };

/* Returns the stall reason with most cycles of a launch, such as "long_scoreboard"; "" if it is
 * unknown. */
const char *figures_main_stall(const struct launches *launches, const struct launch_row *row,
                               char text[FIGURES_STALL]);

#endif
