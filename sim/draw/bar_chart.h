/* Vertical bars in groups, side by side or stacked, as SVG. */
#ifndef SIM_DRAW_BAR_CHART_H
#define SIM_DRAW_BAR_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A bar chart. Strings are UTF-8. The struct owns nothing. */
struct bar_chart {
    const char *title, *y_label; /* title, or NULL */
    const char *const *group;    /* [groups] labels below the bars */
    const char *const *series;   /* [count] labels of the legend; each series has a colour */
    size_t groups, count;
    const uint32_t *colour; /* [count] 0xRRGGBB; NULL: default colours in turn */
    const double *value;    /* [groups x count]; no bar for values below 0 and NaN */
    bool stacked;
    double guide; /* height of a horizontal line, such as 1 for relative values; 0: none */
    size_t apart; /* number of groups at the end that are set apart, such as a mean */
};

enum { BAR_CHART_COLOURS = 20 }; /* series with different default colours */

/* Writes an SVG of width x height pixels to `file`. Write errors stay in `file` (ferror). */
void bar_chart_svg(FILE *file, const struct bar_chart *chart, unsigned width, unsigned height);

#endif
