/* What the screen Memory shows, for whoever draws it. */
#ifndef VIZ_VIEW_VIEW_MEMORY_H
#define VIZ_VIEW_VIEW_MEMORY_H

#include "view/view.h"

enum { MEMORY_CURVES = 3, MEMORY_CHARTS = 6 };

/* A counter over time, divided by another one or by cycles. */
struct memory_curve {
    const char *label; /* NULL: there are no more */
    const char *counter;
    const char *per; /* NULL: cycles */
    double factor;
};

enum memory_roof { ROOF_NONE, ROOF_DRAM, ROOF_PERCENT };

struct memory_chart {
    const char *title, *unit, *note;
    enum memory_roof roof;
    struct memory_curve curves[MEMORY_CURVES];
};

extern const struct memory_chart memory_charts[MEMORY_CHARTS];

/* Of `count` parts of `width` cycles each from `from` on; NaN where nothing was counted. */
void memory_values(const struct run *run, const struct memory_curve *curve, double from,
                   double width, uint32_t count, double *values);

/* The most that can be, in the chart's unit; 0: not known. */
double memory_roof(struct view *view, enum memory_roof roof);

/* The pointer is over `width` cycles of a chart from `cycle` on: says the values in the status. */
void memory_describe(struct view *view, const struct memory_chart *chart, double cycle,
                     double width);

/* Draws a chart with its title and legend into `panel`; cycles are those that are looked at. */
void memory_draw(struct view *view, struct canvas *canvas, const struct memory_chart *chart,
                 struct rect panel);

/* Says in words, and returns true, if the run had a memory without caches. */
bool memory_plain(struct view *view, char *text, size_t size);

/* What stands there without counters. */
extern const char memory_absent[];

#endif
