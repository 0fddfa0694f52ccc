/* Line and step plots, as text for a terminal and as SVG. */
#ifndef SIM_DRAW_PLOT_H
#define SIM_DRAW_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct plot_series {
    const char *label;   /* for the legend; NULL: not in it */
    const double *x, *y; /* [count], x ascending; a NaN in y interrupts the line */
    size_t count;
};

/*
 * One plot. Strings are UTF-8 or NULL; nothing is owned. A range whose ends are equal is taken
 * from the data; y then begins at 0 unless the data go below.
 */
struct plot {
    const char *title, *x_label, *y_label;
    const struct plot_series *series;
    size_t series_count;
    bool step;   /* a value holds from its x to the next one, else points are joined */
    bool dots;   /* mark the points themselves: for few of them */
    bool marked; /* mark the point (mark_x, mark_y) */
    double mark_x, mark_y;
    const char *mark_label;
    double x_min, x_max, y_min, y_max;
    double x_step; /* all x are so far apart, and numbers stand at some of them; 0: at round ones */
    /* Of plot_svg alone: */
    const char *legend; /* what the series differ in, before their labels */
    bool powers;        /* y are exponents of 2: an axis of ratios, with a line at 1 */
};

/* Size of the whole picture in characters, title, axes and labels included. */
struct plot_area {
    unsigned width, height;
    bool ascii; /* no byte above 127 from the plot itself; else UTF-8, braille for one series */
};

/*
 * Both write to `file`; write errors stay in it (ferror). Nothing is drawn for a size below
 * 24 x 6. plot_text draws several series with one letter each.
 */
void plot_text(FILE *file, const struct plot *plot, struct plot_area area);

/* `count` plots below one another as one SVG document, each width x height pixels. */
void plot_svg(FILE *file, const struct plot *plots, size_t count, unsigned width, unsigned height);

#endif
