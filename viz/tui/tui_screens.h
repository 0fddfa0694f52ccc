/* The screens as characters, one in each file. What they show comes from view and track. */
#ifndef VIZ_TUI_TUI_SCREENS_H
#define VIZ_TUI_TUI_SCREENS_H

#include "tui/grid.h"
#include "view/view.h"

/* Draws into view->area, and says in *view what a screen of the window would say. */
typedef void tui_screen(struct view *view, struct grid *grid);

tui_screen tui_timeline, tui_lanes, tui_waves, tui_occupancy, tui_latency, tui_source, tui_memory,
    tui_compare;

#endif
