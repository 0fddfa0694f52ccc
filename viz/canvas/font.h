/* The embedded font: glyphs as coverage, at every size that `metrics` asks for. */
#ifndef VIZ_CANVAS_FONT_H
#define VIZ_CANVAS_FONT_H

#include <stdint.h>

/* Glyphs of one size, one cell of `w` x `h` bytes of coverage (0 to 255) each. */
struct font {
    int w, h;       /* of a cell, pixels */
    uint8_t *cells; /* [glyphs x h x w] */
};

/*
 * `advance` and `line` are the cell, `width` that of the lines in 1/16 pixel. Returns 0 if memory
 * runs out; release with font_free.
 */
int font_create(struct font *font, int advance, int line, int width);
void font_free(struct font *font);

/* Coverage of a character's cell, row by row. Characters without a glyph become a box. */
const uint8_t *font_cell(const struct font *font, uint32_t code);

/* The next character of UTF-8 `*text`, which advances behind it; 0 at the end, 0xfffd for damage.
 */
uint32_t font_next(const char **text);

#endif
