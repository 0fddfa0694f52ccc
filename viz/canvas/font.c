/* The font: glyphs from an outline font or from the strokes in font.def; decodes UTF-8. */
#include "canvas/font.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "canvas/outline.h"

struct glyph {
    uint32_t code;
    const char *lines;
};

struct font_more {
    struct font_more *next;
    uint32_t code;
    uint8_t cell[];
};

/* ascending by code point */
static const struct glyph glyphs[] = {
#define GLYPH(code_, lines_) {.code = (code_), .lines = (lines_)},
#include "canvas/font.def"
#undef GLYPH
};

enum {
    GLYPHS = sizeof glyphs / sizeof glyphs[0],
    UNKNOWN = GLYPHS - 1,
    GRID_TOP = 9,
    GRID_BOTTOM = -2,
    MOST_POINTS = 24,
    ROUND_STEPS = 5, /* pieces of a rounded corner */
    SHADES = 5       /* of an edge; with so few shades most pictures fit into a palette */
};

/*
 * The pixels of a font cell on which the glyphs' grid lies. Coordinates are the centres of pixels,
 * so lines are sharp.
 */
struct font_grid {
    double x[6];                          /* of grid columns -1 to 4, from index 0 on */
    double y[GRID_TOP - GRID_BOTTOM + 1]; /* of grid rows, from GRID_BOTTOM on; downwards */
    double half;                          /* half the width of a line, in pixels */
};

struct font_point {
    double x, y;
    bool rounded;
};

static struct font_grid grid_of(const struct font *font, int width)
{
    struct font_grid grid = {.half = width / 32.0};
    double side =
        font->w >= 9 ? 1.5 : 1; /* empty pixels at the left and right together, at least */
    double stretch = (font->w - 1 - side) / 4.0;
    for (int i = 0; i < 6; i++)
        grid.x[i] = floor(side / 2 + (i - 1) * stretch + 0.5) + 0.5;
    double rise = (font->h - 3) / 12.0;
    int base = font->h - 1 - (int)floor(3 * rise + 0.5);
    for (int i = 0; i <= GRID_TOP - GRID_BOTTOM; i++)
        grid.y[i] = base - floor((i + GRID_BOTTOM) * rise + 0.5) + 0.5;
    return grid;
}

/* Interpolates in a table of `count` values at a fractional index. */
static double between(const double *at, int count, double index)
{
    int whole = (int)floor(index);
    if (whole < 0)
        whole = 0;
    if (whole > count - 2)
        whole = count - 2;
    return at[whole] + (at[whole + 1] - at[whole]) * (index - whole);
}

/* Returns the distance of point (x, y) from the segment a to b. */
static double to_segment(double x, double y, struct font_point a, struct font_point b)
{
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double ex = a.x + t * dx - x;
    double ey = a.y + t * dy - y;
    return sqrt(ex * ex + ey * ey);
}

/* Covers the pixels near the line from a to b. A pixel that has more coverage keeps it. */
static void stroke(uint8_t *cell, const struct font *font, struct font_point a, struct font_point b,
                   double half)
{
    for (int y = 0; y < font->h; y++) {
        for (int x = 0; x < font->w; x++) {
            double cover = half + 0.5 - to_segment(x + 0.5, y + 0.5, a, b);
            cover = cover < 0 ? 0 : cover > 1 ? 1 : cover;
            uint8_t value = (uint8_t)((int)(cover * SHADES + 0.5) * (255 / SHADES));
            uint8_t *at = &cell[y * font->w + x];
            *at = value > *at ? value : *at;
        }
    }
}

static double distance_of(struct font_point from, struct font_point to)
{
    double dx = to.x - from.x, dy = to.y - from.y;
    return sqrt(dx * dx + dy * dy); /* hypot() would need glibc 2.35 */
}

