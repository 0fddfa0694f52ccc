#include "view/roofline_chart.h"

#include <math.h>

#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"

enum { MOST_LABELS = 48, CORNERS = 16, TRIES = 12 };

/* Values on the axes are logarithms to base 10. */
struct roofline_plot {
    struct canvas *canvas;
    const struct theme *theme;
    const struct roofline *roofline;
    struct rect plot;
    struct chart_axis x, y;
    struct rect taken[MOST_LABELS]; /* by labels and dots */
    unsigned taken_count;
};

static uint32_t level_colour(const struct roofline_plot *p, unsigned level)
{
    return p->theme->series[ROOFLINE_LEVELS - 1 - level];
}

/* Returns the highest of the peaks that are known. */
static double highest_peak(const struct roofline *roofline)
{
    double most = 0;
    for (unsigned t = 0; t < FLOP_TYPES; t++)
        most = fmax(most, roofline->type[t].peak);
    return most;
}

/* Chooses whole decades that hold all points and the corners of all roofs. */
static void find_axes(struct roofline_plot *p)
{
    const struct roofline *r = p->roofline;
    const double top = highest_peak(r);
    double left = INFINITY, right = 0, low = top;
    for (unsigned l = 0; l < ROOFLINE_LEVELS; l++) {
        left = fmin(left, top / r->level[l].bandwidth / 30);
        right = fmax(right, 3 * top / r->level[l].bandwidth);
    }
    for (unsigned t = 0; t < FLOP_TYPES; t++) {
        if (r->type[t].flop == 0)
            continue;
        low = fmin(low, r->type[t].rate / 2);
        for (unsigned l = 0; l < ROOFLINE_LEVELS; l++) {
            const double at = roofline_at(r, (enum flop_type)t, (enum roofline_level)l).intensity;
            left = fmin(left, at / 2);
            right = isinf(at) ? right : fmax(right, 2 * at);
        }
    }
    low = fmin(low, top / 1000);
    p->x = (struct chart_axis){floor(log10(left)), ceil(log10(right)), p->plot.x, p->plot.w};
    p->y =
        (struct chart_axis){floor(log10(low)), log10(top * 2.5), p->plot.y + p->plot.h, -p->plot.h};
}

/* Writes 10 to the power `decade` without digits after the point, "100 G". Returns `text`. */
static const char *decade_text(double decade, char text[16])
{
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    if (decade < 0) {
        (void)snprintf(text, 16, "%g", pow(10, decade));
        return text;
    }
    const unsigned unit = (unsigned)fmin(floor(decade / 3), 5);
    (void)snprintf(text, 16, "%.0f%s", pow(10, decade - 3 * unit), units[unit]);
    return text;
}

static void draw_axes(const struct roofline_plot *p)
{
    const struct metrics *m = canvas_metrics(p->canvas);
    const int line = m->line[TEXT_SMALL];
    char text[16];
    for (double d = p->x.low; d <= p->x.high + 1e-9; d++) {
        const int x = (int)lround(axis_place(&p->x, d));
        canvas_fill(p->canvas, (struct rect){x, p->plot.y, m->px, p->plot.h}, p->theme->line);
        canvas_text_in(
            p->canvas,
            (struct rect){x - 40 * m->px, p->plot.y + p->plot.h + m->pad / 2, 80 * m->px, line},
            TEXT_SMALL, ALIGN_CENTRE, p->theme->quiet, decade_text(d, text));
    }
    for (double d = p->y.low; d <= p->y.high; d++) {
        const int y = (int)lround(axis_place(&p->y, d));
        canvas_fill(p->canvas, (struct rect){p->plot.x, y, p->plot.w, m->px}, p->theme->line);
        canvas_text_in(p->canvas,
                       (struct rect){p->plot.x - 80 * m->px, y - line / 2, 76 * m->px, line},
                       TEXT_SMALL, ALIGN_RIGHT, p->theme->quiet, decade_text(d + 9, text));
    }
}

static void draw_line(const struct roofline_plot *p, double x0, double y0, double x1, double y1,
                      uint32_t colour)
{
    const int points[] = {
        (int)lround(16 * axis_place(&p->x, x0)), (int)lround(16 * axis_place(&p->y, y0)),
        (int)lround(16 * axis_place(&p->x, x1)), (int)lround(16 * axis_place(&p->y, y1))};
    canvas_polyline(p->canvas, points, 2, 24 * canvas_metrics(p->canvas)->px, colour);
}

