/* What all screens share in a terminal: tabs, question, status, the page of keys. */
#ifndef VIZ_TUI_TUI_FRAME_H
#define VIZ_TUI_TUI_FRAME_H

#include "app/app.h"
#include "tui/grid.h"

struct tui_frame {
    int help_top;   /* first line of the page of keys that is shown */
    int help_lines; /* of that page; known once it has been drawn */
    double rows;    /* of the screen, as last drawn */
};

/* Draws everything. */
void frame_draw(struct tui_frame *frame, struct app *app, struct grid *grid);

/* Scrolls the page of keys, if it is open and this key does that. */
bool frame_key(struct tui_frame *frame, const struct app *app, const struct grid *grid,
               const char *key);

#endif
