/* Scatter plots on logarithmic axes: one quantity from two sources. */
#ifndef SIM_DRAW_SCATTER_H
#define SIM_DRAW_SCATTER_H

#include <stddef.h>
#include <stdio.h>

struct scatter_point {
    double x, y;       /* the point is drawn if both are above 0 */
    size_t group;      /* group of the point, below scatter.groups */
    const char *title; /* text that the pointer shows; may be NULL */
};

/* A scatter plot. Strings are UTF-8 or NULL. The struct owns nothing. */
struct scatter {
    const char *title, *x_label, *y_label;
    const struct scatter_point *point; /* [points] */
    size_t points;
    const char *const *group; /* [groups] labels of the legend; each group has a colour */
    size_t groups;
    double band; /* lines beside x = y: 0.2 for 20 % more and less; 0: none */
};

/* Writes an SVG of width x height pixels to `file`. Write errors stay in `file` (ferror). */
void scatter_svg(FILE *file, const struct scatter *scatter, unsigned width, unsigned height);

#endif
