#include <math.h>
#include <stdio.h>

#include "draw/label.h"
#include "draw/plot.h"
#include "draw/scale.h"

/* One plot's place in the picture: the rectangle inside its axes. */
struct panel {
    const struct plot *plot;
    struct scale x, y;
    double left, top, width, height;
};

/* Okabe and Ito's colours, which colour-blind people can distinguish. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#555555"};
enum { COLOURS = sizeof colours / sizeof *colours, LEGEND_LINE = 20 };

static double at_x(const struct panel *p, double value)
{
    return p->left + scale_at(&p->x, value) * p->width;
}

static double at_y(const struct panel *p, double value)
{
    return p->top + (1 - scale_at(&p->y, value)) * p->height;
}

static void text_at(FILE *file, double x, double y, const char *class, const char *text)
{
    if (!text)
        return;
    (void)fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    label_xml(file, text);
    (void)fputs("</text>\n", file);
}

static void line_at(FILE *file, double x0, double y0, double x1, double y1, const char *class)
{
    (void)fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
                  x0, y0, x1, y1, class);
}

static void draw_axes(FILE *file, const struct panel *p)
{
    char text[32];
    double bottom = p->top + p->height, right = p->left + p->width;
    for (unsigned i = 0; i < p->y.ticks; i++) {
        double value = p->y.first + i * p->y.tick, y = at_y(p, value);
        line_at(file, p->left, y, right, y, "grid");
        const double shown = p->plot->powers ? exp2(value) : value;
        text_at(file, p->left - 8, y + 4, "end", label_short(shown, 4, text, sizeof text));
    }
    if (p->plot->powers)
        line_at(file, p->left, at_y(p, 0), right, at_y(p, 0), "guide");
    for (unsigned i = 0; i < p->x.ticks; i++) {
        double value = p->x.first + i * p->x.tick, x = at_x(p, value);
        line_at(file, x, bottom, x, bottom + 5, "axis");
        text_at(file, x, bottom + 19, "middle", label_number(value, text, sizeof text));
    }
    line_at(file, p->left, bottom, right, bottom, "axis");
    line_at(file, p->left, p->top, p->left, bottom, "axis");
    text_at(file, p->left + p->width / 2, bottom + 38, "middle", p->plot->x_label);
    if (p->plot->y_label) {
        (void)fprintf(file,
                      "<text transform=\"translate(%.1f %.1f) rotate(-90)\" class=\"middle\">",
                      p->left - 52, p->top + p->height / 2);
        label_xml(file, p->plot->y_label);
        (void)fputs("</text>\n", file);
    }
}

/* Returns the dash pattern of a series. Series that share a colour differ in their dashes. */
static const char *dashes(size_t series)
{
    static const char *const patterns[] = {"", " stroke-dasharray=\"7 4\"",
                                           " stroke-dasharray=\"2 3\""};
    const size_t count = sizeof patterns / sizeof *patterns;
    return patterns[series / COLOURS % count];
}

static void draw_series(FILE *file, const struct panel *p, const struct plot_series *s,
                        size_t number)
{
    const char *colour = colours[number % COLOURS];
    bool pen = false;
    (void)fprintf(file, "<path class=\"series\" stroke=\"%s\"%s d=\"", colour, dashes(number));
    for (size_t i = 0; i < s->count; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) {
            pen = false;
            continue;
        }
        double x = at_x(p, s->x[i]), y = at_y(p, s->y[i]);
        if (!pen)
            (void)fprintf(file, "M%.2f %.2f", x, y);
        else if (p->plot->step && i > 0 && s->y[i] == s->y[i - 1])
            (void)fprintf(file, "H%.2f", x);
        else if (p->plot->step)
            (void)fprintf(file, "H%.2fV%.2f", x, y);
        else
            (void)fprintf(file, "L%.2f %.2f", x, y);
        pen = true;
    }
    (void)fputs("\"/>\n", file);
    for (size_t i = 0; p->plot->dots && !s->curve && i < s->count; i++) {
        if (isfinite(s->x[i]) && isfinite(s->y[i]))
            (void)fprintf(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n",
                          at_x(p, s->x[i]), at_y(p, s->y[i]), colour);
    }
}

