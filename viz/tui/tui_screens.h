/*
 * The screens of a terminal, declared from screens.def. Their contents come from viz/view and
 * viz/track.
 */
#ifndef VIZ_TUI_TUI_SCREENS_H
#define VIZ_TUI_TUI_SCREENS_H

#include "tui/grid.h"
#include "view/view.h"

/* Draws a screen into view->area, and sets in *view what drawing sets. */
typedef void tui_screen(struct view *view, struct grid *grid);

#define SCREEN(id, name, ...) tui_screen tui_##name;
#include "view/screens.def"
#undef SCREEN

#endif
