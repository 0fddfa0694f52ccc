/* The rows of results as a table for a terminal, as CSV and as JSON. */
#ifndef SIM_RESULTS_RESULTS_LIST_H
#define SIM_RESULTS_RESULTS_LIST_H

#include <stdio.h>

#include "results/results.h"

/* The functions leave write errors in `file` (ferror). */

/* Prints one line per point: its number, configuration, kernel, varied values, state and metrics,
 * or why it failed. */
void list_text(FILE *file, struct results *results);

/* Writes one row per point with all fields. */
void list_csv(FILE *file, struct results *results);

/* Writes an array with one object per point. Returns SIMSM_FAILED if memory runs out. */
enum simsm_status list_json(FILE *file, struct results *results, struct simsm_error *error);

#endif
