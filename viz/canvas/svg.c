/* The SVG surface: writes elements into memory. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "canvas/surface.h"

enum {
    PATTERNS = 16
}; /* patterns of a texture that are remembered; a colour that is not remembered is defined again */

struct svg {
    FILE *file; /* writes into `text` */
    char *text;
    size_t size;
    struct rect last; /* the last rectangle: not written yet, as an equal neighbour may extend it */
    uint32_t last_colour;
    uint8_t last_alpha;
    struct rect clip; /* clip of the open group; w = -1: none is open */
    int clips;
    uint32_t hatches[HATCH_COUNT][PATTERNS]; /* colours of the latest patterns */
    int hatch_count[HATCH_COUNT];            /* number of patterns of each texture */
};

struct svg *svg_create(void)
{
    struct svg *svg = calloc(1, sizeof *svg);
    if (svg)
        svg->clip.w = -1;
    return svg;
}

static void close_file(struct svg *svg)
{
    if (svg->file)
        fclose(svg->file);
    free(svg->text);
    svg->file = NULL;
    svg->text = NULL;
}

void svg_destroy(struct svg *svg)
{
    if (svg)
        close_file(svg);
    free(svg);
}

static void clear(struct canvas *canvas)
{
    struct svg *svg = canvas->svg;
    close_file(svg);
    memset(svg, 0, sizeof *svg);
    svg->clip.w = -1;
    svg->file = open_memstream(&svg->text, &svg->size);
}

static void write_fill(FILE *file, uint32_t colour, uint8_t alpha)
{
    fprintf(file, " fill=\"#%06x\"", (unsigned)colour);
    if (alpha != 255)
        fprintf(file, " fill-opacity=\"%.3g\"", alpha / 255.0);
}

static void close_group(struct svg *svg)
{
    if (svg->clip.w >= 0 && svg->file)
        fputs("</g>\n", svg->file);
    svg->clip.w = -1;
}

/*
 * Closes a group that is smaller than a rectangle. Rectangles are already clipped and must not be
 * in a smaller group.
 */
static void leave_group_for(struct svg *svg, struct rect r)
{
    struct rect c = svg->clip;
    if (r.x < c.x || r.y < c.y || r.x + r.w > c.x + c.w || r.y + r.h > c.y + c.h)
        close_group(svg);
}

static void flush_rect(struct svg *svg)
{
    struct rect *r = &svg->last;
    if (!r->w || !svg->file)
        return;
    leave_group_for(svg, *r);
    fprintf(svg->file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", r->x, r->y, r->w,
            r->h);
    write_fill(svg->file, svg->last_colour, svg->last_alpha);
    fputs("/>\n", svg->file);
    r->w = 0;
}

/* Opens a group with the clip of the canvas, for elements that are not clipped. */
static void begin_clip(struct canvas *canvas)
{
    struct svg *svg = canvas->svg;
    struct rect c = canvas->clip;
    flush_rect(svg);
    if (memcmp(&svg->clip, &c, sizeof c) == 0 || !svg->file)
        return;
    close_group(svg);
    fprintf(svg->file,
            "<clipPath id=\"c%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n"
            "<g clip-path=\"url(#c%d)\">\n",
            svg->clips, c.x, c.y, c.w, c.h, svg->clips);
    svg->clips++;
    svg->clip = c;
}

static void fill(struct canvas *canvas, struct rect rect, uint32_t colour, uint8_t alpha)
{
    struct svg *svg = canvas->svg;
    struct rect *last = &svg->last;
    bool same = last->w && colour == svg->last_colour && alpha == svg->last_alpha;
    if (same && rect.y == last->y && rect.h == last->h && rect.x == last->x + last->w) {
        last->w += rect.w;
        return;
    }
    if (same && rect.x == last->x && rect.w == last->w && rect.y == last->y + last->h) {
        last->h += rect.h;
        return;
    }
    flush_rect(svg);
    *last = rect;
    svg->last_colour = colour;
    svg->last_alpha = alpha;
}

static bool same_bands(const struct canvas_band *a, const struct canvas_band *b, int most, int foot)
{
    for (int i = 0; i < most; i++) {
        if (a[i].end != b[i].end || a[i].colour != b[i].colour)
            return false;
        if (a[i].end >= foot)
            return true;
    }
    return true;
}

/* Draws neighbouring columns with the same bands as one rectangle. */
static void columns(struct canvas *canvas, struct rect rect, struct rect seen,
                    const struct canvas_band *bands, int most)
{
    int end = seen.x + seen.w - rect.x;
    for (int i = seen.x - rect.x, next; i < end; i = next) {
        const struct canvas_band *band = bands + (size_t)i * (size_t)most;
        for (next = i + 1; next < end; next++)
            if (!same_bands(band, bands + (size_t)next * (size_t)most, most, rect.h))
                break;
        for (int k = 0, top = 0; k < most && top < rect.h; k++) {
            int foot = band[k].end < rect.h ? band[k].end : rect.h;
            if (foot > top && band[k].colour != CANVAS_KEEP)
                canvas_fill(canvas, (struct rect){rect.x + i, rect.y + top, next - i, foot - top},
                            band[k].colour);
            top = foot > top ? foot : top;
        }
    }
}

