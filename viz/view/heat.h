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

/* Draws the map, and says in view->status what is under the pointer. */
void heat_draw(struct view *view, struct canvas *canvas, const struct heat *heat);

/* From nothing to all, in words and colours. */
void heat_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                 enum waves_mode mode);

#endif
