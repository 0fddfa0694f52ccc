/* Pictures of the results of a sweep, as SVG. */
#ifndef SIM_RESULTS_FIGURE_H
#define SIM_RESULTS_FIGURE_H

#include <stdio.h>

#include "results/pivot.h"

/* The kinds of pictures. */
enum figure_kind { FIGURE_BARS, FIGURE_CURVES, FIGURE_STACK, FIGURE_SCATTER, FIGURE_KINDS };

/* The kinds as --draw takes them. */
extern const char *const figure_names[FIGURE_KINDS];

enum { FIGURE_TITLE = 256 };

/* Returns the title of a picture: `title`, or if it is NULL a title made in `text`, such as "IPC,
 * relative to that of sm.scheduler=lrr". */
const char *figure_title(const struct pivot_request *table, const char *title,
                         char text[FIGURE_TITLE]);

/* Returns the label of the y axis: the unit of the metric, or "relative to sm.scheduler=lrr" made
 * in `text`. NULL if the unit is not known. */
const char *figure_axis(const struct pivot_request *table, char text[FIGURE_TITLE]);

/*
 * Draws a group of bars for each row of the table, one bar for each column. If the table has a
 * baseline and several rows, adds a group with the geometric means. `title` NULL: figure_title().
 */
enum simsm_status figure_bars(FILE *file, const struct pivot *pivot,
                              const struct pivot_request *table, const char *title,
                              struct simsm_error *error);

/*
 * Draws a curve for each column; the rows are on the x axis and must be numbers, otherwise returns
 * SIMSM_BAD_INPUT. `panels` is the number of plots, one below the other, for the first metrics of
 * the results. Only the first plot is relative to the baseline. titles[i] is the title of plot i;
 * without it, figure_title().
 */
enum simsm_status figure_curves(FILE *file, struct results *results,
                                const struct pivot_request *table, uint32_t panels,
                                const struct texts *titles, struct simsm_error *error);

/*
 * Draws a stacked bar for each combination of the keys in table->rows and table->columns: the share
 * of each warp state in the warps' cycles, in percent. The states with the smallest shares are one
 * part, "others". Open the results with the metrics of figure_states(). Returns SIMSM_BAD_INPUT if
 * no point has warp states. `title` NULL: a default.
 */
enum simsm_status figure_stack(FILE *file, struct results *results,
                               const struct pivot_request *table, const char *title,
                               struct simsm_error *error);

/* Adds the metrics that figure_stack() needs. Returns false if memory runs out. */
bool figure_states(struct texts *metrics);

#endif
