/* Vertical bars in groups, side by side or stacked, as SVG. */
#ifndef SIM_DRAW_BAR_CHART_H
#define SIM_DRAW_BAR_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Strings are UTF-8; nothing is owned. */
struct bar_chart {
    const char *title, *y_label; /* or NULL */
    const char *const *group;    /* [groups] labels below */
    const char *const *series;   /* [count] the legend; each has a colour */
    size_t groups, count;
    const uint32_t *colour; /* [count] 0xRRGGBB; NULL: ours in turn */
    const double *value;    /* [groups x count] below 0 and NaN: no bar */
    bool stacked;
    double guide; /* a line across, such as 1 where bars are relative; 0: none */
    size_t apart; /* groups at the end that are set off, such as a mean */
};

enum { BAR_CHART_COLOURS = 20 }; /* series that ours can tell apart */

/* Writes width x height pixels to `file`; write errors stay in it (ferror). */
void bar_chart_svg(FILE *file, const struct bar_chart *chart, unsigned width, unsigned height);

#endif
