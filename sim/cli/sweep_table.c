/* The short form of `simsm sweep`: the table, the plot and the CSV file. */
#include "cli/sweep_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "draw/plot.h"
#include "sweep/titles.h"
static const char *title_of(unsigned metric)
{
    static const char *const none = "?";
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_describe(metrics);
    return metric < METRIC_COUNT ? titles_of(metrics[metric].name) : none;
}

void sweep_table_usual(struct sweep_table *table)
{
    for (size_t i = 0; i < TITLES_USUAL; i++)
        table->metric[table->metrics++] = titles_usual[i];
}

static int column_width(const char *title)
{
    int width = (int)strlen(title);
    return width < 10 ? 10 : width;
}

static int key_width(const struct sweep_axis *axis)
{
    int width = column_width(axis->name);
    for (uint32_t i = 0; i < axis->values.count; i++) {
        int value = (int)strlen(axis->values.item[i].text);
        width = value > width ? value : width;
    }
    return width;
}

static void print_head(const struct sweep_table *table)
{
    const struct sweep_axes *axes = &table->variants->axes;
    for (uint32_t a = 0; a < axes->count; a++)
        (void)printf("%-*s  ", key_width(&axes->axis[a]), axes->axis[a].name);
    for (uint32_t m = 0; m < table->metrics; m++) {
        const char *title = title_of(table->metric[m]);
        (void)printf("%s%*s", m ? "  " : "", column_width(title), title);
    }
    (void)printf("\n");
}

static void print_value(const struct sweep_table *table, uint32_t point, uint32_t column)
{
    unsigned metric = table->metric[column];
    int width = column_width(title_of(metric));
    double value = table->variants->point[point].metric[metric];
    (void)printf("%s", column ? "  " : "");
    if (isnan(value))
        (void)printf("%*s", width, "-");
    else if (value == floor(value) && fabs(value) < 1e15)
        (void)printf("%*.0f", width, value);
    else
        (void)printf("%*.3f", width, value);
}

void sweep_table_print(const struct sweep_table *table)
{
    const struct variants *variants = table->variants;
    print_head(table);
    for (uint32_t i = 0; i < variants->points; i++) {
        for (uint32_t a = 0; a < variants->axes.count; a++)
            (void)printf("%-*s  ", key_width(&variants->axes.axis[a]),
                         variants_value(variants, i, a));
        if (variants->point[i].status == SIMSM_OK) {
            for (uint32_t m = 0; m < table->metrics; m++)
                print_value(table, i, m);
        } else {
            char text[1200];
            (void)printf("failed: %s",
                         simsm_error_text(&variants->point[i].error, text, sizeof text));
        }
        (void)printf("\n");
    }
}

/* Returns K, M or G if all values end with this letter, as sizes in traces do; else '\0'. */
static char axis_unit(const struct texts *values)
{
    char unit = '\0';
    for (uint32_t i = 0; i < values->count; i++) {
        const char *text = values->item[i].text;
        const char last = *text ? text[strlen(text) - 1] : '\0';
        if (!last || !strchr("KMG", last) || (unit && last != unit))
            return '\0';
        unit = last;
    }
    return unit;
}

/* Reads a number that the letter `unit` follows, if it is not '\0'. */
static bool is_number(const char *text, char unit, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == unit && (!unit || !end[1]);
}

/* Returns the last axis whose values are all numbers in ascending order; -1 if there is none. */
static int plotted_axis(const struct variants *variants)
{
    for (int a = (int)variants->axes.count - 1; a >= 0; a--) {
        const struct texts *values = &variants->axes.axis[a].values;
        const char unit = axis_unit(values);
        double last = -INFINITY, value;
        uint32_t good = 0;
        while (good < values->count && is_number(values->item[good].text, unit, &value) &&
               value > last) {
            last = value;
            good++;
        }
        if (good == values->count && good > 1)
            return a;
    }
    return -1;
}

bool sweep_table_can_plot(const struct variants *variants)
{
    return plotted_axis(variants) >= 0;
}

/* The lines of the plot: one for each combination of the values of the other keys. */
struct plot_lines {
    struct plot_series *series;
    double *values; /* x and y of all series, one after the other */
    char (*label)[128];
    size_t count;
};

static void free_lines(struct plot_lines *lines)
{
    free(lines->series);
    free(lines->values);
    free(lines->label);
}

static void label_line(const struct variants *variants, uint32_t point, int axis, char label[128])
{
    size_t used = 0;
    label[0] = '\0';
    for (uint32_t a = 0; a < variants->axes.count; a++) {
        if ((int)a == axis || used >= 120)
            continue;
        const char *name = variants->axes.axis[a].name, *dot = strrchr(name, '.');
        int n = snprintf(label + used, 128 - used, "%s%s %s", used ? ", " : "",
                         dot ? dot + 1 : name, variants_value(variants, point, a));
        used += n > 0 ? (size_t)n : 0;
    }
}

