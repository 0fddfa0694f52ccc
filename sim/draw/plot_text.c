#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/label.h"
#include "draw/plot.h"
#include "draw/scale.h"

enum { MAX_COLUMNS = 256, MAX_ROWS = 96, BRAILLE = 1, MARK = 2 };

/*
 * The inside of the axes. A cell is empty, holds braille dots (2 x 4, drawn for a single series), a
 * letter or star of a series, or the mark.
 */
struct text_canvas {
    unsigned columns, rows, dots_x, dots_y; /* dots per cell */
    unsigned char dots[MAX_ROWS][MAX_COLUMNS];
    char glyph[MAX_ROWS][MAX_COLUMNS];
};

static void set_dot(struct text_canvas *c, unsigned x, unsigned y, char glyph)
{
    static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    unsigned row = y / c->dots_y, column = x / c->dots_x;
    c->dots[row][column] |= bit[y % c->dots_y][x % c->dots_x];
    c->glyph[row][column] = glyph;
}

/* Draws a straight line between two dots, both included. */
static void draw_line(struct text_canvas *c, long x0, long y0, long x1, long y1, char glyph)
{
    long dx = labs(x1 - x0), dy = labs(y1 - y0), steps = dx > dy ? dx : dy;
    for (long i = 0; i <= steps; i++) {
        long half = steps / 2, sign_x = x1 < x0 ? -1 : 1, sign_y = y1 < y0 ? -1 : 1;
        long x = steps ? x0 + sign_x * ((dx * i + half) / steps) : x0;
        long y = steps ? y0 + sign_y * ((dy * i + half) / steps) : y0;
        set_dot(c, (unsigned)x, (unsigned)y, glyph);
    }
}

static long dot_x(const struct text_canvas *c, const struct scale *x, double value)
{
    return lround(scale_at(x, value) * (c->columns * c->dots_x - 1));
}

static long dot_y(const struct text_canvas *c, const struct scale *y, double value)
{
    return lround((1 - scale_at(y, value)) * (c->rows * c->dots_y - 1));
}

static void draw_series(struct text_canvas *c, const struct plot *plot, const struct plot_series *s,
                        const struct scale *x, const struct scale *y, char glyph)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i]))
            continue;
        long x0 = dot_x(c, x, s->x[i]), y0 = dot_y(c, y, s->y[i]);
        set_dot(c, (unsigned)x0, (unsigned)y0, glyph);
        if (i + 1 == s->count || !isfinite(s->y[i + 1]) || !isfinite(s->x[i + 1]))
            continue;
        long x1 = dot_x(c, x, s->x[i + 1]), y1 = dot_y(c, y, s->y[i + 1]);
        if (plot->step) {
            draw_line(c, x0, y0, x1, y0, glyph);
            draw_line(c, x1, y0, x1, y1, glyph);
        } else {
            draw_line(c, x0, y0, x1, y1, glyph);
        }
    }
}

/* Draws the points of a series over its line. */
static void draw_points(struct text_canvas *c, const struct plot_series *s, const struct scale *x,
                        const struct scale *y, char glyph)
{
    for (size_t i = 0; i < s->count; i++) {
        if (isfinite(s->x[i]) && isfinite(s->y[i]))
            c->glyph[dot_y(c, y, s->y[i]) / c->dots_y][dot_x(c, x, s->x[i]) / c->dots_x] = glyph;
    }
}

static void fill(struct text_canvas *c, const struct plot *plot, const struct scale *x,
                 const struct scale *y, bool ascii)
{
    bool single = plot->series_count == 1;
    for (size_t s = 0; s < plot->series_count; s++) {
        char line = single ? (ascii ? '*' : (char)BRAILLE) : (char)('a' + s % 26);
        draw_series(c, plot, &plot->series[s], x, y, line);
        if (plot->dots && single)
            draw_points(c, &plot->series[s], x, y, 'o');
    }
    if (plot->marked && isfinite(plot->mark_x) && isfinite(plot->mark_y))
        c->glyph[dot_y(c, y, plot->mark_y) / c->dots_y][dot_x(c, x, plot->mark_x) / c->dots_x] =
            MARK;
}

static void put_cell(FILE *file, unsigned char dots, char glyph, bool ascii)
{
    if (glyph == MARK)
        (void)fputs(ascii ? "X" : "◆", file);
    else if (glyph == BRAILLE) /* U+2800 + dots */
        (void)fprintf(file, "\xe2%c%c", 0xa0 + (dots >> 6), 0x80 + (dots & 0x3f));
    else
        (void)fputc(glyph ? glyph : ' ', file);
}

static void put_row(FILE *file, const struct text_canvas *c, unsigned row, bool ascii)
{
    unsigned end = c->columns;
    while (end && !c->glyph[row][end - 1])
        end--;
    for (unsigned column = 0; column < end; column++)
        put_cell(file, c->dots[row][column], c->glyph[row][column], ascii);
    (void)fputc('\n', file);
}

/* Returns the index of the tick whose label stands in this row, or -1. */
static int tick_of_row(const struct text_canvas *c, const struct scale *y, unsigned row)
{
    for (unsigned i = 0; i < y->ticks; i++) {
        if ((unsigned)dot_y(c, y, y->first + i * y->tick) / c->dots_y == row)
            return (int)i;
    }
    return -1;
}

