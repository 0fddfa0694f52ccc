/* A grid of character cells, on which the screens are drawn in a terminal. */
#ifndef VIZ_TUI_GRID_H
#define VIZ_TUI_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas/canvas.h"

enum { GRID_BOLD = 1, GRID_UNDERLINE = 2, GRID_REVERSE = 4 };

struct grid_cell {
    uint32_t sign;   /* code point */
    uint32_t fg, bg; /* 0xRRGGBB */
    uint8_t style;   /* bits GRID_... */
};

struct grid {
    int w, h;
    struct grid_cell *cells; /* [h x w] */
    struct rect clip;        /* drawing changes cells inside only */
    bool ascii;              /* only ASCII characters are shown */
    bool colour;             /* false: signs and styles must show everything */
    /* Letters must show states: colours do not, or half blocks cannot be shown. */
    bool plain;
};

/*
 * Changes the size. The contents are lost. Returns false if memory runs out; the grid is unchanged
 * then.
 */
bool grid_resize(struct grid *grid, int w, int h);
void grid_free(struct grid *grid);

/*
 * Clips to the part of `rect` inside the present clip. Returns the previous clip, for
 * grid_unclip().
 */
struct rect grid_clip(struct grid *grid, struct rect rect);
void grid_unclip(struct grid *grid, struct rect saved);

/* Fills `rect` with blanks on ground `bg`. */
void grid_fill(struct grid *grid, struct rect rect, uint32_t bg);
/* Draws a sign with its own ground. */
void grid_put(struct grid *grid, int x, int y, uint32_t sign, uint32_t fg, uint32_t bg);
/* Draws a sign and keeps the ground of the cell. */
void grid_ink(struct grid *grid, int x, int y, uint32_t sign, uint32_t fg);
/* Adds GRID_... bits to the cells of `rect`. */
void grid_style(struct grid *grid, struct rect rect, uint8_t style);
/* Mixes `percent` of a colour into the ground of the cells of `rect`. */
void grid_tint(struct grid *grid, struct rect rect, uint32_t colour, int percent);

/*
 * Draws UTF-8 text on the first line of `rect` and keeps the ground. Text that is too long ends in
 * an ellipsis. A character that terminals may show in another width becomes a question mark.
 * Returns the columns used.
 */
int grid_text(struct grid *grid, struct rect rect, enum text_align align, uint32_t fg,
              const char *text);
/*
 * Draws text into `rect`, wrapped at words. Returns the lines that the whole text needs. Draws
 * nothing if `draw` is false.
 */
int grid_paragraph(struct grid *grid, struct rect rect, uint32_t fg, const char *text, bool draw);
/* Returns the columns of a text. */
int grid_width(const char *text);

/*
 * Returns a block that fills `eighths` of a cell from its foot, 0 to 8; in ASCII a digit or another
 * sign.
 */
uint32_t grid_bar(const struct grid *grid, int eighths);

/* Returns the sign that this grid shows for a code point: itself, its ASCII replacement, or '?'. */
uint32_t grid_sign(const struct grid *grid, uint32_t sign);

#endif
