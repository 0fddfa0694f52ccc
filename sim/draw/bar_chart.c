#include "draw/bar_chart.h"

#include <math.h>
#include <string.h>

#include "draw/label.h"
#include "draw/scale.h"

enum { LEFT = 64, RIGHT = 16, TITLE = 28, LINE = 18, CHARACTER = 7 };

/* Okabe and Ito's colours, then lighter and darker variants. */
static const char *const colours[BAR_CHART_COLOURS] = {
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#555555",
    "#7fb8d8", "#f2cf7f", "#7fceb9", "#eaae7f", "#aad9f4", "#e5bcd3", "#aaaaaa",
    "#003959", "#735000", "#004f3a", "#6a2f00", "#663d54", "#f0e442"};

static void box(FILE *file, double x, double y, double width, double height,
                const struct bar_chart *chart, size_t series)
{
    (void)fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"", x, y,
                  width, height);
    if (chart->colour)
        (void)fprintf(file, "#%06x\"/>\n", (unsigned)chart->colour[series]);
    else
        (void)fprintf(file, "%s\"/>\n", colours[series % BAR_CHART_COLOURS]);
}

struct frame {
    FILE *file;
    const struct bar_chart *chart;
    struct scale y;
    double top, bottom, right;
    double group; /* width of one bar */
    bool slanted; /* whether the labels of groups are slanted */
    double small; /* font size of the values above bars */
};

static void text_at(FILE *file, double x, double y, const char *class, const char *text)
{
    (void)fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    label_xml(file, text);
    (void)fputs("</text>\n", file);
}

static double at_y(const struct frame *f, double value)
{
    return f->top + (1 - scale_at(&f->y, value)) * (f->bottom - f->top);
}

/* Returns the left edge of a group. Groups set apart are half a group further right. */
static double at_group(const struct frame *f, size_t group)
{
    const bool apart = group + f->chart->apart >= f->chart->groups;
    return LEFT + f->group * ((double)group + (apart ? 0.5 : 0) + 0.1);
}

static double value_at(const struct bar_chart *chart, size_t group, size_t series)
{
    const double value = chart->value[group * chart->count + series];
    return value > 0 && isfinite(value) ? value : 0;
}

/* Returns the greatest height of a bar or stack. */
static double highest(const struct bar_chart *chart)
{
    double most = chart->guide;
    for (size_t g = 0; g < chart->groups; g++) {
        double sum = 0;
        for (size_t s = 0; s < chart->count; s++) {
            const double value = value_at(chart, g, s);
            sum = chart->stacked ? sum + value : fmax(sum, value);
        }
        most = fmax(most, sum);
    }
    return most > 0 ? most : 1;
}

/* Writes the legend if `file` is not NULL. Returns the number of its lines. */
static unsigned legend(FILE *file, const struct bar_chart *chart, double right)
{
    double x = LEFT;
    unsigned lines = 1;
    for (size_t s = 0; s < chart->count; s++) {
        const double width = label_width(chart->series[s]) * (double)CHARACTER + 30;
        if (x + width > right && x > LEFT) {
            x = LEFT;
            lines++;
        }
        if (file) {
            const double y = TITLE + LINE * (double)lines;
            box(file, x, y - 10, 12, 12, chart, s);
            text_at(file, x + 17, y, "start", chart->series[s]);
        }
        x += width;
    }
    return lines;
}

static void draw_axes(const struct frame *f)
{
    char text[32];
    for (unsigned i = 0; i < f->y.ticks; i++) {
        const double value = f->y.first + i * f->y.tick, y = at_y(f, value);
        (void)fprintf(f->file, "<path class=\"grid\" d=\"M%d %.1fH%.1f\"/>\n", LEFT, y, f->right);
        text_at(f->file, LEFT - 8, y + 4, "end", label_short(value, 4, text, sizeof text));
    }
    if (!f->chart->y_label)
        return;
    (void)fprintf(f->file, "<text transform=\"translate(16 %.1f) rotate(-90)\" class=\"middle\">",
                  (f->top + f->bottom) / 2);
    label_xml(f->file, f->chart->y_label);
    (void)fputs("</text>\n", f->file);
}

static void draw_bar(const struct frame *f, double x, double width, double from, double to,
                     size_t series)
{
    const double upper = at_y(f, to), lower = at_y(f, from);
    box(f->file, x, upper, width, lower - upper, f->chart, series);
}

static void draw_group(const struct frame *f, size_t group)
{
    const struct bar_chart *chart = f->chart;
    const double room = f->group * 0.8, x = at_group(f, group);
    const double width = chart->stacked ? room : room / (double)chart->count;
    double below = 0;
    for (size_t s = 0; s < chart->count; s++) {
        const double value = value_at(chart, group, s);
        if (!(value > 0))
            continue;
        const double left = chart->stacked ? x : x + width * (double)s;
        draw_bar(f, left, width > 3 ? width - 1 : width, below, below + value, s);
        below = chart->stacked ? below + value : 0;
    }
}

static double bar_width(const struct frame *f)
{
    return f->group * 0.8 / (double)f->chart->count;
}

