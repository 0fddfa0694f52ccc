/* Figures relative to those of another point that differs in one key alone. */
#ifndef SIM_RESULTS_RESULTS_BASELINE_H
#define SIM_RESULTS_RESULTS_BASELINE_H

#include "results/results.h"

/*
 * Divides each figure [results.rows] by that of the point that has "key=value" of `baseline` and
 * else is the same: configuration, kernel, launch and what is varied. `inverse`: the other way
 * round. NaN where there is no such point, or it is not done.
 */
enum simsm_status baseline_relate(struct results *results, const char *baseline, bool inverse,
                                  double *figure, struct simsm_error *error);

#endif
