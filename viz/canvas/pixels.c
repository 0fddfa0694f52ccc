/* The framebuffer: rectangles, textures, polygons, lines and text as pixels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/surface.h"

enum {
    UNIT = PIXEL_UNIT,
    SUB = PIXEL_SAMPLES,
    MOST_CROSSINGS = 4096,
    WIDE = 64 /* pixels; a row at least this wide is copied, as that is faster than writing it */
};

static void clear(struct canvas *canvas)
{
    for (size_t i = 0; i < (size_t)canvas->w * (size_t)canvas->h; i++)
        canvas->pixels[i] = 0xff000000u;
}

/*
 * Fills a rectangle one pixel wide. Charts are drawn in such columns, and this case needs no inner
 * loop.
 */
static void fill_column(struct canvas *canvas, struct rect rect, uint32_t colour)
{
    size_t stride = (size_t)canvas->w;
    uint32_t *at = canvas->pixels + (size_t)rect.y * stride + rect.x;
    for (int y = 0; y < rect.h; y++, at += stride)
        *at = 0xff000000u | colour;
}

static void fill(struct canvas *canvas, struct rect rect, uint32_t colour, uint8_t alpha)
{
    if (rect.w == 1 && alpha == 255) {
        fill_column(canvas, rect, colour);
        return;
    }
    const uint32_t *first = canvas->pixels + (size_t)rect.y * (size_t)canvas->w + rect.x;
    for (int y = rect.y; y < rect.y + rect.h; y++) {
        uint32_t *row = canvas->pixels + (size_t)y * (size_t)canvas->w + rect.x;
        if (alpha == 255 && y > rect.y && rect.w >= WIDE)
            memcpy(row, first, (size_t)rect.w * sizeof *row);
        else if (alpha == 255)
            for (int x = 0; x < rect.w; x++)
                row[x] = 0xff000000u | colour;
        else
            for (int x = 0; x < rect.w; x++)
                row[x] = pixel_over(row[x], colour, alpha);
    }
}

/* Returns whether a pixel belongs to the lines of a texture. `px` is the width of a line. */
static bool in_hatch(enum canvas_hatch hatch, int x, int y, int px)
{
    int step = 6 * px;
    int phase_x = x % step;
    int phase_y = y % step;
    switch (hatch) {
    case HATCH_DIAGONAL:
        return (x + y) % step < px;
    case HATCH_DOTS:
        return phase_x % (3 * px) < px && phase_y % (3 * px) < px;
    case HATCH_VERTICAL:
        return x % (4 * px) < px;
    case HATCH_CHEVRON:
        return (x + (phase_y < step / 2 ? phase_y : step - phase_y)) % step < px;
    case HATCH_CROSS:
        return (x + y) % step < px || (x - y + 1024 * step) % step < px;
    default:
        return false;
    }
}

/* All textures repeat after this many columns, at px = 1. */
enum { HATCH_PERIOD = 12 };

static void hatch_fill(struct canvas *canvas, struct rect rect, enum canvas_hatch hatch,
                       uint32_t colour)
{
    int px = canvas->metrics.px;
    int end = rect.x + rect.w;
    for (int y = rect.y; y < rect.y + rect.h; y++) {
        uint32_t *row = canvas->pixels + (size_t)y * (size_t)canvas->w;
        for (int first = rect.x; first < rect.x + HATCH_PERIOD * px && first < end; first++)
            for (int x = first; x < end && in_hatch(hatch, first, y, px); x += HATCH_PERIOD * px)
                row[x] = 0xff000000u | colour;
    }
}

/* ---- Polygons: sample rows, non-zero rule, exact horizontal cover in 1/16 pixel ---- */

struct crossing {
    int x, winding;
};

/* Sorts by x. There are few crossings, and the edges of a polygon are often in order. */
static void sort_crossings(struct crossing *crossing, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct crossing moved = crossing[i];
        size_t at = i;
        for (; at && crossing[at - 1].x > moved.x; at--)
            crossing[at] = crossing[at - 1];
        crossing[at] = moved;
    }
}

