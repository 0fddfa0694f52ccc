#include "draw/scatter.h"

#include <math.h>
#include <stdbool.h>

#include "draw/label.h"

enum { LEFT = 72, TOP = 44, BOTTOM = 56, LEGEND = 150, LINE = 14 };

/* Both axes have the same decades, so that x = y is a diagonal. */
struct field {
    FILE *file;
    double low, high; /* decades */
    double width, height;
};

static double at_x(const struct field *f, double value)
{
    return LEFT + (log10(value) - f->low) / (f->high - f->low) * f->width;
}

static double at_y(const struct field *f, double value)
{
    return TOP + (1 - (log10(value) - f->low) / (f->high - f->low)) * f->height;
}

static bool is_drawn(const struct scatter_point *p)
{
    return p->x > 0 && p->y > 0 && isfinite(p->x) && isfinite(p->y);
}

static void find_decades(struct field *f, const struct scatter *scatter)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < scatter->points; i++) {
        const struct scatter_point *p = &scatter->point[i];
        if (!is_drawn(p))
            continue;
        low = fmin(low, fmin(p->x, p->y));
        high = fmax(high, fmax(p->x, p->y));
    }
    f->low = high >= low ? floor(log10(low)) : 0;
    f->high = high >= low ? ceil(log10(high)) : 1;
    if (f->high <= f->low)
        f->high = f->low + 1;
}

static void text_at(const struct field *f, double x, double y, const char *class, const char *text)
{
    if (!text)
        return;
    (void)fprintf(f->file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    label_xml(f->file, text);
    (void)fputs("</text>\n", f->file);
}

/* Draws the line y = factor x from edge to edge. */
static void diagonal(const struct field *f, double factor, const char *class)
{
    const double shift = log10(factor);
    const double first = pow(10, f->low - fmin(shift, 0)), last = pow(10, f->high - fmax(shift, 0));
    (void)fprintf(f->file, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class,
                  at_x(f, first), at_y(f, first * factor), at_x(f, last), at_y(f, last * factor));
}

static void draw_axes(const struct field *f, const struct scatter *scatter)
{
    char text[32];
    const double bottom = TOP + f->height, right = LEFT + f->width;
    for (double decade = f->low; decade <= f->high; decade++) {
        const double value = pow(10, decade), x = at_x(f, value), y = at_y(f, value);
        (void)fprintf(f->file, "<path class=\"grid\" d=\"M%.1f %dV%.1fM%d %.1fH%.1f\"/>\n", x, TOP,
                      bottom, LEFT, y, right);
        (void)label_number(value, text, sizeof text);
        text_at(f, x, bottom + 18, "middle", text);
        text_at(f, LEFT - 8, y + 4, "end", text);
    }
    (void)fprintf(f->file, "<path class=\"axis\" d=\"M%d %dV%.1fH%.1f\"/>\n", LEFT, TOP, bottom,
                  right);
    text_at(f, LEFT + f->width / 2, bottom + 40, "middle", scatter->x_label);
    if (scatter->y_label) {
        (void)fprintf(f->file,
                      "<text transform=\"translate(16 %.1f) rotate(-90)\" class=\"middle\">",
                      TOP + f->height / 2);
        label_xml(f->file, scatter->y_label);
        (void)fputs("</text>\n", f->file);
    }
}

/* Returns the hue of a group. Hues are a golden angle apart, so that neighbours differ for any
 * number of groups. */
static double hue(size_t group)
{
    return fmod(210.0 + 137.508 * (double)group, 360.0);
}

static void draw_points(const struct field *f, const struct scatter *scatter)
{
    for (size_t i = 0; i < scatter->points; i++) {
        const struct scatter_point *p = &scatter->point[i];
        if (!is_drawn(p))
            continue;
        (void)fprintf(f->file,
                      "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"hsl(%.0f 65%% 42%%)\" "
                      "fill-opacity=\"0.75\"><title>",
                      at_x(f, p->x), at_y(f, p->y), hue(p->group));
        label_xml(f->file, p->title ? p->title : "");
        (void)fputs("</title></circle>\n", f->file);
    }
}

/* Draws the legend at the right. Groups without room are left out; the pointer shows the names
 * of their points. */
static void draw_legend(const struct field *f, const struct scatter *scatter)
{
    const size_t room = (size_t)(f->height / LINE);
    const double x = LEFT + f->width + 16;
    for (size_t i = 0; i < scatter->groups && i < room; i++) {
        const double y = TOP + 6 + (double)i * LINE;
        const bool last = i + 1 == room && scatter->groups > room;
        if (!last)
            (void)fprintf(
                f->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"hsl(%.0f 65%% 42%%)\"/>\n",
                x, y, hue(i));
        text_at(f, x + 9, y + 4, "small", last ? "..." : scatter->group[i]);
    }
}

void scatter_svg(FILE *file, const struct scatter *scatter, unsigned width, unsigned height)
{
    const bool legend = scatter->groups > 1;
    const int beside = LEFT + (legend ? LEGEND : 24), above = TOP + BOTTOM;
    struct field f = {.file = file,
                      .width = fmax((double)width - beside, 40),
                      .height = fmax((double)height - above, 40)};
    find_decades(&f, scatter);
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" "
                  "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" "
                  "font-size=\"12\" fill=\"#1a1a1a\">\n"
                  "<style>.title{font-size:14px;font-weight:600}.middle{text-anchor:middle}"
                  ".end{text-anchor:end}.small{font-size:10px}.grid{stroke:#e4e4e4}"
                  ".axis{stroke:#444;fill:none}.equal{stroke:#444}"
                  ".band{stroke:#999;stroke-dasharray:4 3}</style>\n"
                  "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
                  width, height, width, height);
    text_at(&f, LEFT, TOP - 18, "title", scatter->title);
    draw_axes(&f, scatter);
    diagonal(&f, 1.0, "equal");
    if (scatter->band > 0 && scatter->band < 1) {
        diagonal(&f, 1.0 + scatter->band, "band");
        diagonal(&f, 1.0 - scatter->band, "band");
    }
    draw_points(&f, scatter);
    if (legend)
        draw_legend(&f, scatter);
    (void)fputs("</svg>\n", file);
}
