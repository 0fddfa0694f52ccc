/* The screens as characters, one in each file. What they show comes from view and track. */
#ifndef VIZ_TUI_TUI_SCREENS_H
#define VIZ_TUI_TUI_SCREENS_H

#include "tui/grid.h"
#include "view/view.h"

/* Draws into view->area, and says in *view what a screen of the window would say. */
typedef void tui_screen(struct view *view, struct grid *grid);

#define SCREEN(id, name, ...) tui_screen tui_##name;
#include "view/screens.def"
#undef SCREEN

#endif
