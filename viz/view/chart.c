/* Draws axes, panels, curves, legends and scroll bars. */
#include "view/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double axis_place(const struct chart_axis *axis, double value)
{
    double range = axis->high - axis->low;
    return axis->at + (range > 0 ? (value - axis->low) / range * axis->length : 0);
}

double axis_value(const struct chart_axis *axis, double pixel)
{
    return axis->length ? axis->low + (pixel - axis->at) / axis->length * (axis->high - axis->low)
                        : axis->low;
}

double axis_step(const struct chart_axis *axis, int most)
{
    double range = axis->high - axis->low;
    if (!(range > 0) || most < 1)
        return 1;
    double step = pow(10, floor(log10(range / most)));
    static const double factors[] = {1, 2, 5, 10, 20};
    int i = 0;
    while (i < 4 && range / (step * factors[i]) > most)
        i++;
    return step * factors[i];
}

const char *chart_cycles(uint64_t cycles, char text[32])
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)cycles);
    char *at = text;
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}

const char *chart_number(double value, char text[32])
{
    static const char suffix[] = {' ', 'k', 'M', 'G', 'T'};
    double size = fabs(value);
    size_t i = 0;
    while (size >= 10000 && i + 1 < sizeof suffix) {
        size /= 1000;
        value /= 1000;
        i++;
    }
    int places = size >= 100 || size == floor(size) ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;
    (void)snprintf(text, 32, "%.*f%.*s", places, value, i ? 1 : 0, &suffix[i]);
    return text;
}

/*
 * Writes the label of a tick. All ticks of an axis have one unit, in which the step is a whole
 * number, so that neighbouring labels differ.
 */
static const char *tick_text(double value, double step, char text[32])
{
    static const struct {
        double size;
        const char *suffix;
    } units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; value != 0 && i < sizeof units / sizeof *units; i++)
        if (step >= units[i].size) {
            (void)snprintf(text, 32, "%.0f%s", value / units[i].size, units[i].suffix);
            return text;
        }
    int places = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    if (places > 0 && value != 0)
        (void)snprintf(text, 32, "%.*f", places, value);
    else
        chart_cycles((uint64_t)llround(fabs(value)), text);
    return text;
}

struct rect chart_panel(struct canvas *canvas, const struct theme *theme, struct rect rect,
                        const char *title, const char *note)
{
    const struct metrics *m = canvas_metrics(canvas);
    canvas_fill(canvas, rect, theme->panel);
    canvas_frame(canvas, rect, m->px, theme->line);
    struct rect inner = rect_inset(rect, m->pad);
    struct rect head = rect_cut_top(&inner, m->line[TEXT_LARGE]);
    enum text_size size = text_width(m, TEXT_LARGE, title) <= head.w ? TEXT_LARGE : TEXT_NORMAL;
    int used = canvas_text_in(canvas, head, size, ALIGN_LEFT, theme->text, title);
    rect_cut_left(&head, used + 2 * m->pad);
    if (note && text_width(m, TEXT_NORMAL, note) <= head.w)
        canvas_text_in(canvas, head, TEXT_NORMAL, ALIGN_RIGHT, theme->quiet, note);
    rect_cut_top(&inner, m->pad);
    return inner;
}

int chart_y_room(const struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    return 7 * m->advance[TEXT_SMALL] + m->pad;
}

int chart_x_room(const struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    return 2 * m->line[TEXT_SMALL] + m->pad;
}

