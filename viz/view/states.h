/* Warp states in pictures: which states occur, their legend, and areas of states over time. */
#ifndef VIZ_VIEW_STATES_H
#define VIZ_VIEW_STATES_H

#include "view/view.h"

/*
 * Returns a bit for each enum simsm_warp_state that occurs on the shown SM; all bits if the sums
 * are unknown.
 */
uint32_t states_present(const struct view *view);

/*
 * Returns the state of resident warps with most cycles that has no bit in `taken`;
 * SIMSM_STATE_COUNT: none of the others has any cycle.
 */
uint32_t states_next(const double cycles[SIMSM_STATE_COUNT], uint32_t taken);

/* An entry of a legend: a state, or several states that look the same. */
struct states_entry {
    uint32_t state;  /* the first state of the entry */
    double percent;  /* of the warp cycles of the shown SM, of all its states; NaN: not known */
    char words[128]; /* their names, and the share */
};

/*
 * Fills `entries` with the states in `present` by falling share; where no warp runs comes last.
 * States below half a per cent are left out and counted in *folded. Returns the number of entries.
 */
uint32_t states_entries(const struct view *view, uint32_t present,
                        struct states_entry entries[SIMSM_STATE_COUNT], uint32_t *folded);

/*
 * Draws a legend of the states in `present`, wrapped to the width of `rect`. Returns its height in
 * device pixels. Draws nothing if `draw` is false.
 */
int states_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                  uint32_t present, bool draw);

/*
 * Draws states as areas on one another, one column for each pixel of `area`. `sums` [area.w x
 * SIMSM_STATE_COUNT] has the slot cycles by state; a state is as high as its share of `whole`. From
 * the foot up: issued, eligible but not selected, then the waits. Empty slots are left out.
 */
void states_columns(const struct view *view, struct canvas *canvas, struct rect area,
                    const double *sums, double whole);

#endif
