/* Pictures of results, as SVG. */
#ifndef SIM_RESULTS_FIGURE_H
#define SIM_RESULTS_FIGURE_H

#include <stdio.h>

#include "results/pivot.h"

enum figure_kind { FIGURE_BARS, FIGURE_CURVES, FIGURE_STACK, FIGURE_SCATTER, FIGURE_KINDS };

extern const char *const figure_names[FIGURE_KINDS];

enum { FIGURE_TITLE = 256 };

/* `title`, or if it is NULL "IPC, relative to that of sm.scheduler=lrr", in `text`. */
const char *figure_title(const struct pivot_request *table, const char *title,
                         char text[FIGURE_TITLE]);

/* What the y axis has: a unit, or "relative to sm.scheduler=lrr" in `text`; NULL: not known. */
const char *figure_axis(const struct pivot_request *table, char text[FIGURE_TITLE]);

/* `title` NULL: what is shown. */

/* Bars for each row of a pivot table, one for each column, and their geometric means where the
 * table is relative. */
enum simsm_status figure_bars(FILE *file, const struct pivot *pivot,
                              const struct pivot_request *table, const char *title,
                              struct simsm_error *error);

/*
 * A curve for each column over the rows, which must be numbers. The first `panels` metrics of the
 * results are drawn below one another, the first of them relative to the baseline, if there is one;
 * titles[i] is the title of the i-th, if there are so many.
 */
enum simsm_status figure_curves(FILE *file, struct results *results,
                                const struct pivot_request *table, uint32_t panels,
                                const struct texts *titles, struct simsm_error *error);

/*
 * For each label of table->rows and table->columns a bar of what warps spent their time on, in
 * percent; the states that are least of all are one. The results must have been opened with
 * figure_states.
 */
enum simsm_status figure_stack(FILE *file, struct results *results,
                               const struct pivot_request *table, const char *title,
                               struct simsm_error *error);

/* Adds the names of the metrics that figure_stack needs; false: memory has run out. */
bool figure_states(struct texts *metrics);

#endif
