/* The calls of canvas.h: they clip, lay out text, and draw through the table of the surface. */
#include "canvas/canvas.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/surface.h"

/*
 * Cells of the font at 100 %: advance and line in pixels, width of the font's lines in 1/16 pixel.
 */
static const struct {
    int advance, line, width;
} sizes[TEXT_SIZE_COUNT] = {{6, 13, 16}, {7, 15, 18}, {9, 19, 22}, {11, 23, 28}};

static int scaled(int value, int scale)
{
    int result = (value * scale + 50) / 100;
    return result < 1 ? 1 : result;
}

struct metrics metrics_of(int scale)
{
    struct metrics metrics = {.scale = scale, .px = scaled(1, scale), .pad = scaled(6, scale)};
    for (int i = 0; i < TEXT_SIZE_COUNT; i++) {
        metrics.advance[i] = scaled(sizes[i].advance, scale);
        metrics.line[i] = scaled(sizes[i].line, scale);
    }
    return metrics;
}

static void free_fonts(struct font *font)
{
    for (int i = 0; i < TEXT_SIZE_COUNT; i++)
        font_free(&font[i]);
}

static bool create_fonts(struct font *font, const struct metrics *metrics)
{
    bool ok = true;
    memset(font, 0, TEXT_SIZE_COUNT * sizeof *font);
    for (int i = 0; i < TEXT_SIZE_COUNT && ok; i++)
        ok = font_create(&font[i], metrics->advance[i], metrics->line[i],
                         scaled(sizes[i].width, metrics->scale));
    if (!ok)
        free_fonts(font);
    return ok;
}

static struct canvas *create(const struct surface *surface, int w, int h, int scale)
{
    struct canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas)
        return NULL;
    canvas->surface = surface;
    if (surface == &surface_svg)
        canvas->svg = svg_create();
    if ((surface == &surface_svg && !canvas->svg) || !canvas_resize(canvas, w, h, scale)) {
        canvas_destroy(canvas);
        return NULL;
    }
    return canvas;
}

struct canvas *canvas_create(int w, int h, int scale)
{
    return create(&surface_pixels, w, h, scale);
}

struct canvas *canvas_create_svg(int w, int h, int scale)
{
    return create(&surface_svg, w, h, scale);
}

void canvas_destroy(struct canvas *canvas)
{
    if (!canvas)
        return;
    free_fonts(canvas->font);
    svg_destroy(canvas->svg);
    free(canvas->pixels);
    free(canvas->cover);
    free(canvas);
}

bool canvas_resize(struct canvas *canvas, int w, int h, int scale)
{
    struct metrics metrics = metrics_of(scale);
    struct font font[TEXT_SIZE_COUNT];
    uint32_t *pixels = NULL;
    int *cover = calloc((size_t)w + 2, sizeof *cover);
    bool ok = cover != NULL;
    if (ok && !canvas->svg) {
        pixels = calloc((size_t)w * (size_t)h, sizeof *pixels);
        ok = pixels != NULL;
    }
    if (!ok || !create_fonts(font, &metrics)) {
        free(pixels);
        free(cover);
        return false;
    }
    free_fonts(canvas->font);
    free(canvas->pixels);
    free(canvas->cover);
    memcpy(canvas->font, font, sizeof font);
    canvas->metrics = metrics;
    canvas->w = w;
    canvas->h = h;
    canvas->pixels = pixels;
    canvas->cover = cover;
    canvas->clip = (struct rect){.w = w, .h = h};
    canvas->surface->clear(canvas);
    return true;
}

int canvas_width(const struct canvas *canvas)
{
    return canvas->w;
}

int canvas_height(const struct canvas *canvas)
{
    return canvas->h;
}

const struct metrics *canvas_metrics(const struct canvas *canvas)
{
    return &canvas->metrics;
}

const uint32_t *canvas_pixels(const struct canvas *canvas, int *stride)
{
    *stride = canvas->w;
    return canvas->pixels;
}

uint64_t canvas_hash(const struct canvas *canvas)
{
    uint64_t hash = 0xcbf29ce484222325u;
    const uint32_t size[2] = {(uint32_t)canvas->w, (uint32_t)canvas->h};
    for (int i = 0; i < 2; i++)
        hash = (hash ^ size[i]) * 0x100000001b3u;
    for (size_t i = 0; canvas->pixels && i < (size_t)canvas->w * (size_t)canvas->h; i++)
        hash = (hash ^ canvas->pixels[i]) * 0x100000001b3u;
    return hash;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Returns the length of the overlap of [a, a + a_length) and [b, b + b_length). The sums may be too
 * large for int.
 */
static int shared(int a, int a_length, int b, int b_length)
{
    int64_t a_end = (int64_t)a + a_length;
    int64_t b_end = (int64_t)b + b_length;
    int64_t length = (a_end < b_end ? a_end : b_end) - larger(a, b);
    return length > 0 ? (int)length : 0;
}

static struct rect common(struct rect a, struct rect b)
{
    return (struct rect){.x = larger(a.x, b.x),
                         .y = larger(a.y, b.y),
                         .w = shared(a.x, a.w, b.x, b.w),
                         .h = shared(a.y, a.h, b.y, b.h)};
}

struct rect canvas_clip(struct canvas *canvas, struct rect rect)
{
    struct rect saved = canvas->clip;
    canvas->clip = common(saved, rect);
    return saved;
}

void canvas_unclip(struct canvas *canvas, struct rect saved)
{
    canvas->clip = saved;
}

void canvas_blend(struct canvas *canvas, struct rect rect, uint32_t colour, uint8_t alpha)
{
    rect = common(rect, canvas->clip);
    if (rect.w > 0 && rect.h > 0 && alpha)
        canvas->surface->fill(canvas, rect, colour, alpha);
}

void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t colour)
{
    canvas_blend(canvas, rect, colour, 255);
}

