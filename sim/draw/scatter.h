/* Scatter plots on logarithmic axes: one quantity as two sources have it. */
#ifndef SIM_DRAW_SCATTER_H
#define SIM_DRAW_SCATTER_H

#include <stddef.h>
#include <stdio.h>

struct scatter_point {
    double x, y;       /* drawn if both are above 0 */
    size_t group;      /* below scatter.groups */
    const char *title; /* shown when the pointer is on it; may be NULL */
};

/* Strings are UTF-8 or NULL; nothing is owned. */
struct scatter {
    const char *title, *x_label, *y_label;
    const struct scatter_point *point; /* [points] */
    size_t points;
    const char *const *group; /* [groups] for the legend; each has a colour */
    size_t groups;
    double band; /* lines beside that of x = y: 0.2 for 20 % more and less; 0: none */
};

/* Writes width x height pixels to `file`; write errors stay in it (ferror). */
void scatter_svg(FILE *file, const struct scatter *scatter, unsigned width, unsigned height);

#endif