void chart_x_axis(struct canvas *canvas, const struct theme *theme, struct rect plot,
                  const struct chart_axis *axis, const char *label)
{
    const struct metrics *m = canvas_metrics(canvas);
    char text[32];
    chart_cycles((uint64_t)fabs(axis->high), text);
    int wide = text_width(m, TEXT_SMALL, text) + 3 * m->advance[TEXT_SMALL];
    double step = axis_step(axis, plot.w / wide < 1 ? 1 : plot.w / wide);
    for (double v = ceil(axis->low / step) * step; v <= axis->high + step * 1e-6; v += step) {
        int x = (int)lround(axis_place(axis, v));
        canvas_fill(canvas, (struct rect){x, plot.y, m->px, plot.h}, theme->line);
        int w = text_width(m, TEXT_SMALL, tick_text(v, step, text));
        int left =
            x - w / 2 < plot.x ? plot.x : x - w / 2; /* stays clear of the labels at the corner */
        left = left + w > plot.x + plot.w ? plot.x + plot.w - w : left;
        canvas_text(canvas, left, plot.y + plot.h + m->px, TEXT_SMALL, theme->quiet, text);
    }
    struct rect box = {plot.x, plot.y + plot.h + m->line[TEXT_SMALL], plot.w, m->line[TEXT_SMALL]};
    if (label)
        canvas_text_in(canvas, box, TEXT_SMALL, ALIGN_CENTRE, theme->quiet, label);
}

void chart_y_axis(struct canvas *canvas, const struct theme *theme, struct rect plot,
                  const struct chart_axis *axis, const char *label)
{
    const struct metrics *m = canvas_metrics(canvas);
    char text[32];
    int high = 2 * m->line[TEXT_SMALL];
    int room = chart_y_room(canvas);
    double step = axis_step(axis, plot.h / high < 1 ? 1 : plot.h / high);
    if (axis->high - axis->low >= 4 && step < 1)
        step = 1; /* most quantities are whole numbers: ticks at halves mean nothing */
    for (double v = ceil(axis->low / step) * step; v <= axis->high + step * 1e-6; v += step) {
        int y = (int)lround(axis_place(axis, v));
        canvas_fill(canvas, (struct rect){plot.x, y, plot.w, m->px}, theme->line);
        struct rect box = {plot.x - room, y - m->line[TEXT_SMALL] / 2, room - m->pad,
                           m->line[TEXT_SMALL]};
        canvas_text_in(canvas, box, TEXT_SMALL, ALIGN_RIGHT, theme->quiet,
                       tick_text(v, step, text));
    }
    if (label)
        canvas_text(canvas, plot.x, plot.y - m->line[TEXT_SMALL], TEXT_SMALL, theme->quiet, label);
}

void chart_time_axis(struct canvas *canvas, const struct theme *theme, struct rect strip,
                     struct rect area, double from, double cycles_per_px)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct chart_axis axis = {from, from + cycles_per_px * area.w, area.x, area.w};
    int wide = 14 * m->advance[TEXT_SMALL];
    double step = axis_step(&axis, area.w / wide < 1 ? 1 : area.w / wide);
    step = step < 1 ? 1 : step;
    for (double v = ceil(from / step) * step; v < axis.high; v += step) {
        char text[32];
        int x = (int)lround(axis_place(&axis, v));
        canvas_fill(canvas, (struct rect){x, strip.y, m->px, strip.h}, theme->line);
        chart_cycles((uint64_t)v, text);
        if (x + m->px * 3 + text_width(m, TEXT_SMALL, text) <= area.x + area.w)
            canvas_text(canvas, x + m->px * 3, strip.y, TEXT_SMALL, theme->quiet, text);
    }
}

void chart_curve(struct canvas *canvas, struct rect plot, const struct chart_axis *x,
                 const struct chart_axis *y, const double *xs, const double *ys, size_t count,
                 bool step, uint32_t colour)
{
    int *points = malloc((2 * count + 2) * 2 * sizeof *points);
    if (!points)
        /* The rest of the picture is drawn without this curve. */
        return;
    struct rect saved = canvas_clip(canvas, rect_inset(plot, -2 * canvas_metrics(canvas)->px));
    size_t n = 0;
    for (size_t i = 0; i <= count; i++) {
        if (i == count || isnan(ys[i])) {
            canvas_polyline(canvas, points, n, canvas_metrics(canvas)->px * 24, colour);
            n = 0;
            continue;
        }
        int px = (int)lround(axis_place(x, xs[i]) * 16);
        int py = (int)lround(axis_place(y, ys[i]) * 16);
        if (step && n) {
            points[2 * n] = px;
            points[2 * n + 1] = points[2 * n - 1];
            n++;
        }
        points[2 * n] = px;
        points[2 * n + 1] = py;
        n++;
    }
    canvas_unclip(canvas, saved);
    free(points);
}