void canvas_frame(struct canvas *canvas, struct rect rect, int width, uint32_t colour)
{
    struct rect inner = rect;
    canvas_fill(canvas, rect_cut_top(&inner, width), colour);
    canvas_fill(canvas, rect_cut_bottom(&inner, width), colour);
    canvas_fill(canvas, rect_cut_left(&inner, width), colour);
    canvas_fill(canvas, rect_cut_right(&inner, width), colour);
}

void canvas_columns(struct canvas *canvas, struct rect rect, const struct canvas_band *bands,
                    int most)
{
    struct rect seen = common(rect, canvas->clip);
    if (seen.w > 0 && seen.h > 0)
        canvas->surface->columns(canvas, rect, seen, bands, most);
}

void canvas_hatch(struct canvas *canvas, struct rect rect, enum canvas_hatch hatch, uint32_t colour)
{
    rect = common(rect, canvas->clip);
    if (rect.w > 0 && rect.h > 0 && hatch != HATCH_NONE)
        canvas->surface->hatch(canvas, rect, hatch, colour);
}

void canvas_polyline(struct canvas *canvas, const int *points, size_t count, int width,
                     uint32_t colour)
{
    if (count > 1 && canvas->clip.w > 0 && canvas->clip.h > 0)
        canvas->surface->polyline(canvas, points, count, width, colour);
}

void canvas_polygon(struct canvas *canvas, const int *points, size_t count, uint32_t colour)
{
    if (count > 2 && canvas->clip.w > 0 && canvas->clip.h > 0)
        canvas->surface->polygon(canvas, points, count, colour);
}

void canvas_arrow(struct canvas *canvas, int x0, int y0, int x1, int y1, uint32_t colour)
{
    int line[] = {x0 * 16, y0 * 16, x1 * 16, y1 * 16};
    canvas_polyline(canvas, line, 2, canvas->metrics.px * 24, colour);
    double dx = x1 - x0;
    double dy = y1 - y0;
    double length = sqrt(dx * dx + dy * dy);
    if (length < 1)
        return;
    double size = 7.0 * canvas->metrics.scale / 100;
    double ux = dx / length * size;
    double uy = dy / length * size;
    int head[] = {x1 * 16,
                  y1 * 16,
                  (int)((x1 - ux - uy * 0.5) * 16),
                  (int)((y1 - uy + ux * 0.5) * 16),
                  (int)((x1 - ux + uy * 0.5) * 16),
                  (int)((y1 - uy - ux * 0.5) * 16)};
    canvas_polygon(canvas, head, 3, colour);
}

/* The characters of a text, and the columns that they take. */
struct extent {
    int characters, columns;
};

/* Returns the extent of the part of a text that fits into `room` columns. */
static struct extent extent_within(const char *text, int room)
{
    struct extent extent = {0};
    for (uint32_t code; (code = font_next(&text)) != 0; extent.characters++) {
        const int columns = font_columns(code);
        if (extent.columns + columns > room)
            break;
        extent.columns += columns;
    }
    return extent;
}

static struct extent extent_of(const char *text)
{
    return extent_within(text, INT_MAX - 1);
}

int text_width(const struct metrics *metrics, enum text_size size, const char *text)
{
    return extent_of(text).columns * metrics->advance[size];
}

int canvas_text(struct canvas *canvas, int x, int y, enum text_size size, uint32_t colour,
                const char *text)
{
    const struct extent extent = extent_of(text);
    if (extent.characters && canvas->clip.w > 0 && canvas->clip.h > 0)
        canvas->surface->text(canvas, x, y, size, colour, text, extent.characters);
    return extent.columns * canvas->metrics.advance[size];
}

