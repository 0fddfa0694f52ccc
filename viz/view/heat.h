/*
 * All SMs over time as a map of colours: the share of warp slots held, or of issue slots used.
 * Modes of the screen Waves.
 */
#ifndef VIZ_VIEW_HEAT_H
#define VIZ_VIEW_HEAT_H

#include "view/rows.h"

struct heat {
    enum waves_mode mode;  /* WAVES_WARPS or WAVES_ISSUES */
    struct rect rows;      /* of all SMs; the caller clips */
    double scroll, height; /* rows hidden above the top; height of a row in device pixels */
    uint32_t sms;          /* number of rows */
    bool all;              /* rows are SMs 0 to sms - 1; else the recorded SMs */
    struct time_scale time;
};

/*
 * Returns the shares to draw, 0 to 1, [sms x (heat->time.w + 1)] by row and column; NaN: not known.
 * The caller frees them. Returns NULL if memory runs out or the run has no blocks. Reads mode, sms,
 * all and time of *heat.
 */
double *heat_values(struct view *view, const struct heat *heat);
/* Returns the colour of a share. */
uint32_t heat_colour(const struct view *view, enum waves_mode mode, double share);

/*
 * Describes the share under the pointer in view->status, and makes the SM and cycle the target of a
 * click.
 */
void heat_describe(struct view *view, const struct heat *heat, uint32_t row, double share);

/* Draws the map, and describes the share under the pointer. */
void heat_draw(struct view *view, struct canvas *canvas, const struct heat *heat);

/* Draws the legend: the colours from 0 % to 100 %, and what they are a share of. */
void heat_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                 enum waves_mode mode);

#endif