void chart_mark(struct canvas *canvas, const struct chart_axis *x, const struct chart_axis *y,
                double at_x, double at_y, uint32_t colour)
{
    int size = canvas_metrics(canvas)->px * 4;
    int px = (int)lround(axis_place(x, at_x));
    int py = (int)lround(axis_place(y, at_y));
    int diamond[] = {(px - size) * 16, py * 16, px * 16, (py - size) * 16,
                     (px + size) * 16, py * 16, px * 16, (py + size) * 16};
    canvas_polygon(canvas, diamond, 4, colour);
}

void chart_bar(struct canvas *canvas, const struct theme *theme, struct rect rect, double share,
               uint32_t colour)
{
    const double part = fmin(fmax(share, 0), 1); /* 0 for NaN */
    canvas_fill(canvas, rect, theme->ground);
    canvas_fill(canvas, (struct rect){rect.x, rect.y, (int)lround(rect.w * part), rect.h}, colour);
    canvas_frame(canvas, rect, canvas_metrics(canvas)->px, theme->line);
}

int chart_legend(struct canvas *canvas, const struct theme *theme, struct rect rect,
                 const struct legend_entry *entries, size_t count, bool draw)
{
    const struct metrics *m = canvas_metrics(canvas);
    int line = m->line[TEXT_NORMAL];
    int box = line - m->px * 2;
    int x = 0;
    int y = 0;
    for (size_t i = 0; i < count; i++) {
        int width = box + m->pad + text_width(m, TEXT_NORMAL, entries[i].text) + 2 * m->pad;
        if (x && x + width > rect.w) {
            x = 0;
            y += line + m->px * 2;
        }
        struct rect swatch = {rect.x + x, rect.y + y + m->px, box, box};
        if (draw) {
            canvas_fill(canvas, swatch, entries[i].colour);
            canvas_hatch(canvas, swatch, entries[i].hatch,
                         colour_mix(entries[i].colour, entries[i].ink, 40));
            canvas_frame(canvas, swatch, m->px, theme->quiet);
            if (entries[i].letter)
                canvas_text_in(canvas, swatch, TEXT_NORMAL, ALIGN_CENTRE, entries[i].ink,
                               (char[]){entries[i].letter, '\0'});
            canvas_text(canvas, swatch.x + box + m->pad, rect.y + y, TEXT_NORMAL, theme->text,
                        entries[i].text);
        }
        x += width;
    }
    return count ? y + line + m->px * 2 : 0;
}

void chart_scrollbar(struct canvas *canvas, const struct theme *theme, struct rect area,
                     double first, double shown, double all)
{
    const struct metrics *m = canvas_metrics(canvas);
    if (shown >= all || all <= 0)
        return;
    struct rect bar = rect_cut_right(&area, 4 * m->px);
    canvas_fill(canvas, bar, theme->panel);
    int h = (int)(bar.h * shown / all);
    int least = 8 * m->px;
    h = h < least ? least : h;
    bar.y += (int)((bar.h - h) * first / (all - shown));
    bar.h = h;
    canvas_fill(canvas, bar, theme->quiet);
}

void chart_csv_text(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        (void)fputs(text, file);
        return;
    }
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

void chart_note(struct canvas *canvas, const struct theme *theme, struct rect area,
                const char *text)
{
    const struct metrics *m = canvas_metrics(canvas);
    area = rect_inset(area, 4 * m->pad);
    int h = canvas_paragraph(canvas, area, TEXT_LARGE, theme->text, text, false);
    rect_cut_top(&area, (area.h - h) / 3);
    canvas_paragraph(canvas, area, TEXT_LARGE, theme->text, text, true);
}
