/* What the screen Memory shows, for drawing it in a window or a terminal. */
#ifndef VIZ_VIEW_VIEW_MEMORY_H
#define VIZ_VIEW_VIEW_MEMORY_H

#include "report/memory_links.h"
#include "report/roofline.h"
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

/* What the sums of the run show. */
struct memory_sums {
    struct simsm_metric metrics[METRIC_COUNT];
    struct memory_link links[LINK_COUNT];
    struct roofline roofline;
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

/* Computes what the sums of the run are made of. Returns false if the file lacks the statistics. */
bool memory_sums_of(struct view *view, struct memory_sums *sums);

/* Draws the sums of the run: memory hierarchy, roofline, shares of what the GPU can do. */
void memory_sums_draw(struct view *view, struct canvas *canvas, struct rect area);

/* The text of the sums if the file has no statistics. */
extern const char memory_sums_absent[];

/* The text of the screen if the file has no counters. */
extern const char memory_absent[];

#endif
