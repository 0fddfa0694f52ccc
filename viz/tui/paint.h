/* Sends a grid to a terminal: only what has changed, in the colours that it has. */
#ifndef VIZ_TUI_PAINT_H
#define VIZ_TUI_PAINT_H

#include <stdio.h>

#include "tui/grid.h"

enum colours { COLOURS_NONE, COLOURS_16, COLOURS_256, COLOURS_TRUE };

/* What the environment says of the terminal: NO_COLOR, COLORTERM and TERM; NULL: not set. */
enum colours colours_of(const char *no_colour, const char *colorterm, const char *term);

/* Number of the colour of 256 that is nearest. States have numbers of their own. */
uint32_t colour_256(uint32_t colour);

struct tui_painter {
    enum colours colours;
    struct grid shown; /* as the terminal shows it; empty: not known */
};

/* Writes what makes the terminal show `grid`. False if memory runs out. */
bool paint(struct tui_painter *painter, const struct grid *grid, FILE *file);

/* What the terminal shows is not known any more. */
void paint_forget(struct tui_painter *painter);

#endif