static struct font_point towards(struct font_point from, struct font_point to, double distance)
{
    double length = distance_of(from, to);
    double t = length > 0 ? distance / length : 0;
    return (struct font_point){.x = from.x + (to.x - from.x) * t,
                               .y = from.y + (to.y - from.y) * t};
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Draws a quadratic curve round the corner at `at`. Returns the end of the curve. */
static struct font_point corner(uint8_t *cell, const struct font *font, struct font_point pen,
                                struct font_point at, struct font_point next, double half)
{
    double before = distance_of(pen, at);
    double after = distance_of(at, next);
    double radius = least(least(before, after / 2), font->w * 0.32);
    struct font_point from = towards(at, pen, radius);
    struct font_point to = towards(at, next, radius);
    stroke(cell, font, pen, from, half);
    pen = from;
    for (int i = 1; i <= ROUND_STEPS; i++) {
        double t = (double)i / ROUND_STEPS;
        double u = 1 - t;
        struct font_point p = {.x = u * u * from.x + 2 * u * t * at.x + t * t * to.x,
                               .y = u * u * from.y + 2 * u * t * at.y + t * t * to.y};
        stroke(cell, font, pen, p, half);
        pen = p;
    }
    return pen;
}

static void draw_line(uint8_t *cell, const struct font *font, const struct font_point *point,
                      int count, bool closed, double half)
{
    struct font_point pen = point[0];
    if (closed) {
        pen.x = (point[0].x + point[count - 1].x) / 2;
        pen.y = (point[0].y + point[count - 1].y) / 2;
    }
    struct font_point begin = pen;
    for (int i = closed ? 0 : 1; i < count; i++) {
        bool last = i == count - 1;
        if (point[i].rounded && (closed || !last)) {
            pen = corner(cell, font, pen, point[i], last ? begin : point[i + 1], half);
        } else {
            stroke(cell, font, pen, point[i], half);
            pen = point[i];
        }
    }
    if (closed)
        stroke(cell, font, pen, begin, half);
    else if (count == 1)
        stroke(cell, font, pen, pen, half);
}

/* Draws one line of a glyph's strokes. Returns the text behind it. */
static const char *line(uint8_t *cell, const struct font *font, const struct font_grid *grid,
                        const char *text)
{
    struct font_point points[MOST_POINTS];
    int count = 0;
    bool closed = false;
    double half = grid->half;
    for (; *text && *text != '/'; text += strspn(text, " ")) {
        if (*text == 'z') {
            closed = true;
            text++;
            continue;
        }
        SIMSM_CHECK(count < MOST_POINTS, "more than %d points before '%s'", MOST_POINTS, text);
        char *end = NULL;
        double x = strtod(text, &end);
        double y = strtod(end + 1, &end);
        struct font_point *point = &points[count++];
        point->x = between(grid->x, 6, x + 1);
        point->y = between(grid->y, GRID_TOP - GRID_BOTTOM + 1, y - GRID_BOTTOM);
        point->rounded = *end == 'r';
        if (*end == '.')
            half = grid->half * 1.35;
        text = end + strspn(end, "r.");
    }
    if (count)
        draw_line(cell, font, points, count, closed, half);
    return *text == '/' ? text + 1 + strspn(text + 1, " ") : text;
}

int font_create(struct font *font, int advance, int height, int width)
{
    *font = (struct font){.w = advance, .h = height};
    size_t size = (size_t)advance * (size_t)height;
    font->cells = calloc(GLYPHS, size);
    if (!font->cells)
        return 0;
    struct font_grid grid = grid_of(font, width);
    for (size_t i = 0; i < GLYPHS; i++)
        if (!outline_draw(glyphs[i].code, 1, advance, height, font->cells + i * size))
            for (const char *text = glyphs[i].lines; *text;)
                text = line(font->cells + i * size, font, &grid, text);
    return 1;
}

void font_free(struct font *font)
{
    for (struct font_more *more = font->more, *next; more; more = next) {
        next = more->next;
        free(more);
    }
    free(font->cells);
    *font = (struct font){0};
}

int font_columns(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
                {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x20000, 0x3fffd}};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (code >= wide[i].first && code <= wide[i].last)
            return 2;
    return 1;
}

static size_t find(uint32_t code)
{
    if (code >= ' ' && code <= '~')
        return code - ' ';
    for (size_t i = '~' - ' ' + 1; i < GLYPHS; i++)
        if (glyphs[i].code == code)
            return i;
    return UNKNOWN;
}

/* Copies the box of an unknown character into the middle of a cell of `columns` columns. */
static void draw_unknown(const struct font *font, int columns, uint8_t *cell)
{
    const uint8_t *box = font->cells + (size_t)UNKNOWN * (size_t)font->w * (size_t)font->h;
    const int left = (columns - 1) * font->w / 2;
    for (int y = 0; y < font->h; y++)
        memcpy(cell + y * columns * font->w + left, box + y * font->w, (size_t)font->w);
}

/* Draws a character that is not among `glyphs`. Returns NULL if memory runs out. */
static const struct font_more *draw_more(struct font *font, uint32_t code)
{
    const int columns = font_columns(code);
    struct font_more *more =
        calloc(1, sizeof *more + (size_t)columns * (size_t)font->w * (size_t)font->h);
    if (!more)
        return NULL;
    more->code = code;
    more->next = font->more;
    font->more = more;
    if (!outline_draw(code, columns, columns * font->w, font->h, more->cell))
        draw_unknown(font, columns, more->cell);
    return more;
}

const uint8_t *font_cell(struct font *font, uint32_t code)
{
    const size_t size = (size_t)font->w * (size_t)font->h;
    const size_t at = find(code);
    if (at != UNKNOWN || code == glyphs[UNKNOWN].code)
        return font->cells + at * size;
    const struct font_more *more = font->more;
    while (more && more->code != code)
        more = more->next;
    more = more ? more : draw_more(font, code);
    return more ? more->cell : NULL;
}

/*
 * Returns whether a code point is valid: encoded in the shortest form, no half of a UTF-16 pair,
 * and allowed in XML.
 */
static bool is_character(uint32_t code, int more)
{
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    return code >= smallest[more] && code <= 0x10ffff && (code & 0xfff800) != 0xd800 &&
           code != 0xfffe && code != 0xffff;
}

uint32_t font_next(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    if (!*at)
        return 0;
    static const struct {
        unsigned char mask, mark;
        int more;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 1}, {0xf0, 0xe0, 2}, {0xf8, 0xf0, 3}};
    for (int form = 0; form < 4; form++) {
        if ((*at & forms[form].mask) != forms[form].mark)
            continue;
        uint32_t code = *at & (unsigned char)~forms[form].mask;
        int i = 1;
        for (; i <= forms[form].more && (at[i] & 0xc0) == 0x80; i++)
            code = code << 6 | (at[i] & 0x3fu);
        *text += i;
        return i > forms[form].more && is_character(code, forms[form].more) ? code : 0xfffd;
    }
    *text += 1;
    return 0xfffd;
}
