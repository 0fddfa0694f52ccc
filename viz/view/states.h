/* Which warp states a picture has, and what they look like. */
#ifndef VIZ_VIEW_STATES_H
#define VIZ_VIEW_STATES_H

#include "view/view.h"

/* Bit per enum simsm_warp_state: those that occur on the SM that is looked at; all if unknown. */
uint32_t states_present(const struct view *view);

/* A legend of the states in `present`; returns the height used. */
int states_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                  uint32_t present, bool draw);

/*
 * Columns of areas on one another, one for each pixel of `area`, as high as their share of `whole`;
 * `sums` [area.w x SIMSM_STATE_COUNT] by state. Issued lies at the foot, then what could have
 * issued, then the waits; empty slots are left out.
 */
void states_columns(const struct view *view, struct canvas *canvas, struct rect area,
                    const double *sums, double whole);

#endif