/* Adds the coverage of [from, to), in 1/16 pixel, to the row. */
static void add_cover(const struct canvas *canvas, int from, int to)
{
    int low = canvas->clip.x * UNIT;
    int high = (canvas->clip.x + canvas->clip.w) * UNIT;
    from = from < low ? low : from;
    to = to > high ? high : to;
    if (from >= to)
        return;
    int first = from / UNIT;
    int last = (to - 1) / UNIT;
    for (int x = first; x <= last; x++) {
        int left = x == first ? from % UNIT : 0;
        int right = x == last ? to - last * UNIT : UNIT;
        canvas->cover[x] += right - left;
    }
}

struct contours {
    const int *points;
    const size_t *counts; /* points of each contour */
    size_t contours;
};

/* An edge of a contour: goes down from (x, y) to `end`. */
struct edge {
    int x, y, end;
    int dx, dy;
    int winding;
    int row;           /* first row of the area that the edge touches */
    struct edge *next; /* next edge with the same first row */
};

/*
 * The scan of a polygon from top to bottom: edges by their first row, and the edges in the present
 * row.
 */
struct polygon_scan {
    struct edge *edges;
    size_t count;
    struct edge **begin;  /* [area.h] edges by first row */
    struct edge **active; /* [count] edges in the present row */
    size_t active_count;
    bool same;   /* the row has the same coverage as the row above it */
    bool steady; /* all edges cross the whole row and are vertical */
    struct {
        int x;
        uint32_t alpha;
    } * shades; /* [area.w] pixels of the row that are covered */
    size_t shade_count;
};

/* Adds the edge from `a` to `b` if it reaches into the area. */
static void add_edge(struct polygon_scan *scan, const int *a, const int *b, struct rect area)
{
    const int *high = a[1] < b[1] ? a : b;
    const int *low = a[1] < b[1] ? b : a;
    int row = high[1] / UNIT - area.y;
    if (a[1] == b[1] || low[1] <= area.y * UNIT || row >= area.h)
        return;
    scan->edges[scan->count++] = (struct edge){.x = a[0],
                                               .y = a[1],
                                               .end = low[1],
                                               .dx = b[0] - a[0],
                                               .dy = b[1] - a[1],
                                               .winding = b[1] > a[1] ? 1 : -1,
                                               .row = row < 0 ? 0 : row};
}

static bool scan_create(struct polygon_scan *scan, const struct contours *c, struct rect area)
{
    size_t points = 0;
    for (size_t k = 0; k < c->contours; k++)
        points += c->counts[k];
    *scan = (struct polygon_scan){.edges = malloc(points * sizeof *scan->edges),
                                  .begin = calloc((size_t)area.h, sizeof *scan->begin),
                                  .active = malloc(points * sizeof *scan->active),
                                  .shades = malloc((size_t)area.w * sizeof *scan->shades)};
    if (!scan->edges || !scan->begin || !scan->active || !scan->shades)
        return false;
    const int *p = c->points;
    for (size_t k = 0; k < c->contours; p += 2 * c->counts[k++])
        for (size_t i = 0; i < c->counts[k]; i++)
            add_edge(scan, p + 2 * i, p + 2 * (i + 1 == c->counts[k] ? 0 : i + 1), area);
    /* Backwards, so that the lists have the order of the points, which often is the order of x. */
    for (size_t i = scan->count; i-- > 0;) {
        struct edge *edge = &scan->edges[i];
        edge->next = scan->begin[edge->row];
        scan->begin[edge->row] = edge;
    }
    return true;
}

static void scan_free(struct polygon_scan *scan)
{
    free(scan->edges);
    free(scan->begin);
    free(scan->active);
    free(scan->shades);
}

