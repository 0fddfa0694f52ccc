/* How far simulated values are from measured ones. */
#ifndef SIM_COMPARE_COMPARE_FIGURES_H
#define SIM_COMPARE_COMPARE_FIGURES_H

#include "compare/match.h"

/*
 * One metric over matched launches. Errors are 100 (simulated - measured) / measured in percent,
 * or, where `points`, simulated - measured, as the metric is a percentage itself; mean to worst are
 * of their sizes.
 */
struct figure {
    const char *name;        /* the measured metric */
    int simulated, measured; /* its numbers on both sides */
    bool points;
    bool zero;       /* both sides are 0 in all launches */
    size_t launches; /* that have an error; NaN below where that is 0 */
    double mean, median, p90, worst;
    size_t worst_pair;
    double correlation; /* of logarithms where all are above 0; NaN for fewer than 3 launches */
};

struct figures {
    struct figure *figure; /* [count] */
    size_t count;
    int headline; /* the one that stands for time; -1: there is none */
};

/* All metrics that both sides have for some pair. Call figures_free whatever it returns. */
enum simsm_status figures_find(struct figures *figures, const struct match *match,
                               struct simsm_error *error);
void figures_free(struct figures *figures);

/* A launch's error; NaN where a side has no value, or it has no size (above 0 in place of 0). */
double figure_error(const struct figure *figure, const struct match_pair *pair);

/*
 * Computes what `figure` has of errors over the pairs for which `filter` measured more than
 * `above`; filter NULL: over all.
 */
enum simsm_status figure_compute(struct figure *figure, const struct match *match,
                                 const struct figure *filter, double above,
                                 struct simsm_error *error);

/* The figure of a metric's name; NULL: there is none. */
const struct figure *figures_named(const struct figures *figures, const char *name);

/* The metric that is nearest to a name, if it is likely what was meant; NULL: none is. */
const char *figures_nearest(const struct figures *figures, const char *name);

enum { FIGURES_STALL = 32 };

/* What warps of a launch waited for most, such as "long_scoreboard"; "" where that is unknown. */
const char *figures_main_stall(const struct launches *launches, const struct launch_row *row,
                               char text[FIGURES_STALL]);

#endif
