/*
 * The font: glyphs as coverage, at every size that `metrics` asks for. Glyphs come from an outline
 * font (outline.h); where there is none, from the strokes in font.def.
 */
#ifndef VIZ_CANVAS_FONT_H
#define VIZ_CANVAS_FONT_H

#include <stdint.h>

/* All glyphs at one size. A glyph is a cell of w x h bytes of coverage, 0 to 255. */
struct font {
    int w, h;               /* of a cell, in pixels */
    uint8_t *cells;         /* [glyphs x h x w] */
    struct font_more *more; /* glyphs beside these, drawn when they are needed first */
};

/*
 * Draws the font. `advance` and `line` are the width and height of a cell in pixels; `width` is the
 * width of the strokes in 1/16 pixel. Returns 0 if memory runs out. Free it with font_free.
 */
int font_create(struct font *font, int advance, int line, int width);
/* Frees the glyphs. */
void font_free(struct font *font);

/*
 * Returns the coverage of a character's cell, row by row: font_columns() cells side by side. A
 * character without a glyph becomes a box.
 */
const uint8_t *font_cell(struct font *font, uint32_t code);

/* Returns the columns that a character takes: 2 for Chinese, Japanese and Korean, else 1. */
int font_columns(uint32_t code);

/*
 * Returns the next character of the UTF-8 text *text and moves *text behind it. 0: end of the text;
 * 0xfffd: invalid bytes.
 */
uint32_t font_next(const char **text);

#endif