static void draw_mark(FILE *file, const struct panel *p)
{
    const struct plot *plot = p->plot;
    if (!plot->marked || !isfinite(plot->mark_x) || !isfinite(plot->mark_y))
        return;
    double x = at_x(p, plot->mark_x), y = at_y(p, plot->mark_y);
    line_at(file, x, y, x, p->top + p->height, "guide");
    (void)fprintf(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" class=\"mark\"/>\n", x, y);
    bool right = x > p->left + p->width * 0.6;
    double below = y < p->top + 20 ? 18 : -9; /* keep away from the upper edge */
    text_at(file, right ? x - 9 : x + 9, y + below, right ? "halo end" : "halo", plot->mark_label);
}

/* Estimates the width of a text in pixels. */
static double text_width(const char *text)
{
    return text ? label_width(text) * 7.0 : 0;
}

/* Returns the width of the legend; 0 if no series has a label. */
static double legend_width(const struct plot *plot)
{
    double width = 0;
    for (size_t s = 0; s < plot->series_count; s++)
        width += plot->series[s].label ? text_width(plot->series[s].label) + 38 : 0;
    return width > 0 ? width + text_width(plot->legend) : 0;
}

/* Writes the legend if `file` is not NULL, from `x` to at most `right`, in as many lines as
 * necessary. Returns the number of lines. */
static unsigned legend(FILE *file, const struct plot *plot, double x, double right, double y)
{
    const double left = x + text_width(plot->legend);
    unsigned lines = legend_width(plot) > 0;
    if (file && lines)
        text_at(file, x, y, "start", plot->legend);
    x = left;
    for (size_t s = 0; s < plot->series_count; s++) {
        const char *label = plot->series[s].label;
        const double width = text_width(label) + 38;
        if (!label)
            continue;
        if (x + width > right && x > left) {
            x = left;
            lines++;
        }
        if (file) {
            const double at = y + LEGEND_LINE * (lines - 1.0);
            (void)fprintf(file, "<path class=\"series\" stroke=\"%s\"%s d=\"M%.1f %.1fh18\"/>\n",
                          colours[s % COLOURS], dashes(s), x + 12, at - 4);
            text_at(file, x + 34, at, "start", label);
        }
        x += width;
    }
    return lines;
}

/* Returns the number of lines of the legend below the title; 0 if the legend fits to the right
 * of the title. */
static unsigned legend_below(const struct plot *plot, double width)
{
    const double both = text_width(plot->title) * 1.1 + 24 + legend_width(plot);
    return both > width ? legend(NULL, plot, 0, width, 0) : 0;
}

static void draw_panel(FILE *file, const struct panel *p)
{
    const double right = p->left + p->width, above = p->top - 12;
    const unsigned below = legend_below(p->plot, p->width);
    text_at(file, p->left, above - LEGEND_LINE * below, "title", p->plot->title);
    draw_axes(file, p);
    for (size_t s = 0; s < p->plot->series_count; s++)
        draw_series(file, p, &p->plot->series[s], s);
    if (below)
        (void)legend(file, p->plot, p->left, right, above - LEGEND_LINE * (below - 1.0));
    else
        (void)legend(file, p->plot, right - legend_width(p->plot), INFINITY, above);
    draw_mark(file, p);
}

void plot_svg(FILE *file, const struct plot *plots, size_t count, unsigned width, unsigned height)
{
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %zu\" "
                  "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" "
                  "font-size=\"12\" fill=\"#1a1a1a\">\n"
                  "<style>.title{font-size:14px;font-weight:600}.middle{text-anchor:middle}"
                  ".end{text-anchor:end}.grid{stroke:#e4e4e4}.axis{stroke:#444}"
                  ".series{fill:none;stroke-width:2;stroke-linejoin:round}"
                  ".guide{stroke:#777;stroke-dasharray:3 3}"
                  ".mark{fill:#d55e00;stroke:#fff;stroke-width:1.5}"
                  ".halo{paint-order:stroke;stroke:#fff;stroke-width:4;font-weight:600}</style>\n"
                  "<rect width=\"%u\" height=\"%zu\" fill=\"#fff\"/>\n",
                  width, height * count, width, height * count);
    for (size_t i = 0; i < count; i++) {
        const double room = width > 140 ? width - 68 - 24.0 : 48;
        const double above = 40 + LEGEND_LINE * (double)legend_below(&plots[i], room);
        struct panel panel = {.plot = &plots[i],
                              .left = 68,
                              .top = (double)(height * i) + above,
                              .width = room,
                              .height = height > 140 ? height - above - 52.0 : 48};
        panel.x = scale_x(&plots[i], (unsigned)(panel.width / 60));
        panel.y = scale_y(&plots[i], (unsigned)(panel.height / 32));
        draw_panel(file, &panel);
    }
    (void)fputs("</svg>\n", file);
}
