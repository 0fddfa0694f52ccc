/*
 * A canvas: a framebuffer, or a list of SVG elements. A window, a file and a test draw through
 * these calls alone, so all show the same.
 *
 * Coordinates are device pixels with the origin at the top left; rectangles are half-open. All
 * drawing is clipped to canvas_clip. Colours are 0xRRGGBB; `alpha` goes from 0 (invisible) to 255.
 * Sizes come from `metrics`, which know the scale of the display: views never have sizes in pixels
 * of their own.
 */
#ifndef VIZ_CANVAS_CANVAS_H
#define VIZ_CANVAS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "simsm/error.h"

struct rect {
    int x, y, w, h;
};

/* Textures over a colour, so that states can be told apart without colour. */
enum canvas_hatch {
    HATCH_NONE,
    HATCH_DIAGONAL,
    HATCH_DOTS,
    HATCH_VERTICAL,
    HATCH_CHEVRON,
    HATCH_CROSS,
    HATCH_COUNT
};

enum text_size { TEXT_SMALL, TEXT_NORMAL, TEXT_LARGE, TEXT_TITLE, TEXT_SIZE_COUNT };
enum text_align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT };

/*
 * Sizes in device pixels at one scale of the display. All characters of the font have the same
 * width, or twice that (Chinese, Japanese, Korean).
 */
struct metrics {
    int scale;                    /* percent: 100, 125, 150, 200, ... */
    int px;                       /* width of a thin line, at least 1 */
    int pad;                      /* space between elements */
    int advance[TEXT_SIZE_COUNT]; /* width of a character */
    int line[TEXT_SIZE_COUNT];    /* distance between two lines of text */
};

/* Returns the sizes for a scale in percent. */
struct metrics metrics_of(int scale);

struct canvas;

/*
 * Creates a framebuffer of w x h pixels, 0xFFRRGGBB each. `scale` is in percent. NULL if memory
 * runs out. Free it with canvas_destroy.
 */
struct canvas *canvas_create(int w, int h, int scale);
/*
 * Creates a list of SVG elements for canvas_write_svg. Equal neighbours are merged. NULL if memory
 * runs out.
 */
struct canvas *canvas_create_svg(int w, int h, int scale);
void canvas_destroy(struct canvas *canvas); /* NULL is allowed */
/*
 * Changes the size; the contents are lost. Returns false if memory runs out; the canvas is then
 * unchanged.
 */
bool canvas_resize(struct canvas *canvas, int w, int h, int scale);

/* Width and height in pixels. */
int canvas_width(const struct canvas *canvas);
int canvas_height(const struct canvas *canvas);
/* Returns the sizes at the canvas' scale. Owned by the canvas. */
const struct metrics *canvas_metrics(const struct canvas *canvas);
/*
 * Returns the framebuffer, or NULL for SVG. *stride: pixels from one row to the next. Valid until
 * the canvas is resized.
 */
const uint32_t *canvas_pixels(const struct canvas *canvas, int *stride);
/* Returns the FNV-1a hash (64 bits) of size and pixels. Tests compare it. */
uint64_t canvas_hash(const struct canvas *canvas);

/*
 * Clips to the part of `rect` inside the present clip. Returns the present clip, to give to
 * canvas_unclip.
 */
struct rect canvas_clip(struct canvas *canvas, struct rect rect);
/* Restores a clip that canvas_clip has returned. */
void canvas_unclip(struct canvas *canvas, struct rect saved);

/* Fills a rectangle. */
void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t colour);
/* Fills a rectangle with a translucent colour. */
void canvas_blend(struct canvas *canvas, struct rect rect, uint32_t colour, uint8_t alpha);
/*
 * A band of a column of pixels. It goes from the end of the band above it, or from the top of the
 * rectangle, down to `end`, counted from the top. CANVAS_KEEP: the band is transparent.
 */
struct canvas_band {
    int end;
    uint32_t colour;
};
#define CANVAS_KEEP UINT32_MAX
/*
 * Draws a chart with a stack of bars for each column of pixels. Column i of `rect` has the bands
 * bands[i x most] to bands[i x most + most - 1]; bands behind one that reaches the foot are
 * ignored. Pixels below the last band stay.
 */
void canvas_columns(struct canvas *canvas, struct rect rect, const struct canvas_band *bands,
                    int most);
/* Draws an outline of `width` pixels inside the rectangle. */
void canvas_frame(struct canvas *canvas, struct rect rect, int width, uint32_t colour);
/*
 * Draws the lines of a texture. The texture is aligned to the canvas, not to the rectangle, so that
 * it does not move when a rectangle does.
 */
void canvas_hatch(struct canvas *canvas, struct rect rect, enum canvas_hatch hatch,
                  uint32_t colour);
/* Draws an antialiased line. `points`: `count` pairs x, y in 1/16 pixel; `width` in 1/16 pixel. */
void canvas_polyline(struct canvas *canvas, const int *points, size_t count, int width,
                     uint32_t colour);
/* Fills an antialiased polygon by the non-zero rule. Units as in canvas_polyline. */
void canvas_polygon(struct canvas *canvas, const int *points, size_t count, uint32_t colour);
/* Draws an arrow with its head at (x1, y1), in pixels. */
void canvas_arrow(struct canvas *canvas, int x0, int y0, int x1, int y1, uint32_t colour);

/*
 * Draws UTF-8 text; a character without a glyph becomes a box. (x, y) is the top left of the first
 * character. Returns the width in pixels.
 */
int canvas_text(struct canvas *canvas, int x, int y, enum text_size size, uint32_t colour,
                const char *text);
/*
 * Draws text inside `rect`, vertically centred. Text that is too long ends in an ellipsis. Returns
 * the drawn width in pixels.
 */
int canvas_text_in(struct canvas *canvas, struct rect rect, enum text_size size,
                   enum text_align align, uint32_t colour, const char *text);
/*
 * Draws text wrapped at words to the width of `rect`. Returns the height in pixels. Draws nothing
 * if `draw` is false.
 */
int canvas_paragraph(struct canvas *canvas, struct rect rect, enum text_size size, uint32_t colour,
                     const char *text, bool draw);
/* Returns the width of a text in pixels. */
int text_width(const struct metrics *metrics, enum text_size size, const char *text);

/* Returns black or white: the one that is easier to read on `ground`. */
uint32_t colour_on(uint32_t ground);
/* Mixes two colours: percent_b of `b`, the rest of `a`. */
uint32_t colour_mix(uint32_t a, uint32_t b, int percent_b);

/* Write the picture to an open file. Errors of writing stay in the file (ferror). */
enum simsm_status canvas_write_png(const struct canvas *canvas, FILE *file,
                                   struct simsm_error *error);
enum simsm_status canvas_write_svg(const struct canvas *canvas, FILE *file,
                                   struct simsm_error *error);

/* Each function cuts a strip off `rect` and returns the strip. */
struct rect rect_cut_top(struct rect *rect, int h);
struct rect rect_cut_bottom(struct rect *rect, int h);
struct rect rect_cut_left(struct rect *rect, int w);
struct rect rect_cut_right(struct rect *rect, int w);
/* Returns `rect` without a margin of `by` pixels at each side. */
struct rect rect_inset(struct rect rect, int by);
/* Returns whether a rectangle holds the pixel (x, y). */
bool rect_has(struct rect rect, int x, int y);

#endif