/* Adds the edges that begin in a row of pixels, and drops the edges that end above it. */
static void scan_row(struct polygon_scan *scan, int row, int top)
{
    size_t count = 0;
    scan->same = scan->steady && !scan->begin[row];
    scan->steady = true;
    for (size_t i = 0; i < scan->active_count; i++)
        if (scan->active[i]->end > top)
            scan->active[count++] = scan->active[i];
    scan->same = scan->same && count == scan->active_count;
    for (struct edge *edge = scan->begin[row]; edge; edge = edge->next)
        scan->active[count++] = edge;
    for (size_t i = 0; i < count; i++) {
        const struct edge *edge = scan->active[i];
        int begin = edge->dy > 0 ? edge->y : edge->y + edge->dy;
        if (edge->dx || begin > top || edge->end < top + UNIT)
            scan->steady = false;
    }
    scan->active_count = count;
    scan->same = scan->same && scan->steady;
}

static size_t crossings_at(const struct polygon_scan *scan, int y, struct crossing *out)
{
    size_t n = 0;
    for (size_t i = 0; i < scan->active_count && n < MOST_CROSSINGS; i++) {
        const struct edge *e = scan->active[i];
        if ((e->y <= y) == (e->y + e->dy <= y))
            continue;
        int x = e->dx ? (int)((int64_t)e->dx * (y - e->y) / e->dy) : 0;
        out[n++] = (struct crossing){.x = e->x + x, .winding = e->winding};
    }
    sort_crossings(out, n);
    return n;
}

static void sample_row(const struct canvas *canvas, const struct polygon_scan *scan, int y,
                       struct crossing *room)
{
    size_t n = crossings_at(scan, y, room);
    int winding = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        winding += room[i].winding;
        if (winding)
            add_cover(canvas, room[i].x, room[i + 1].x);
    }
}

/* Returns the pixels within the clip that the contours can touch. */
static struct rect touched(const struct canvas *canvas, const struct contours *c)
{
    struct rect clip = canvas->clip;
    int left = clip.x + clip.w, right = clip.x;
    int top = clip.y + clip.h, bottom = clip.y;
    const int *p = c->points;
    for (size_t k = 0; k < c->contours; p += 2 * c->counts[k++]) {
        for (size_t i = 0; i < c->counts[k]; i++) {
            int x = p[2 * i] / UNIT;
            int y = p[2 * i + 1] / UNIT;
            left = x - 1 < left ? x - 1 : left;
            right = x + 2 > right ? x + 2 : right;
            top = y - 1 < top ? y - 1 : top;
            bottom = y + 2 > bottom ? y + 2 : bottom;
        }
    }
    left = left < clip.x ? clip.x : left;
    right = right > clip.x + clip.w ? clip.x + clip.w : right;
    top = top < clip.y ? clip.y : top;
    bottom = bottom > clip.y + clip.h ? clip.y + clip.h : bottom;
    return (struct rect){left, top, right - left, bottom - top};
}

/* Computes the shades of a row of pixels. All sample rows of a steady row are equal. */
static void shade_row(struct canvas *canvas, struct polygon_scan *scan, struct rect area, int y,
                      struct crossing *room)
{
    int samples = scan->steady ? 1 : SUB;
    int whole = UNIT * samples;
    memset(canvas->cover + area.x, 0, (size_t)area.w * sizeof *canvas->cover);
    for (int s = 0; s < samples; s++)
        sample_row(canvas, scan, pixel_sample(y, s), room);
    scan->shade_count = 0;
    for (int x = area.x; x < area.x + area.w; x++) {
        uint32_t alpha = canvas->cover[x] ? pixel_alpha(canvas->cover[x], whole) : 0;
        if (!alpha)
            continue;
        scan->shades[scan->shade_count].x = x;
        scan->shades[scan->shade_count++].alpha = alpha;
    }
}

