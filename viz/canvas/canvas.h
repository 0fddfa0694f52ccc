/*
 * Something to draw on: a framebuffer, or a list of SVG elements. All that is ever seen, in a
 * window, in a file or in a test, is drawn through these calls, so that it is the same everywhere.
 *
 * Coordinates are device pixels, origin top left, rectangles half-open. Everything is clipped to
 * canvas_clip. Colours are 0xRRGGBB; `alpha` goes from 0 (nothing) to 255. Sizes come from
 * `metrics`, which know the scale of the display; views never write a size in pixels of their own.
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

/* Textures laid over a colour, so that states differ without it. */
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

/* Sizes in device pixels of one display scale. The font has one width for all characters. */
struct metrics {
    int scale;                    /* percent: 100, 125, 150, 200, ... */
    int px;                       /* one line, at least 1 */
    int pad;                      /* between things */
    int advance[TEXT_SIZE_COUNT]; /* of one character */
    int line[TEXT_SIZE_COUNT];    /* from one line of text to the next */
};

struct metrics metrics_of(int scale);

struct canvas;

/* A framebuffer of w x h pixels, 0xFFRRGGBB each; NULL if memory runs out. */
struct canvas *canvas_create(int w, int h, int scale);
/* Elements for canvas_write_svg; equal neighbours are merged. */
struct canvas *canvas_create_svg(int w, int h, int scale);
void canvas_destroy(struct canvas *canvas); /* NULL is allowed */
/* Contents are lost. False if memory runs out; the canvas then is as it was. */
bool canvas_resize(struct canvas *canvas, int w, int h, int scale);

int canvas_width(const struct canvas *canvas);
int canvas_height(const struct canvas *canvas);
const struct metrics *canvas_metrics(const struct canvas *canvas);
/* NULL for SVG. `stride` in pixels. Valid until the canvas is resized. */
const uint32_t *canvas_pixels(const struct canvas *canvas, int *stride);
/* FNV-1a, 64 bits, over size and pixels: golden frames. */
uint64_t canvas_hash(const struct canvas *canvas);

/* Clips to the part of `rect` inside the present clip, and returns what to give to canvas_unclip.
 */
struct rect canvas_clip(struct canvas *canvas, struct rect rect);
void canvas_unclip(struct canvas *canvas, struct rect saved);

void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t colour);
void canvas_blend(struct canvas *canvas, struct rect rect, uint32_t colour, uint8_t alpha);
/*
 * Part of a column of pixels, from the band above it (or the top) down to `end`, counted from the
 * top of the rectangle. CANVAS_KEEP: what is there stays.
 */
struct canvas_band {
    int end;
    uint32_t colour;
};
#define CANVAS_KEEP UINT32_MAX
/*
 * Charts of one bar, or pile of bars, for each pixel: column i of `rect` has the bands
 * bands[i x most] to bands[i x most + most - 1], or up to the one that reaches its foot. What is
 * below the last one stays.
 */
void canvas_columns(struct canvas *canvas, struct rect rect, const struct canvas_band *bands,
                    int most);
/* Outline inside the rectangle, `width` pixels. */
void canvas_frame(struct canvas *canvas, struct rect rect, int width, uint32_t colour);
/* Lines of the texture only, in `colour`; aligned to the canvas, so that it does not swim. */
void canvas_hatch(struct canvas *canvas, struct rect rect, enum canvas_hatch hatch,
                  uint32_t colour);
/* Antialiased. `points`: x, y pairs in 1/16 pixel; `width` in 1/16 pixel. */
void canvas_polyline(struct canvas *canvas, const int *points, size_t count, int width,
                     uint32_t colour);
/* A filled polygon, antialiased, non-zero rule. Same units. */
void canvas_polygon(struct canvas *canvas, const int *points, size_t count, uint32_t colour);
void canvas_arrow(struct canvas *canvas, int x0, int y0, int x1, int y1, uint32_t colour);

/*
 * UTF-8 (characters without a glyph become a box). (x, y) is the top left of the first character's
 * cell for ALIGN_LEFT. Returns the width drawn.
 */
int canvas_text(struct canvas *canvas, int x, int y, enum text_size size, uint32_t colour,
                const char *text);
/* Inside `rect`, vertically centred; too long text ends in an ellipsis. Returns the width drawn. */
int canvas_text_in(struct canvas *canvas, struct rect rect, enum text_size size,
                   enum text_align align, uint32_t colour, const char *text);
/* Wrapped at words to the width of `rect`; returns the height used. Draws nothing if `draw` is
 * false. */
int canvas_paragraph(struct canvas *canvas, struct rect rect, enum text_size size, uint32_t colour,
                     const char *text, bool draw);
int text_width(const struct metrics *metrics, enum text_size size, const char *text);

/* Black or white, whichever is easier to read on `ground`. */
uint32_t colour_on(uint32_t ground);
uint32_t colour_mix(uint32_t a, uint32_t b, int percent_b);

/* Write the picture to an open file; errors of the file stay in it (ferror). */
enum simsm_status canvas_write_png(const struct canvas *canvas, FILE *file,
                                   struct simsm_error *error);
enum simsm_status canvas_write_svg(const struct canvas *canvas, FILE *file,
                                   struct simsm_error *error);

/* Small helpers for layouts: cut a strip off `rect`. */
struct rect rect_cut_top(struct rect *rect, int h);
struct rect rect_cut_bottom(struct rect *rect, int h);
struct rect rect_cut_left(struct rect *rect, int w);
struct rect rect_cut_right(struct rect *rect, int w);
struct rect rect_inset(struct rect rect, int by);
bool rect_has(struct rect rect, int x, int y);

#endif
