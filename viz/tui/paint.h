/* Sends a grid to a terminal: only the changed cells, in the colours that the terminal has. */
#ifndef VIZ_TUI_PAINT_H
#define VIZ_TUI_PAINT_H

#include <stdio.h>

#include "tui/grid.h"

enum colours { COLOURS_NONE, COLOURS_16, COLOURS_256, COLOURS_TRUE };

/*
 * Returns the colours of the terminal, from the environment variables NO_COLOR, COLORTERM and TERM;
 * NULL: not set.
 */
enum colours colours_of(const char *no_colour, const char *colorterm, const char *term);

/*
 * Returns the number of the nearest of xterm's 256 colours. Colours of states have fixed numbers.
 */
uint32_t colour_256(uint32_t colour);

struct tui_painter {
    enum colours colours;
    struct grid shown; /* contents of the terminal; empty: not known */
};

/* Writes the bytes that make the terminal show `grid`. Returns false if memory runs out. */
bool paint(struct tui_painter *painter, const struct grid *grid, FILE *file);

/*
 * Forgets the contents of the terminal and frees their memory. The next paint() sends every cell.
 */
void paint_forget(struct tui_painter *painter);

#endif
