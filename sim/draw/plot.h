/* Line and step plots, as text for a terminal and as SVG. */
#ifndef SIM_DRAW_PLOT_H
#define SIM_DRAW_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct plot_series {
    const char *label;   /* text in the legend; NULL: not in the legend */
    const double *x, *y; /* [count], x ascending; a NaN in y interrupts the line */
    size_t count;
    bool curve; /* of plot_svg(): no marks, also in a plot with `dots` */
};

/* One plot. Strings are UTF-8 or NULL. The struct owns nothing. A range whose ends are equal is
 * computed from the data; y then begins at 0 unless the data go below 0. */
struct plot {
    const char *title, *x_label, *y_label;
    const struct plot_series *series;
    size_t series_count;
    bool step; /* step plot: a value holds from its x to the next x; otherwise points are joined by
                  lines */
    bool dots; /* mark each point; for plots of few points */
    bool marked; /* mark the point (mark_x, mark_y) */
    double mark_x, mark_y;
    const char *mark_label;
    double x_min, x_max, y_min, y_max;
    double x_step; /* distance between neighbouring x, some of which get a number; 0: numbers stand
                      at round values */
    /* Used by plot_svg() only: */
    const char *legend; /* what the series differ in; written before their labels */
    bool powers;        /* y are exponents of 2: a logarithmic axis of ratios, with a line at 1 */
};

/* Size of the whole picture in characters, title, axes and labels included. */
struct plot_area {
    unsigned width, height;
    bool ascii; /* draw with ASCII characters; otherwise with UTF-8, and with braille dots if there
                   is one series */
};

/* Writes the plot as text to `file`, several series with one letter each. Write errors stay in
 * `file` (ferror). Nothing is drawn for a size below 24 x 6. */
void plot_text(FILE *file, const struct plot *plot, struct plot_area area);

/* Writes `count` plots below each other as one SVG document, each width x height pixels. Write
 * errors stay in `file` (ferror). */
void plot_svg(FILE *file, const struct plot *plots, size_t count, unsigned width, unsigned height);

#endif
