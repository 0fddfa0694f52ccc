/* The parts of charts in a terminal: curves of braille dots, areas of states, axes, legends. */
#ifndef VIZ_TUI_TUI_PLOT_H
#define VIZ_TUI_TUI_PLOT_H

#include "tui/grid.h"
#include "view/chart.h"
#include "view/view.h"

/* The area of a chart and its y axis. */
struct tui_plot {
    struct rect area; /* of the curves, without the numbers of the axes */
    double low, high; /* y values at the foot and the top of the area */
};

/* Returns the chart that fits into `rect` with the numbers of y at its left and of x below. */
struct tui_plot plot_of(struct rect rect, double low, double high);

/*
 * Draws numbers at the top and foot of y and at both ends of x (NaN: no x axis), with `label`
 * between them if it fits.
 */
void plot_axes(struct grid *grid, const struct theme *theme, const struct tui_plot *plot,
               double from, double to, const char *label);

/*
 * Draws `count` values, evenly over the width, joined by vertical lines. NaN interrupts the curve.
 */
void plot_curve(struct grid *grid, const struct tui_plot *plot, const double *values,
                uint32_t count, uint32_t colour);

/* Draws a level across the width. */
void plot_level(struct grid *grid, const struct tui_plot *plot, double value, uint32_t colour);

/* Draws a diamond; x is a share of the width. */
void plot_mark(struct grid *grid, const struct tui_plot *plot, double x, double value,
               uint32_t colour);

/*
 * Draws a column of states as areas on one another, in the order of states_columns(). A state is as
 * high as its share of `whole`.
 */
void plot_states(struct grid *grid, const struct view *view, struct rect column, const double *sums,
                 double whole);

/*
 * Draws a title, and a note if it fits, on the first line of *rect, and cuts this line off. `note`
 * may be NULL.
 */
void plot_title(struct grid *grid, const struct theme *theme, struct rect *rect, const char *title,
                const char *note);

/* Draws ticks of cycles on a line. Column strip.x + i is cycle from + i * step. */
void plot_time(struct grid *grid, const struct view *view, struct rect strip, double from,
               double step);

/*
 * Draws the legend of the states in `present` within `rect`. Returns the lines that the whole
 * legend needs. Draws nothing if `draw` is false.
 */
int plot_legend(struct grid *grid, const struct view *view, struct rect rect, uint32_t present,
                bool draw);

/* Draws a scroll bar at the right edge of `area`, unless all rows are shown. */
void plot_scrollbar(struct grid *grid, const struct theme *theme, struct rect area, double first,
                    double shown, double all);

/*
 * Draws the selected cycle through `area`, whose columns are `step` cycles each from cycle `from`
 * on. Makes the cycle under the pointer the target of a click, unless something else is the target
 * already.
 */
void plot_cursor(struct grid *grid, struct view *view, struct rect area, double from, double step);

#endif