static void put_rows(FILE *file, const struct text_canvas *c, const struct scale *y,
                     unsigned margin, bool ascii)
{
    char text[32];
    for (unsigned row = 0; row < c->rows; row++) {
        int tick = tick_of_row(c, y, row);
        text[0] = '\0';
        if (tick >= 0)
            (void)label_number(y->first + tick * y->tick, text, sizeof text);
        (void)fprintf(file, "%*s ", (int)margin, text);
        (void)fputs(ascii ? (tick >= 0 ? "+" : "|") : (tick >= 0 ? "┤" : "│"), file);
        put_row(file, c, row, ascii);
    }
}

static void put_x_axis(FILE *file, const struct text_canvas *c, const struct scale *x,
                       unsigned margin, bool ascii)
{
    char line[MAX_COLUMNS + 64], text[32];
    bool tick[MAX_COLUMNS] = {false};
    memset(line, ' ', sizeof line);
    size_t end = 0;
    for (unsigned i = 0; i < x->ticks; i++) {
        double value = x->first + i * x->tick;
        size_t at = (size_t)dot_x(c, x, value) / c->dots_x;
        tick[at] = true;
        size_t length = strlen(label_number(value, text, sizeof text));
        size_t from = at + 1 >= (length + 1) / 2 ? at + 1 - (length + 1) / 2 : 0;
        if (end && from <= end)
            continue; /* no room for this label */
        memcpy(line + from, text, length);
        end = from + length;
    }
    (void)fprintf(file, "%*s %s", (int)margin, "", ascii ? "+" : "└");
    for (unsigned i = 0; i < c->columns; i++)
        (void)fputs(ascii ? (tick[i] ? "+" : "-") : (tick[i] ? "┬" : "─"), file);
    (void)fprintf(file, "\n%*s  %.*s\n", (int)margin, "", (int)end, line);
}

static void put_legend(FILE *file, const struct plot *plot, unsigned margin, bool ascii)
{
    for (size_t s = 0; plot->series_count > 1 && s < plot->series_count; s++) {
        if (!plot->series[s].label)
            continue;
        (void)fprintf(file, "%*s  %c = ", (int)margin, "", (char)('a' + s % 26));
        label_pad(file, plot->series[s].label, label_width(plot->series[s].label));
        (void)fputc('\n', file);
    }
    if (plot->marked && plot->mark_label) {
        (void)fprintf(file, "%*s  %s = ", (int)margin, "", ascii ? "X" : "◆");
        label_pad(file, plot->mark_label, label_width(plot->mark_label));
        (void)fputc('\n', file);
    }
}

static void put_line(FILE *file, const char *text, unsigned indent, unsigned width)
{
    (void)fprintf(file, "%*s", (int)indent, "");
    unsigned length = label_width(text);
    label_pad(file, text, length < width ? length : width);
    (void)fputc('\n', file);
}

/* Returns the number of lines outside of the canvas. */
static unsigned other_lines(const struct plot *plot)
{
    unsigned lines = 2; /* the x axis and its labels */
    lines += plot->title != NULL;
    lines += plot->y_label != NULL;
    lines += plot->x_label != NULL;
    for (size_t s = 0; plot->series_count > 1 && s < plot->series_count; s++)
        lines += plot->series[s].label != NULL;
    return lines + (plot->marked && plot->mark_label);
}

static unsigned tick_margin(const struct scale *y)
{
    char text[32];
    unsigned margin = 4;
    for (unsigned i = 0; i < y->ticks; i++) {
        unsigned width = label_width(label_number(y->first + i * y->tick, text, sizeof text));
        margin = width + 1 > margin ? width + 1 : margin;
    }
    return margin;
}

void plot_text(FILE *file, const struct plot *plot, struct plot_area area)
{
    if (area.width < 24 || area.height < 6)
        return;
    unsigned others = other_lines(plot);
    struct text_canvas canvas = {.dots_x = 1, .dots_y = 1};
    canvas.rows = area.height > others + 3 ? area.height - others : 3;
    canvas.rows = canvas.rows < MAX_ROWS ? canvas.rows : MAX_ROWS;
    struct scale y = scale_y(plot, canvas.rows / 2);
    unsigned margin = tick_margin(&y);
    canvas.columns = area.width > margin + 10 ? area.width - margin - 2 : 8;
    canvas.columns = canvas.columns < MAX_COLUMNS ? canvas.columns : MAX_COLUMNS;
    struct scale x = scale_x(plot, canvas.columns / 8);
    if (plot->series_count == 1 && !area.ascii) {
        canvas.dots_x = 2;
        canvas.dots_y = 4;
    }
    fill(&canvas, plot, &x, &y, area.ascii);
    if (plot->title)
        put_line(file, plot->title, 0, area.width);
    if (plot->y_label)
        put_line(file, plot->y_label, 2, area.width - 2);
    put_rows(file, &canvas, &y, margin, area.ascii);
    put_x_axis(file, &canvas, &x, margin, area.ascii);
    if (plot->x_label) {
        unsigned length = label_width(plot->x_label);
        unsigned centre = canvas.columns > length ? (canvas.columns - length) / 2 : 0;
        put_line(file, plot->x_label, margin + 2 + centre, canvas.columns);
    }
    put_legend(file, plot, margin, area.ascii);
}