static bool gather_lines(const struct variants *variants, int axis, unsigned metric,
                         struct plot_lines *lines)
{
    const struct texts *steps = &variants->axes.axis[axis].values;
    const char unit = axis_unit(steps);
    uint32_t stride = 1, length = steps->count;
    for (uint32_t a = (uint32_t)axis + 1; a < variants->axes.count; a++)
        stride *= variants->axes.axis[a].values.count;
    lines->count = variants->points / length;
    lines->series = calloc(lines->count, sizeof *lines->series);
    lines->values = calloc((size_t)variants->points * 2, sizeof *lines->values);
    lines->label = calloc(lines->count, sizeof *lines->label);
    if (!lines->series || !lines->values || !lines->label)
        return false;
    for (uint32_t line = 0; line < lines->count; line++) {
        uint32_t first = line / stride * stride * length + line % stride;
        double *x = lines->values + (size_t)line * length * 2, *y = x + length;
        for (uint32_t i = 0; i < length; i++) {
            const struct variants_point *point = &variants->point[first + i * stride];
            (void)is_number(steps->item[i].text, unit, &x[i]);
            y[i] = point->status == SIMSM_OK ? point->metric[metric] : NAN;
        }
        label_line(variants, first, axis, lines->label[line]);
        lines->series[line] = (struct plot_series){
            .label = lines->label[line][0] ? lines->label[line] : NULL,
            .x = x,
            .y = y,
            .count = length,
        };
    }
    return true;
}

enum { FORMULA_POINTS = 200 };

/* Adds the curve of Little's law as the first line: with x warps, each of which works for `work`
 * cycles and then waits for `latency` cycles, a scheduler issues in 100 x work / (latency + work)
 * per cent of the cycles, at most 100. The curve goes on beyond the last point, to where it is
 * flat. Returns false if memory runs out. */
static bool add_formula(struct plot_lines *lines, double curve[2][FORMULA_POINTS],
                        const struct sweep_table *table)
{
    const struct plot_series *points = &lines->series[0];
    const double full = (table->latency + table->work) / table->work;
    double last = points->x[points->count - 1], end = last > 1.2 * full ? last : 1.2 * full;
    struct plot_series *more = realloc(lines->series, (lines->count + 1) * sizeof *more);
    if (!more)
        return false;
    for (unsigned i = 0; i < FORMULA_POINTS; i++) {
        double x = end * i / (FORMULA_POINTS - 1);
        curve[0][i] = x;
        curve[1][i] = x < full ? 100 * x / full : 100;
    }
    lines->series = more;
    if (lines->count == 1)
        more[0].label = "simulated";
    memmove(more + 1, more, lines->count++ * sizeof *more); /* the curve lies below the points */
    more[0] = (struct plot_series){.label = "n c / (L + c)",
                                   .x = curve[0],
                                   .y = curve[1],
                                   .count = FORMULA_POINTS,
                                   .curve = true};
    return true;
}

enum simsm_status sweep_table_plot(const struct sweep_table *table, bool on_terminal,
                                   struct outfile *svg, struct simsm_error *error)
{
    const struct variants *variants = table->variants;
    const int axis = plotted_axis(variants);
    struct plot_lines lines = {0};
    double curve[2][FORMULA_POINTS];
    if (axis < 0)
        return SIMSM_OK;
    enum simsm_status status = SIMSM_OK;
    if (!gather_lines(variants, axis, table->plotted, &lines) ||
        (table->latency > 0 && !add_formula(&lines, curve, table))) {
        status = err_no_memory(error);
    } else {
        char x_label[128];
        const char unit = axis_unit(&variants->axes.axis[axis].values);
        (void)snprintf(x_label, sizeof x_label, unit ? "%s, %c" : "%s",
                       variants->axes.axis[axis].name, unit);
        struct plot plot = {.title = title_of(table->plotted),
                            .x_label = x_label,
                            .series = lines.series,
                            .series_count = lines.count,
                            .dots = variants->axes.axis[axis].values.count <= 24};
        if (on_terminal) {
            (void)printf("\n");
            plot_text(stdout, &plot, (struct plot_area){.width = 80, .height = 20});
        }
        if (svg) {
            plot_svg(svg->file, &plot, 1, 800, 480);
            status = outfile_commit(svg, error);
        }
    }
    free_lines(&lines);
    return status;
}

static const char *point_status(const struct variants_point *point)
{
    return point->status == SIMSM_OK            ? "ok"
           : point->status == SIMSM_INTERRUPTED ? "stopped"
                                                : "failed";
}

enum simsm_status sweep_table_csv(const struct sweep_table *table, struct outfile *csv,
                                  struct simsm_error *error)
{
    const struct variants *variants = table->variants;
    FILE *out = csv->file;
    struct simsm_metric all[METRIC_COUNT];
    metrics_describe(all);
    for (uint32_t a = 0; a < variants->axes.count; a++)
        (void)fprintf(out, "%s,", variants->axes.axis[a].name);
    (void)fprintf(out, "status");
    for (int m = 0; m < METRIC_COUNT; m++)
        (void)fprintf(out, ",%s", all[m].name);
    (void)fprintf(out, "\n");
    for (uint32_t i = 0; i < variants->points; i++) {
        for (uint32_t a = 0; a < variants->axes.count; a++)
            (void)fprintf(out, "%s,", variants_value(variants, i, a));
        (void)fprintf(out, "%s", point_status(&variants->point[i]));
        for (int m = 0; m < METRIC_COUNT; m++) {
            double value = variants->point[i].metric[m];
            (void)fprintf(out, isnan(value) ? "," : ",%.17g", value);
        }
        (void)fprintf(out, "\n");
    }
    return outfile_commit(csv, error);
}
