/*
 * Outline fonts: glyphs of DejaVu Sans Mono, and of Noto Sans CJK for wide characters, drawn by
 * FreeType. Without FreeType, or without the fonts, no glyph is found, and font.c draws its own.
 */
#ifndef VIZ_CANVAS_OUTLINE_H
#define VIZ_CANVAS_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Draws a character into a cell of w x h pixels of coverage, which is zero. The cell is one column
 * wide, or two for a wide character. Returns false if there is no font with this character.
 */
bool outline_draw(uint32_t code, int columns, int w, int h, uint8_t *cell);

/* Returns whether outline_draw() finds Chinese characters. */
bool outline_has_chinese(void);

/*
 * Makes outline_draw() find no font, so that pictures are the same on every machine. The
 * environment SIMSM_FONT=builtin does so too; SIMSM_FONT=PATH names a font file to use first.
 */
void outline_disable(void);

#endif