int canvas_text_in(struct canvas *canvas, struct rect rect, enum text_size size,
                   enum text_align align, uint32_t colour, const char *text)
{
    int advance = canvas->metrics.advance[size];
    int room = rect.w / advance;
    const int count = extent_of(text).columns;
    if (room <= 0 || count <= 0)
        return 0;
    int y = rect.y + (rect.h - canvas->metrics.line[size]) / 2;
    const struct extent cut = extent_within(text, room - 1);
    const int shown = count <= room ? count : cut.columns + 1;
    int spare = rect.w - shown * advance;
    int x = rect.x + (align == ALIGN_LEFT ? 0 : align == ALIGN_RIGHT ? spare : spare / 2);
    if (count <= room)
        return canvas_text(canvas, x, y, size, colour, text);
    if (cut.characters)
        canvas->surface->text(canvas, x, y, size, colour, text, cut.characters);
    canvas->surface->text(canvas, x + (shown - 1) * advance, y, size, colour, "\xe2\x80\xa6", 1);
    return shown * advance;
}

/* Returns whether a character, a Chinese mark of punctuation, may not begin a line. */
static bool is_closing(uint32_t code)
{
    return code == 0x3001 || code == 0x3002 || code == 0x201d || code == 0xff09 || code == 0xff0c ||
           code == 0xff1a || code == 0xff1b || code == 0xff1f;
}

/*
 * Returns how many characters of `text` go on a line of `room` columns. *bytes: offset of the next
 * line. A number and its % stay together.
 */
static int break_line(const char *text, int room, size_t *bytes)
{
    const char *at = text;
    const char *good = NULL;
    int count = 0;
    int columns = 0;
    int good_count = 0;
    while (*at && *at != '\n') {
        const char *next = at;
        const uint32_t code = font_next(&next);
        const int wide = font_columns(code);
        if ((*at == ' ' && at[1] != '%') || (wide == 2 && !is_closing(code))) {
            good = at;
            good_count = count;
        }
        if (columns + wide > room && count) {
            const char *end = good ? good : at;
            *bytes = (size_t)(end - text) + (*end == ' ' ? 1 : 0);
            return good ? good_count : count;
        }
        at = next;
        columns += wide;
        count++;
    }
    *bytes = (size_t)(at - text) + (*at == '\n' ? 1 : 0);
    return count;
}

int canvas_paragraph(struct canvas *canvas, struct rect rect, enum text_size size, uint32_t colour,
                     const char *text, bool draw)
{
    int room = larger(1, rect.w / canvas->metrics.advance[size]);
    int y = rect.y;
    while (*text) {
        size_t bytes = 0;
        int count = break_line(text, room, &bytes);
        if (draw && count && canvas->clip.h > 0)
            canvas->surface->text(canvas, rect.x, y, size, colour, text, count);
        text += bytes;
        y += canvas->metrics.line[size];
    }
    return y - rect.y;
}

/* Returns the relative luminance of an sRGB colour, as WCAG 2.1 defines it. */
static double luminance(uint32_t colour)
{
    double sum = 0;
    static const double weight[3] = {0.0722, 0.7152, 0.2126};
    for (int i = 0; i < 3; i++) {
        double part = (colour >> (8 * i) & 255) / 255.0;
        sum += weight[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/*
 * The luminance l at which black and white have the same contrast, as (l + 0.05) / 0.05 = 1.05 / (l
 * + 0.05).
 */
#define LUMINANCE_BETWEEN 0.17913

uint32_t colour_on(uint32_t ground)
{
    return luminance(ground) > LUMINANCE_BETWEEN ? 0x000000 : 0xffffff;
}

uint32_t colour_mix(uint32_t a, uint32_t b, int percent_b)
{
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int from = (int)(a >> shift & 255);
        int to = (int)(b >> shift & 255);
        mixed |= (uint32_t)(from + (to - from) * percent_b / 100) << shift;
    }
    return mixed;
}

struct rect rect_cut_top(struct rect *rect, int h)
{
    struct rect cut = *rect;
    cut.h = smaller(larger(h, 0), rect->h);
    rect->y += cut.h;
    rect->h -= cut.h;
    return cut;
}

struct rect rect_cut_bottom(struct rect *rect, int h)
{
    struct rect cut = *rect;
    cut.h = smaller(larger(h, 0), rect->h);
    rect->h -= cut.h;
    cut.y = rect->y + rect->h;
    return cut;
}

struct rect rect_cut_left(struct rect *rect, int w)
{
    struct rect cut = *rect;
    cut.w = smaller(larger(w, 0), rect->w);
    rect->x += cut.w;
    rect->w -= cut.w;
    return cut;
}

struct rect rect_cut_right(struct rect *rect, int w)
{
    struct rect cut = *rect;
    cut.w = smaller(larger(w, 0), rect->w);
    rect->w -= cut.w;
    cut.x = rect->x + rect->w;
    return cut;
}

struct rect rect_inset(struct rect rect, int by)
{
    rect.x += by;
    rect.y += by;
    rect.w = larger(0, rect.w - 2 * by);
    rect.h = larger(0, rect.h - 2 * by);
    return rect;
}

bool rect_has(struct rect rect, int x, int y)
{
    return x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h;
}
