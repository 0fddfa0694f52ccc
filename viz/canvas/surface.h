/* The two surfaces that a canvas draws on: pixels and SVG. Private to this folder. */
#ifndef VIZ_CANVAS_SURFACE_H
#define VIZ_CANVAS_SURFACE_H

#include "canvas/canvas.h"
#include "canvas/font.h"

/*
 * The functions of a surface. They get rectangles that are clipped and not empty; lines, polygons
 * and texts are not clipped.
 */
struct surface {
    void (*fill)(struct canvas *canvas, struct rect rect, uint32_t colour, uint8_t alpha);
    void (*columns)(struct canvas *canvas, struct rect rect, struct rect seen,
                    const struct canvas_band *bands, int most);
    void (*hatch)(struct canvas *canvas, struct rect rect, enum canvas_hatch hatch,
                  uint32_t colour);
    void (*polyline)(struct canvas *canvas, const int *points, size_t count, int width,
                     uint32_t colour);
    void (*polygon)(struct canvas *canvas, const int *points, size_t count, uint32_t colour);
    void (*text)(struct canvas *canvas, int x, int y, enum text_size size, uint32_t colour,
                 const char *text, int characters);
    void (*clear)(struct canvas *canvas);
};

struct canvas {
    const struct surface *surface;
    struct metrics metrics;
    int w, h;
    struct rect clip;
    struct font font[TEXT_SIZE_COUNT];
    uint32_t *pixels; /* [h x w]; NULL for SVG */
    int *cover;       /* [w + 2] coverage of one row while a polygon is filled */
    struct svg *svg;  /* NULL for pixels */
};

/* As canvas_columns. `seen` is the part of `rect` in the clip. */
void pixels_columns(struct canvas *canvas, struct rect rect, struct rect seen,
                    const struct canvas_band *bands, int most);

/* ---- Pixels ---- */

enum {
    PIXEL_UNIT = 16,   /* units of a pixel, in coordinates of lines and polygons */
    PIXEL_SAMPLES = 4, /* sample rows in a row of pixels */
    PIXEL_SHADES = 15  /* of an edge; with so few shades most pictures fit into a palette */
};

/* Returns the y coordinate of a sample row of pixel row `y`. */
static inline int pixel_sample(int y, int sample)
{
    enum { STEP = PIXEL_UNIT / PIXEL_SAMPLES };
    return y * PIXEL_UNIT + sample * STEP + STEP / 2;
}

/* Returns the alpha of a pixel of which `cover` of `whole` samples are covered. */
static inline uint32_t pixel_alpha(int cover, int whole)
{
    return (uint32_t)((cover * PIXEL_SHADES + whole / 2) / whole * (255 / PIXEL_SHADES));
}

/*
 * Returns `colour` over `ground`. Red and blue are computed together, then green; each is divided
 * by 255 and rounded.
 */
static inline uint32_t pixel_over(uint32_t ground, uint32_t colour, uint32_t alpha)
{
    uint32_t rest = 255 - alpha;
    uint32_t rb = (ground & 0xff00ff) * rest + (colour & 0xff00ff) * alpha + 0x800080;
    uint32_t g = (ground >> 8 & 0xff) * rest + (colour >> 8 & 0xff) * alpha + 0x80;
    rb = (rb + (rb >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
    g = (g + (g >> 8)) >> 8;
    return 0xff000000u | rb | g << 8;
}

/*
 * Draws pieces of a line, four corners (x, y) in 1/16 pixel each, within `area`, which is within
 * the clip. Returns false, and draws nothing, if a piece is oblique or there are too many.
 */
bool pixels_steps(struct canvas *canvas, struct rect area, const int *quads, size_t count,
                  uint32_t colour);

extern const struct surface surface_pixels, surface_svg;

/* Creates the memory of an SVG surface. NULL if memory runs out. */
struct svg *svg_create(void);
/* Frees it. NULL is allowed. */
void svg_destroy(struct svg *svg);

#endif
