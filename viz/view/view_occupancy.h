/* What is tried out on the occupancy screen. */
#ifndef VIZ_VIEW_VIEW_OCCUPANCY_H
#define VIZ_VIEW_VIEW_OCCUPANCY_H

#include "occupancy/vary.h"
#include "view/view.h"

enum { OCCUPANCY_FIELDS = 3 };

struct occupancy_input {
    enum vary_input input;
    const char *label, *axis, *title;
};
extern const struct occupancy_input occupancy_inputs[OCCUPANCY_FIELDS];

/* The run's launch with what is tried out in place of its own values. */
struct simsm_launch occupancy_launch(const struct view *view);

/* Resident warps of the SM in `count` equal parts of the run; false if that is not known. */
bool occupancy_over_time(const struct view *view, struct track *track, uint32_t count,
                         double *warps);

/* The next value (or steps of them) of input `field` (enum vary_input) at which occupancy can
 * change. */
void occupancy_step(struct view *view, uint32_t field, int steps);
void occupancy_set(struct view *view, uint32_t field, uint32_t value);

#endif
