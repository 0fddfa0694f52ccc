/* Ranges and ticks of a plot's axes. */
#ifndef SIM_DRAW_SCALE_H
#define SIM_DRAW_SCALE_H

#include "draw/plot.h"

struct scale {
    double min, max;    /* max > min */
    double first, tick; /* first tick, at or above min; distance between ticks */
    unsigned ticks;
};

/* Makes the axes of a plot, with about `x_ticks` and `y_ticks` ticks at most. */
struct scale scale_x(const struct plot *plot, unsigned x_ticks);
struct scale scale_y(const struct plot *plot, unsigned y_ticks);

/* Returns the place of a value on the axis: 0 at min, 1 at max. */
double scale_at(const struct scale *scale, double value);

#endif
