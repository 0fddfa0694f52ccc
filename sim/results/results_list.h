/* Rows of results as a table for a terminal, as CSV and as JSON. */
#ifndef SIM_RESULTS_RESULTS_LIST_H
#define SIM_RESULTS_RESULTS_LIST_H

#include <stdio.h>

#include "results/results.h"

/* All write to `file`, whose write errors they leave in it (ferror). */

/* One line a point: what identifies it, its state, its metrics; or why it failed. */
void list_text(FILE *file, struct results *results);

/* One row a point with all that is known of it. */
void list_csv(FILE *file, struct results *results);

/* A list with one object a point. */
enum simsm_status list_json(FILE *file, struct results *results, struct simsm_error *error);

#endif
