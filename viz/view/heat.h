/* All SMs by time as a map of colours: how full, how busy. A mode of the waves screen. */
#ifndef VIZ_VIEW_HEAT_H
#define VIZ_VIEW_HEAT_H

#include "view/rows.h"

struct heat {
    enum waves_mode mode; /* WAVES_WARPS or WAVES_ISSUES */
    struct rect rows;     /* of all SMs, clipped by the caller */
    int top, height;      /* of the first SM's row, in device pixels */
    uint32_t sms;         /* rows */
    bool all;             /* rows are SMs 0 to sms - 1; else those that are recorded */
    struct time_scale time;
};

/*
 * What is drawn: shares (0 to 1, NaN: not known) by row and column, heat->time.w + 1 of each row.
 * To be freed; NULL if memory runs out or there are no blocks. Needs mode, sms, all and time.
 */
double *heat_values(struct view *view, const struct heat *heat);
uint32_t heat_colour(const struct view *view, enum waves_mode mode, double share);

/* A share is under the pointer: says so in the status, and makes it the target. */
void heat_describe(struct view *view, const struct heat *heat, uint32_t row, double share);

/* Draws the map, and says in view->status what is under the pointer. */
void heat_draw(struct view *view, struct canvas *canvas, const struct heat *heat);

/* From nothing to all, in words and colours. */
void heat_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                 enum waves_mode mode);

#endif