static bool overlap(struct rect a, struct rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool is_free(const struct roofline_plot *p, struct rect rect)
{
    bool free = rect.x >= p->plot.x && rect.x + rect.w <= p->plot.x + p->plot.w &&
                rect.y >= p->plot.y && rect.y + rect.h <= p->plot.y + p->plot.h;
    for (unsigned i = 0; i < p->taken_count; i++)
        free = free && !overlap(rect, p->taken[i]);
    return free;
}

static void take(struct roofline_plot *p, struct rect rect)
{
    if (p->taken_count < MOST_LABELS)
        p->taken[p->taken_count++] = rect;
}

/* Draws a text at (x, y), or at the nearest free place above or below. Draws nothing if there is
 * none. */
static void draw_label(struct roofline_plot *p, int x, int y, uint32_t colour, const char *text)
{
    const struct metrics *m = canvas_metrics(p->canvas);
    struct rect rect = {x, y, text_width(m, TEXT_SMALL, text) + 2 * m->px, m->line[TEXT_SMALL]};
    if (rect.x + rect.w > p->plot.x + p->plot.w)
        rect.x = p->plot.x + p->plot.w - rect.w;
    for (int i = 0; i < TRIES; i++) {
        rect.y = y + (i % 2 ? 1 : -1) * (i + 1) / 2 * rect.h / 2;
        if (!is_free(p, rect))
            continue;
        canvas_fill(p->canvas, rect, p->theme->panel);
        canvas_text(p->canvas, rect.x + m->px, rect.y, TEXT_SMALL, colour, text);
        take(p, rect);
        return;
    }
}

static void draw_peaks(const struct roofline_plot *p)
{
    for (unsigned t = 0; t < FLOP_TYPES; t++) {
        const double peak = p->roofline->type[t].peak;
        double widest = 0;
        for (unsigned l = 0; l < ROOFLINE_LEVELS; l++)
            widest = fmax(widest, p->roofline->level[l].bandwidth);
        if (peak > 0)
            draw_line(p, fmax(p->x.low, log10(peak / widest)), log10(peak), p->x.high, log10(peak),
                      p->theme->text);
    }
}

static void label_peaks(struct roofline_plot *p)
{
    const struct metrics *m = canvas_metrics(p->canvas);
    for (unsigned t = 0; t < FLOP_TYPES; t++) {
        const double peak = p->roofline->type[t].peak;
        char text[64];
        if (peak <= 0)
            continue;
        (void)snprintf(text, sizeof text, "%s %sFLOP/s", flop_type_titles[t],
                       quantity_count(peak * 1e9).text);
        draw_label(p, p->plot.x + p->plot.w,
                   (int)axis_place(&p->y, log10(peak)) - m->line[TEXT_SMALL], p->theme->text, text);
    }
}

static void draw_bandwidths(const struct roofline_plot *p)
{
    const double top = log10(highest_peak(p->roofline));
    for (unsigned l = 0; l < ROOFLINE_LEVELS; l++) {
        const double bandwidth = log10(p->roofline->level[l].bandwidth);
        const double left = fmax(p->x.low, p->y.low - bandwidth);
        draw_line(p, left, left + bandwidth, top - bandwidth, top, level_colour(p, l));
    }
}

/* Labels the slopes at different heights, where they are apart. */
static void label_bandwidths(struct roofline_plot *p)
{
    const struct metrics *m = canvas_metrics(p->canvas);
    for (unsigned l = 0; l < ROOFLINE_LEVELS; l++) {
        const double bandwidth = log10(p->roofline->level[l].bandwidth);
        const double from = fmax(p->x.low, p->y.low - bandwidth) + bandwidth;
        const double at = from + (log10(highest_peak(p->roofline)) - from) * (l + 1) / 6;
        char text[64];
        (void)snprintf(text, sizeof text, "%s %sB/s", roofline_level_titles[l],
                       quantity_count(p->roofline->level[l].bandwidth * 1e9).text);
        draw_label(p, (int)axis_place(&p->x, at - bandwidth) + 6 * m->px,
                   (int)axis_place(&p->y, at) - m->line[TEXT_SMALL] / 3, level_colour(p, l), text);
    }
}

static void draw_dot(struct roofline_plot *p, int x, int y, uint32_t colour)
{
    int points[2 * CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        const double angle = i * 2 * 3.14159265358979 / CORNERS;
        const double radius = 16 * 5 * canvas_metrics(p->canvas)->px;
        points[2 * i] = 16 * x + (int)lround(radius * cos(angle));
        points[2 * i + 1] = 16 * y + (int)lround(radius * sin(angle));
    }
    const int size = 6 * canvas_metrics(p->canvas)->px;
    canvas_polygon(p->canvas, points, CORNERS, colour);
    take(p, (struct rect){x - size, y - size, 2 * size, 2 * size});
}

/* Draws a dot for each memory level, joined by a line, and the name of the type beside them. */
static void draw_type(struct roofline_plot *p, unsigned t)
{
    const struct metrics *m = canvas_metrics(p->canvas);
    const double rate = p->roofline->type[t].rate;
    const int y = (int)lround(axis_place(&p->y, log10(rate)));
    int first = p->plot.x + p->plot.w, last = 0;
    char text[80];
    for (unsigned l = 0; l < ROOFLINE_LEVELS; l++) {
        const double at =
            roofline_at(p->roofline, (enum flop_type)t, (enum roofline_level)l).intensity;
        if (isinf(at))
            continue;
        const int x = (int)lround(axis_place(&p->x, log10(at)));
        first = x < first ? x : first;
        last = x > last ? x : last;
    }
    if (first < last)
        canvas_fill(p->canvas, (struct rect){first, y, last - first, m->px}, p->theme->quiet);
    for (unsigned l = 0; l < ROOFLINE_LEVELS; l++) {
        const double at =
            roofline_at(p->roofline, (enum flop_type)t, (enum roofline_level)l).intensity;
        if (!isinf(at))
            draw_dot(p, (int)lround(axis_place(&p->x, log10(at))), y, level_colour(p, l));
    }
    (void)snprintf(text, sizeof text, "%s: %sFLOP/s", flop_type_titles[t],
                   quantity_count(rate * 1e9).text);
    if (last)
        draw_label(p, last + 8 * m->px, y - m->line[TEXT_SMALL] / 2, p->theme->text, text);
}

static void draw_legend(const struct roofline_plot *p, struct rect legend)
{
    const struct legend_entry entries[] = {
        {.colour = level_colour(p, ROOFLINE_DRAM), .text = _("per byte of DRAM")},
        {.colour = level_colour(p, ROOFLINE_L2), .text = _("of L2")},
        {.colour = level_colour(p, ROOFLINE_L1), .text = _("of L1 and shared memory")}};
    chart_legend(p->canvas, p->theme, legend, entries, sizeof entries / sizeof entries[0], true);
}

void roofline_chart(struct canvas *canvas, const struct theme *theme, struct rect area,
                    const struct roofline *roofline)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect inner = chart_panel(canvas, theme, area, _("How far from the roofs of the GPU?"),
                                    _("FLOP/s over FLOP per byte"));
    struct rect legend = rect_cut_bottom(&inner, m->line[TEXT_NORMAL]);
    rect_cut_left(&inner, chart_y_room(canvas));
    rect_cut_right(&inner, 3 * m->pad);
    rect_cut_bottom(&inner, m->line[TEXT_SMALL] + m->pad);
    struct roofline_plot p = {
        .canvas = canvas, .theme = theme, .roofline = roofline, .plot = inner};
    if (inner.w <= 0 || inner.h <= 0)
        return;
    find_axes(&p);
    draw_axes(&p);
    struct rect saved = canvas_clip(canvas, inner);
    draw_bandwidths(&p);
    draw_peaks(&p);
    for (unsigned t = 0; t < FLOP_TYPES; t++)
        if (roofline->type[t].flop > 0)
            draw_type(&p, t);
    label_bandwidths(&p);
    label_peaks(&p);
    canvas_unclip(canvas, saved);
    draw_legend(&p, legend);
}
