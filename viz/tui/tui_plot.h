/* Curves of braille dots, areas of states, axes: what charts in a terminal are made of. */
#ifndef VIZ_TUI_TUI_PLOT_H
#define VIZ_TUI_TUI_PLOT_H

#include "tui/grid.h"
#include "view/chart.h"
#include "view/view.h"

struct tui_plot {
    struct rect area; /* of the curves, without numbers */
    double low, high; /* of y at the foot and the top of it */
};

/* Cuts the room for the numbers of y (left) and of x (below) off `rect`. */
struct tui_plot plot_of(struct rect rect, double low, double high);

/* Numbers at the top and the foot of y, and of x at both ends, with a label between them. */
void plot_axes(struct grid *grid, const struct theme *theme, const struct tui_plot *plot,
               double from, double to, const char *label);

/* `count` values, evenly over the width, joined upright as steps are; NaN interrupts. */
void plot_curve(struct grid *grid, const struct tui_plot *plot, const double *values,
                uint32_t count, uint32_t colour);

/* A level across all of it. */
void plot_level(struct grid *grid, const struct tui_plot *plot, double value, uint32_t colour);

/* One sign at a place; x is a share of the width. */
void plot_mark(struct grid *grid, const struct tui_plot *plot, double x, double value,
               uint32_t colour);

/*
 * A column of the states' areas on one another, as high as their share of `whole`; the order is
 * that of states_column.
 */
void plot_states(struct grid *grid, const struct view *view, struct rect column, const double *sums,
                 double whole);

/* Title and, if there is room, note on the first line of *rect, which is cut off. */
void plot_title(struct grid *grid, const struct theme *theme, struct rect *rect, const char *title,
                const char *note);

/* Ticks of cycles on one line: column x + i is cycle from + i * step. */
void plot_time(struct grid *grid, const struct view *view, struct rect strip, double from,
               double step);

/* The legend of the states in `present`, within the lines of `rect`; returns lines used. */
int plot_legend(struct grid *grid, const struct view *view, struct rect rect, uint32_t present,
                bool draw);

/* A thumb at the right edge. */
void plot_scrollbar(struct grid *grid, const struct theme *theme, struct rect area, double first,
                    double shown, double all);

/* The selected cycle through `area`, whose columns are step cycles each from `from` on. */
void plot_cursor(struct grid *grid, struct view *view, struct rect area, double from, double step);

#endif