static bool has_values(const struct frame *f)
{
    return !f->chart->stacked && bar_width(f) >= 4.2 * CHARACTER;
}

/* Returns the font size at which no value is wider than its bar. */
static double size_of_values(const struct frame *f)
{
    const struct bar_chart *chart = f->chart;
    int longest = 1;
    if (!has_values(f))
        return 10;
    for (size_t i = 0; i < chart->groups * chart->count; i++) {
        char text[32];
        const int length = (int)strlen(label_short(chart->value[i], 3, text, sizeof text));
        longest = length > longest ? length : longest;
    }
    return fmax(7, fmin(10, floor((bar_width(f) - 3) / (0.6 * longest))));
}

/* Returns the y coordinate of the text above a bar. If the bar ends just below the guide, the
 * text is above the guide. */
static double above_bar(const struct frame *f, double value)
{
    const double y = at_y(f, value), guide = at_y(f, f->chart->guide);
    return (f->chart->guide > value && y - f->small - 5 < guide ? guide : y) - 4;
}

/* Writes the values above the bars of a group, if the bars are wide enough. */
static void draw_values(const struct frame *f, size_t group)
{
    const struct bar_chart *chart = f->chart;
    const double width = bar_width(f);
    for (size_t s = 0; s < chart->count && has_values(f); s++) {
        const double value = value_at(chart, group, s);
        char text[16];
        (void)label_short(value, 3, text, sizeof text);
        if (value > 0)
            text_at(f->file, at_group(f, group) + width * ((double)s + 0.5), above_bar(f, value),
                    "small", text);
    }
}

static void draw_labels(const struct frame *f)
{
    for (size_t g = 0; g < f->chart->groups; g++) {
        const double x = at_group(f, g) + f->group * 0.4, y = f->bottom + 16;
        if (!f->slanted) {
            text_at(f->file, x, y, "middle", f->chart->group[g]);
            continue;
        }
        (void)fprintf(f->file,
                      "<text transform=\"translate(%.1f %.1f) rotate(-35)\" class=\"end\">", x + 4,
                      y - 2);
        label_xml(f->file, f->chart->group[g]);
        (void)fputs("</text>\n", f->file);
    }
}

static struct scale make_scale(const struct bar_chart *chart)
{
    const double x[] = {0, 1}, y[] = {0, highest(chart) * 1.04};
    const struct plot_series series = {.x = x, .y = y, .count = 2};
    const struct plot plot = {.series = &series, .series_count = 1};
    return scale_y(&plot, 8);
}

/* Computes the layout. Labels that are too long for their groups are slanted. */
static void place(struct frame *f, unsigned width, unsigned height)
{
    const struct bar_chart *chart = f->chart;
    unsigned longest = 0;
    for (size_t g = 0; g < chart->groups; g++) {
        const unsigned length = label_width(chart->group[g]);
        longest = length > longest ? length : longest;
    }
    f->right = (double)width - RIGHT;
    f->group = (f->right - LEFT) / ((double)chart->groups + (chart->apart ? 0.5 : 0));
    f->slanted = (longest + 1) * (double)CHARACTER > f->group;
    f->top = TITLE + LINE * (double)legend(NULL, chart, f->right) + 14;
    const double below = f->slanted ? fmin(longest * CHARACTER * 0.6 + 24, height * 0.4) : 30;
    f->bottom = fmax((double)height - below, f->top + 20);
    f->y = make_scale(chart);
    f->small = size_of_values(f);
}

void bar_chart_svg(FILE *file, const struct bar_chart *chart, unsigned width, unsigned height)
{
    struct frame f = {.file = file, .chart = chart};
    if (!chart->groups || !chart->count)
        return;
    place(&f, width, height);
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" "
                  "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" "
                  "font-size=\"12\" fill=\"#1a1a1a\">\n"
                  "<style>.title{font-size:14px;font-weight:600}.middle{text-anchor:middle}"
                  ".end{text-anchor:end}.small{text-anchor:middle;font-size:%gpx;"
                  "paint-order:stroke;stroke:#fff;stroke-width:3}"
                  ".grid{stroke:#e4e4e4}.axis{stroke:#444}"
                  ".guide{stroke:#444;stroke-dasharray:4 3}</style>\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  width, height, f.small);
    if (chart->title)
        text_at(file, LEFT, TITLE - 6, "title", chart->title);
    (void)legend(file, chart, f.right);
    draw_axes(&f);
    for (size_t g = 0; g < chart->groups; g++)
        draw_group(&f, g);
    (void)fprintf(file, "<path class=\"axis\" fill=\"none\" d=\"M%d %.1fV%.1fH%.1f\"/>\n", LEFT,
                  f.top, f.bottom, f.right);
    if (chart->guide > 0)
        (void)fprintf(file, "<path class=\"guide\" d=\"M%d %.1fH%.1f\"/>\n", LEFT,
                      at_y(&f, chart->guide), f.right);
    for (size_t g = 0; g < chart->groups; g++)
        draw_values(&f, g);
    draw_labels(&f);
    (void)fputs("</svg>\n", file);
}
