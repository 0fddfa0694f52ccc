/* One warp slot over time, as a row of cells: what the timeline and the comparison are made of. */
#ifndef VIZ_VIEW_ROWS_H
#define VIZ_VIEW_ROWS_H

#include "view/view.h"

/* Where time lies in a picture. */
struct time_scale {
    int x, w;    /* of the time area */
    double from; /* cycle at x; snapped to whole columns when these are longer than a cycle */
    double cycles_per_px; /* of a device pixel */
    uint64_t first_column,
        width_q16; /* for track_cells; width_q16 = 0: a cycle takes several pixels */
};

/* The place in `area`; snapped to whole columns where these are longer than a cycle. */
struct time_scale time_scale_of(const struct view *view, struct rect area);
double time_x(const struct time_scale *time, double cycle);
double time_cycle(const struct time_scale *time, double x);

/*
 * Draws the selected cycle through `area`, and lets a click there select the cycle under the
 * pointer.
 */
void time_cursor(struct view *view, struct canvas *canvas, struct rect area,
                 const struct time_scale *time);

/* Draws slot `slot` into `row`. Letters where a cell has room for them. */
void row_draw(struct view *view, struct canvas *canvas, struct track *track, uint32_t slot,
              struct rect row, const struct time_scale *time);

/* Draws how often sub-partition `sub` issued into `strip`: bars, full height for every cycle. */
void row_issues(struct view *view, struct canvas *canvas, struct track *track, uint32_t sub,
                struct rect strip, const struct time_scale *time);

#endif
