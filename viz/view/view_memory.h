/* What the screen Memory shows, for drawing it in a window or a terminal. */
#ifndef VIZ_VIEW_VIEW_MEMORY_H
#define VIZ_VIEW_VIEW_MEMORY_H

#include "view/view.h"

enum { MEMORY_CURVES = 3, MEMORY_CHARTS = 6 };

/* A counter over time, divided by another counter or by cycles, times `factor`. */
struct memory_curve {
    const char *label; /* NULL: the chart has no further curve */
    const char *counter;
    const char *per; /* divisor; NULL: cycles */
    double factor;
};

/* The limit that a chart shows: none, the bandwidth of DRAM, or 100 %. */
enum memory_roof { ROOF_NONE, ROOF_DRAM, ROOF_PERCENT };

struct memory_chart {
    const char *title, *unit, *note;
    enum memory_roof roof;
    struct memory_curve curves[MEMORY_CURVES];
};

/* All charts, in the order of the screen. */
extern const struct memory_chart memory_charts[MEMORY_CHARTS];

/*
 * Sets values[i] to the value of a curve in part i of `count` parts of `width` cycles, beginning
 * with cycle `from`. NaN: the divisor counted nothing.
 */
void memory_values(const struct run *run, const struct memory_curve *curve, double from,
                   double width, uint32_t count, double *values);

/* Returns the limit in the chart's unit; 0: not known. */
double memory_roof(struct view *view, enum memory_roof roof);

/* Describes in view->status the values of a chart over `width` cycles from `cycle` on. */
void memory_describe(struct view *view, const struct memory_chart *chart, double cycle,
                     double width);

/* Draws a chart of the shown cycles into `panel`, with title and legend. */
void memory_draw(struct view *view, struct canvas *canvas, const struct memory_chart *chart,
                 struct rect panel);

/* Returns whether the run had a memory model without caches, and then writes this in words. */
bool memory_plain(struct view *view, char *text, size_t size);

/* The text of the screen if the file has no counters. */
extern const char memory_absent[];

#endif
