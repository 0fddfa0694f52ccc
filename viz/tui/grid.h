/* Character cells: what the screens draw on in a terminal. */
#ifndef VIZ_TUI_GRID_H
#define VIZ_TUI_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas/canvas.h"

enum { GRID_BOLD = 1, GRID_UNDERLINE = 2, GRID_REVERSE = 4 };

struct grid_cell {
    uint32_t sign;   /* code point */
    uint32_t fg, bg; /* 0xRRGGBB */
    uint8_t style;   /* of GRID_... */
};

struct grid {
    int w, h;
    struct grid_cell *cells; /* [h x w] */
    struct rect clip;        /* nothing is drawn outside */
    bool ascii;              /* nothing but ASCII is shown */
    bool colour;             /* else signs and styles tell all */
    bool plain; /* letters must tell states: colours do not, or halves cannot be shown */
};

/* Contents are lost. False if memory runs out; the grid then is as it was. */
bool grid_resize(struct grid *grid, int w, int h);
void grid_free(struct grid *grid);

/* Clips to the part of `rect` inside the present clip; give the result to grid_unclip. */
struct rect grid_clip(struct grid *grid, struct rect rect);
void grid_unclip(struct grid *grid, struct rect saved);

/* Blanks on `bg`. */
void grid_fill(struct grid *grid, struct rect rect, uint32_t bg);
void grid_put(struct grid *grid, int x, int y, uint32_t sign, uint32_t fg, uint32_t bg);
/* A sign on the ground that is there. */
void grid_ink(struct grid *grid, int x, int y, uint32_t sign, uint32_t fg);
void grid_style(struct grid *grid, struct rect rect, uint8_t style);
/* Mixes `percent` of a colour into the ground. */
void grid_tint(struct grid *grid, struct rect rect, uint32_t colour, int percent);

/*
 * On the first line of `rect`, on the ground that is there; too long text ends in an ellipsis.
 * UTF-8; what a terminal might show in another width is a question mark. Returns the width drawn.
 */
int grid_text(struct grid *grid, struct rect rect, enum text_align align, uint32_t fg,
              const char *text);
/* Wrapped at words; returns the lines used. Draws nothing if `draw` is false. */
int grid_paragraph(struct grid *grid, struct rect rect, uint32_t fg, const char *text, bool draw);
int grid_width(const char *text);

/* A block that fills `eighths` of a cell from its foot, 0 to 8; in ASCII a digit or a sign. */
uint32_t grid_bar(const struct grid *grid, int eighths);

/* The sign as this grid can show it. */
uint32_t grid_sign(const struct grid *grid, uint32_t sign);

#endif
