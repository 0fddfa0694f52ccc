/* The frame around every screen in a terminal: tabs, question, status line, help page. */
#ifndef VIZ_TUI_TUI_FRAME_H
#define VIZ_TUI_TUI_FRAME_H

#include "app/app.h"
#include "tui/grid.h"

struct tui_frame {
    int help_top;   /* first shown line of the help page */
    int help_lines; /* lines of the help page; set when it is drawn */
    double rows;    /* rows of the screen, as last drawn */
};

/* Draws a frame. */
void frame_draw(struct tui_frame *frame, struct app *app, struct grid *grid);

/* Scrolls the help page if it is open and `key` scrolls. Returns whether the key was used. */
bool frame_key(struct tui_frame *frame, const struct app *app, const struct grid *grid,
               const char *key);

#endif
