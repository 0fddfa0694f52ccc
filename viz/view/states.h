/* Which warp states a picture has, and what they look like. */
#ifndef VIZ_VIEW_STATES_H
#define VIZ_VIEW_STATES_H

#include "view/view.h"

/* Bit per enum simsm_warp_state: those that occur on the SM that is looked at; all if unknown. */
uint32_t states_present(const struct view *view);

/* A legend of the states in `present`; returns the height used. */
int states_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                  uint32_t present, bool draw);

#endif
