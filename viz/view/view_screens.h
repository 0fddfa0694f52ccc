/* The screens, one in each file. */
#ifndef VIZ_VIEW_VIEW_SCREENS_H
#define VIZ_VIEW_VIEW_SCREENS_H

#include "view/view.h"

extern const struct screen screen_timeline, screen_lanes, screen_waves, screen_occupancy,
    screen_latency, screen_source, screen_memory, screen_compare;

#endif
