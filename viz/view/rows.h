/*
 * A warp slot over time, drawn as a row of cells. The screens Timeline, Lanes and Compare consist
 * of such rows.
 */
#ifndef VIZ_VIEW_ROWS_H
#define VIZ_VIEW_ROWS_H

#include "view/view.h"

/* The time axis of a picture: maps cycles to device pixels. */
struct time_scale {
    int x, w;    /* left edge and width of the time area */
    double from; /* cycle at x; a multiple of the column width if a column is longer than a cycle */
    double cycles_per_px; /* cycles of a device pixel */
    uint64_t first_column,
        width_q16; /* first column and its width in 1/65536 cycle, for track_cells(); width_q16 = 0:
                      a cycle takes several pixels */
};

/*
 * Returns the time axis of the shown cycles in `area`. The axis begins at a whole column if a
 * column is longer than a cycle.
 */
struct time_scale time_scale_of(const struct view *view, struct rect area);
/* Returns the pixel of a cycle, limited to 1 million pixels to either side. */
double time_x(const struct time_scale *time, double cycle);
/* Returns the cycle at a pixel. */
double time_cycle(const struct time_scale *time, double x);

/*
 * Draws the selected cycle as a column through `area`. Makes the cycle under the pointer the target
 * of a click, unless something else is the target already.
 */
void time_cursor(struct view *view, struct canvas *canvas, struct rect area,
                 const struct time_scale *time);

/*
 * Draws slot `slot` into `row`: colours by state, and letters where a cycle is wide enough for
 * them. Sets view->problem if the cells cannot be read.
 */
void row_draw(struct view *view, struct canvas *canvas, struct track *track, uint32_t slot,
              struct rect row, const struct time_scale *time);

/*
 * Draws the issues of sub-partition `sub` into `strip` as bars. A bar of full height means an issue
 * in every cycle.
 */
void row_issues(struct view *view, struct canvas *canvas, struct track *track, uint32_t sub,
                struct rect strip, const struct time_scale *time);

#endif
