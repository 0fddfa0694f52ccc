/* A warp slot over time, as columns of a line. */
#ifndef VIZ_TUI_SLOTS_H
#define VIZ_TUI_SLOTS_H

#include "tui/grid.h"
#include "view/rows.h"

struct slot_column {
    char sign;     /* letter of the state, or a character of the operation */
    uint8_t state; /* enum simsm_warp_state of most of the column's cycles */
    uint8_t issue; /* cycles with an issue, as a share of 255 */
    bool glows;    /* the warp has the selected instruction next, or issues it */
};

/*
 * Fills columns [time->w] of a slot. `history` covers the shown cycles and marks the selected
 * instruction; NULL: not marked. Returns false and sets view->problem if the slot cannot be read.
 */
bool slot_columns(struct view *view, struct track *track, uint32_t slot,
                  const struct time_scale *time, const struct history *history,
                  struct slot_column *columns);

/* Draws a slot in a line: letters on colours. */
void slot_draw(struct grid *grid, const struct view *view, int x, int y,
               const struct slot_column *columns, int count);

/* Draws two slots in a line, as the upper and lower halves of the cells; `below` may be NULL. */
void slot_draw_two(struct grid *grid, const struct view *view, int x, int y,
                   const struct slot_column *above, const struct slot_column *below, int count);

#endif