static void paint_contours(struct canvas *canvas, const struct contours *c, uint32_t colour)
{
    struct rect area = touched(canvas, c);
    struct crossing room[MOST_CROSSINGS];
    struct polygon_scan scan;
    if (area.w <= 0 || area.h <= 0)
        return;
    bool ok = scan_create(&scan, c,
                          area); /* if memory runs out, the polygon is left out of the picture */
    for (int row = 0; ok && row < area.h; row++) {
        int y = area.y + row;
        scan_row(&scan, row, y * UNIT);
        if (!scan.active_count)
            continue;
        if (!scan.same)
            shade_row(canvas, &scan, area, y, room);
        uint32_t *pixels = canvas->pixels + (size_t)y * (size_t)canvas->w;
        for (size_t i = 0; i < scan.shade_count; i++) {
            int x = scan.shades[i].x;
            pixels[x] = pixel_over(pixels[x], colour, scan.shades[i].alpha);
        }
    }
    scan_free(&scan);
}

static void polygon(struct canvas *canvas, const int *points, size_t count, uint32_t colour)
{
    struct contours one = {.points = points, .counts = &count, .contours = 1};
    paint_contours(canvas, &one, colour);
}

/* Computes the rectangle around a piece of a line. Its corners always turn the same way. */
static void piece(const int *from, const int *to, int width, int *quad)
{
    double dx = to[0] - from[0];
    double dy = to[1] - from[1];
    double length = sqrt(dx * dx + dy * dy);
    double ux = length > 0 ? dx / length * width / 2 : width / 2.0;
    double uy = length > 0 ? dy / length * width / 2 : 0;
    /* 0.7: the piece is a little longer at both ends, so that corners have no gaps */
    double ex = ux * 0.7;
    double ey = uy * 0.7;
    const double corner[8] = {from[0] - ex - uy, from[1] - ey + ux, from[0] - ex + uy,
                              from[1] - ey - ux, to[0] + ex + uy,   to[1] + ey - ux,
                              to[0] + ex - uy,   to[1] + ey + ux};
    for (int i = 0; i < 8; i++)
        quad[i] = (int)lround(corner[i]);
}

static void polyline(struct canvas *canvas, const int *points, size_t count, int width,
                     uint32_t colour)
{
    enum { PIECES = 64 };
    int quads[PIECES * 8];
    size_t counts[PIECES];
    for (size_t i = 0; i + 1 < count;) {
        size_t n = 0;
        for (; n < PIECES && i + 1 < count; n++, i++) {
            piece(points + 2 * i, points + 2 * (i + 1), width, quads + 8 * n);
            counts[n] = 4;
        }
        struct contours c = {.points = quads, .counts = counts, .contours = n};
        if (!pixels_steps(canvas, touched(canvas, &c), quads, n, colour))
            paint_contours(canvas, &c, colour);
    }
}

static void glyph(struct canvas *canvas, int x, int y, const struct font *font, const uint8_t *cell,
                  int w, uint32_t colour)
{
    const struct rect *clip = &canvas->clip;
    for (int row = 0; row < font->h; row++) {
        int at = y + row;
        if (at < clip->y || at >= clip->y + clip->h)
            continue;
        uint32_t *pixels = canvas->pixels + (size_t)at * (size_t)canvas->w;
        const uint8_t *cover = cell + row * w;
        for (int column = 0; column < w; column++) {
            int to = x + column;
            if (cover[column] && to >= clip->x && to < clip->x + clip->w)
                pixels[to] = pixel_over(pixels[to], colour, cover[column]);
        }
    }
}

static void text_run(struct canvas *canvas, int x, int y, enum text_size size, uint32_t colour,
                     const char *text, int characters)
{
    struct font *font = &canvas->font[size];
    if (y >= canvas->clip.y + canvas->clip.h || y + font->h <= canvas->clip.y)
        return;
    for (int i = 0; i < characters; i++) {
        const uint32_t code = font_next(&text);
        const int w = font_columns(code) * font->w;
        const bool seen = x + w > canvas->clip.x && x < canvas->clip.x + canvas->clip.w;
        const uint8_t *cell = code != ' ' && seen ? font_cell(font, code) : NULL;
        if (cell)
            glyph(canvas, x, y, font, cell, w, colour);
        x += w;
    }
}

const struct surface surface_pixels = {
    .fill = fill,
    .columns = pixels_columns,
    .hatch = hatch_fill,
    .polyline = polyline,
    .polygon = polygon,
    .text = text_run,
    .clear = clear,
};