/* Paths of one period of each texture, with the same lines as in_hatch in pixels.c. */
static const struct {
    int step;
    const char *path;
} patterns[HATCH_COUNT] = {
    [HATCH_DIAGONAL] = {6, "M-1,1 L1,-1 M0,6 L6,0 M5,7 L7,5"},
    [HATCH_DOTS] = {3, "M0,0.5 L1,0.5"},
    [HATCH_VERTICAL] = {4, "M0.5,0 L0.5,4"},
    [HATCH_CHEVRON] = {6, "M6,0 L3,3 L6,6 M3,0 L0,3 L3,6"},
    [HATCH_CROSS] = {6, "M0,0 L6,6 M0,6 L6,0"},
};

static int define_hatch(struct canvas *canvas, enum canvas_hatch hatch, uint32_t colour)
{
    struct svg *svg = canvas->svg;
    int *count = &svg->hatch_count[hatch];
    for (int i = *count - 1; i >= 0 && i >= *count - PATTERNS; i--)
        if (svg->hatches[hatch][i % PATTERNS] == colour)
            return i;
    svg->hatches[hatch][*count % PATTERNS] = colour;
    int px = canvas->metrics.px;
    int step = patterns[hatch].step;
    fprintf(svg->file,
            "<pattern id=\"h%d-%d\" width=\"%d\" height=\"%d\" patternUnits=\"userSpaceOnUse\">"
            "<path d=\"%s\" transform=\"scale(%d)\" stroke=\"#%06x\" fill=\"none\"/></pattern>\n",
            (int)hatch, *count, step * px, step * px, patterns[hatch].path, px, (unsigned)colour);
    return (*count)++;
}

static void hatch_fill(struct canvas *canvas, struct rect r, enum canvas_hatch hatch,
                       uint32_t colour)
{
    struct svg *svg = canvas->svg;
    flush_rect(svg);
    if (!svg->file)
        return;
    leave_group_for(svg, r);
    int id = define_hatch(canvas, hatch, colour);
    fprintf(svg->file,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"url(#h%d-%d)\"/>\n", r.x,
            r.y, r.w, r.h, (int)hatch, id);
}

static void write_points(FILE *file, const int *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%.6g,%.6g", i ? " " : "", points[2 * i] / 16.0, points[2 * i + 1] / 16.0);
}

static void polyline(struct canvas *canvas, const int *points, size_t count, int width,
                     uint32_t colour)
{
    begin_clip(canvas);
    FILE *file = canvas->svg->file;
    if (!file)
        return;
    fputs("<polyline fill=\"none\" points=\"", file);
    write_points(file, points, count);
    fprintf(file, "\" stroke=\"#%06x\" stroke-width=\"%.4g\"/>\n", (unsigned)colour, width / 16.0);
}

static void polygon(struct canvas *canvas, const int *points, size_t count, uint32_t colour)
{
    begin_clip(canvas);
    FILE *file = canvas->svg->file;
    if (!file)
        return;
    fputs("<polygon points=\"", file);
    write_points(file, points, count);
    fprintf(file, "\" fill=\"#%06x\"/>\n", (unsigned)colour);
}

static void text_run(struct canvas *canvas, int x, int y, enum text_size size, uint32_t colour,
                     const char *text, int characters)
{
    begin_clip(canvas);
    FILE *file = canvas->svg->file;
    if (!file)
        return;
    int advance = canvas->metrics.advance[size];
    int columns = 0;
    const char *rest = text;
    for (int i = 0; i < characters; i++)
        columns += font_columns(font_next(&rest));
    int line = canvas->metrics.line[size];
    fprintf(file, "<text x=\"%d\" y=\"%d\" font-size=\"%.4g\" textLength=\"%d\" fill=\"#%06x\">", x,
            y + line * 3 / 4, advance * 1.66, columns * advance, (unsigned)colour);
    for (int i = 0; i < characters; i++) {
        const char *begin = text;
        uint32_t code = font_next(&text);
        if (code == '<')
            fputs("&lt;", file);
        else if (code == '>')
            fputs("&gt;", file);
        else if (code == '&')
            fputs("&amp;", file);
        else if (code == 0xfffd || code < ' ')
            fputs("?", file);
        else
            fwrite(begin, 1, (size_t)(text - begin), file);
    }
    fputs("</text>\n", file);
}

enum simsm_status canvas_write_svg(const struct canvas *canvas, FILE *file,
                                   struct simsm_error *error)
{
    struct svg *svg = canvas->svg;
    flush_rect(svg);
    close_group(svg);
    if (!svg->file || fflush(svg->file) || ferror(svg->file))
        return err_no_memory(error);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono, Consolas, Menlo, monospace\" "
            "xml:space=\"preserve\" shape-rendering=\"crispEdges\">\n",
            canvas->w, canvas->h, canvas->w, canvas->h);
    fwrite(svg->text, 1, svg->size, file);
    fputs("</svg>\n", file);
    return SIMSM_OK;
}

const struct surface surface_svg = {
    .fill = fill,
    .columns = columns,
    .hatch = hatch_fill,
    .polyline = polyline,
    .polygon = polygon,
    .text = text_run,
    .clear = clear,
};
