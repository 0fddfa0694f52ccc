/* What is tried out on the occupancy screen. */
#ifndef VIZ_VIEW_OCCUPANCY_H
#define VIZ_VIEW_OCCUPANCY_H

#include "view/view.h"

enum { OCCUPANCY_FIELDS = 3 };

/* The next value (or steps of them) of input `field` (enum vary_input) at which occupancy can
 * change. */
void occupancy_step(struct view *view, uint32_t field, int steps);
void occupancy_set(struct view *view, uint32_t field, uint32_t value);

#endif
