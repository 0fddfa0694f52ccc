/* The screen Occupancy: its inputs, its panel of limits, and occupancy over time. */
#ifndef VIZ_VIEW_VIEW_OCCUPANCY_H
#define VIZ_VIEW_VIEW_OCCUPANCY_H

#include "occupancy/vary.h"
#include "view/view.h"

enum { OCCUPANCY_FIELDS = 3 };

/*
 * An input of the launch that can be varied, with its names: beside the box, on the axis of its
 * chart, and in sentences.
 */
struct occupancy_input {
    enum vary_input input;
    const char *label, *axis, *title;
};
extern const struct occupancy_input occupancy_inputs[OCCUPANCY_FIELDS];

/* Returns the run's launch with the varied inputs in place of its own values. */
struct simsm_launch occupancy_launch(const struct view *view);

/* Returns the height of the panel that occupancy_draw_limits() draws, in pixels. */
int occupancy_limits_height(const struct metrics *metrics);
/*
 * Draws the blocks that each resource allows, the resource that limits, and the values of single
 * inputs that give more warps. `problem`: why no block fits, if none does.
 */
void occupancy_draw_limits(const struct view *view, struct canvas *canvas, struct rect panel,
                           const struct simsm_config *config, const struct simsm_launch *launch,
                           const struct simsm_occupancy *occupancy, const char *problem);

/*
 * Sets warps[i] to the mean of the resident warps of the SM in part i of `count` equal parts of the
 * run. Returns false if the states cannot be read or memory runs out.
 */
bool occupancy_over_time(const struct view *view, struct track *track, uint32_t count,
                         double *warps);

/* Moves input `field` by `steps` values: occupancy can change at each of these values only. */
void occupancy_step(struct view *view, uint32_t field, int steps);
/* Return the smallest and the largest value of input `field` that can be tried. */
uint32_t occupancy_least(uint32_t field);
uint32_t occupancy_most(const struct view *view, uint32_t field);
/* Sets input `field` and gives it the keyboard. */
void occupancy_set(struct view *view, uint32_t field, uint32_t value);

#endif
