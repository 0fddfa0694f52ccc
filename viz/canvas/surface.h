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

extern const struct surface surface_pixels, surface_svg;

struct svg *svg_create(void);
void svg_destroy(struct svg *svg);

#endif
