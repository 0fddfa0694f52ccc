/* A warp slot over time, as a row of columns. */
#ifndef VIZ_TUI_SLOTS_H
#define VIZ_TUI_SLOTS_H

#include "tui/grid.h"
#include "view/rows.h"

struct slot_column {
    char sign;     /* what stands in it: the state's letter, or a part of an operation's name */
    uint8_t state; /* enum simsm_warp_state, of most of its time */
    uint8_t issue; /* share of 255 of its cycles with an issue */
    bool glows;    /* the selected instruction is at the head of the warp */
};

/*
 * time->w columns of a slot, [time->w]. `history`: of what is shown, for the selected instruction;
 * NULL: not known. False, with view->problem set, if it cannot be read.
 */
bool slot_columns(struct view *view, struct track *track, uint32_t slot,
                  const struct time_scale *time, const struct history *history,
                  struct slot_column *columns);

/* One slot in a line: its letters. */
void slot_draw(struct grid *grid, const struct view *view, int x, int y,
               const struct slot_column *columns, int count);

/* Two slots in a line, as the halves of its cells; `below` may be NULL. */
void slot_draw_two(struct grid *grid, const struct view *view, int x, int y,
                   const struct slot_column *above, const struct slot_column *below, int count);

#endif
