/* Figures relative to a baseline: the point that differs in one key alone. */
#ifndef SIM_RESULTS_RESULTS_BASELINE_H
#define SIM_RESULTS_RESULTS_BASELINE_H

#include "results/results.h"

/*
 * Divides each figure[results->rows] by the figure of its baseline point: the point that has
 * `baseline`, "key=value", and otherwise the same configuration, kernel, launch and varied values.
 * `inverse`: divides the baseline by the figure. The result is NaN if there is no baseline point or
 * it is not done. Returns SIMSM_BAD_INPUT if no point has "key=value".
 */
enum simsm_status baseline_relate(struct results *results, const char *baseline, bool inverse,
                                  double *figure, struct simsm_error *error);

#endif
