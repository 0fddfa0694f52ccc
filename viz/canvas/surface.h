/* What a canvas draws on. Private to this folder. */
#ifndef VIZ_CANVAS_SURFACE_H
#define VIZ_CANVAS_SURFACE_H

#include "canvas/canvas.h"
#include "canvas/font.h"

/* Rectangles are clipped and not empty; contours are not clipped. */
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
    int *cover;       /* [w + 2] of one row while a polygon is filled */
    struct svg *svg;  /* NULL for pixels */
};

/* `seen` is what of `rect` is in the clip. */
void pixels_columns(struct canvas *canvas, struct rect rect, struct rect seen,
                    const struct canvas_band *bands, int most);

/* ---- Pixels ---- */

enum {
    PIXEL_UNIT = 16,   /* of coordinates of lines and polygons */
    PIXEL_SAMPLES = 4, /* sample rows of a pixel row */
    PIXEL_SHADES = 15  /* of an edge: so few that pictures have colours for a palette */
};

static inline int pixel_sample(int y, int sample)
{
    enum { STEP = PIXEL_UNIT / PIXEL_SAMPLES };
    return y * PIXEL_UNIT + sample * STEP + STEP / 2;
}

/* Of a pixel of which `cover` parts of `whole` are covered. */
static inline uint32_t pixel_alpha(int cover, int whole)
{
    return (uint32_t)((cover * PIXEL_SHADES + whole / 2) / whole * (255 / PIXEL_SHADES));
}

/* Red and blue, then green, each divided by 255 and rounded. */
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
 * Pieces of a line, four corners each, if none of them is oblique (else false, and nothing is
 * drawn). They lie in `area`, which is within the clip.
 */
bool pixels_steps(struct canvas *canvas, struct rect area, const int *quads, size_t count,
                  uint32_t colour);

extern const struct surface surface_pixels, surface_svg;

struct svg *svg_create(void);
void svg_destroy(struct svg *svg);

#endif
