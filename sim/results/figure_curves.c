/* Curves of pivot tables over a key with numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/schema.h"
#include "draw/plot.h"
#include "results/figure.h"

enum { WIDTH = 800, HEIGHT = 480, PANEL = 360 };

/* One plot and the memory that it points to. */
struct curve_panel {
    struct pivot pivot;
    char title[FIGURE_TITLE], axis[FIGURE_TITLE], key[FIGURE_TITLE];
    double step;                /* distance of neighbours on the x axis; 0: distances differ */
    struct plot_series *series; /* [pivot.column.count] */
    double *value;              /* x, then y of each series, [pivot.row.count] each */
};

/* A row of the table, as a point on the x axis. */
struct curve_point {
    double x;
    uint32_t row;
};

static int by_x(const void *a, const void *b)
{
    const double x = ((const struct curve_point *)a)->x, y = ((const struct curve_point *)b)->x;
    return (x > y) - (x < y);
}

static enum simsm_status find_spots(const struct pivot *pivot, const struct pivot_request *table,
                                    struct curve_point *spot, struct simsm_error *error)
{
    for (uint32_t r = 0; r < pivot->row.count; r++) {
        const char *label = pivot->row.item[r].text;
        char *end;
        spot[r] = (struct curve_point){strtod(label, &end), r};
        if (end == label || *end || !isfinite(spot[r].x))
            return err_set(error, SIMSM_BAD_INPUT,
                           "--draw curves: %s '%s' is not a number; choose a key with numbers with "
                           "--rows, or --draw bars",
                           table->rows.item[0].text, label);
    }
    qsort(spot, pivot->row.count, sizeof *spot, by_x);
    return SIMSM_OK;
}

/* Returns the distance of neighbouring x; 0 if the distances differ or there are fewer than three
 * points. */
static double step_of(const double *x, size_t count)
{
    const double step = count > 2 ? x[1] - x[0] : 0;
    for (size_t i = 2; i < count; i++) {
        if (fabs(x[i] - x[i - 1] - step) > 1e-9 * fabs(step))
            return 0;
    }
    return step;
}

/* Fills the series of a plot. Ratios to a baseline become logarithms, so that 1/2 and 2 are equally
 * far from 1. */
static enum simsm_status fill(struct curve_panel *panel, const struct pivot_request *table,
                              struct simsm_error *error)
{
    const struct pivot *pivot = &panel->pivot;
    const size_t rows = pivot->row.count, columns = pivot->column.count;
    struct curve_point *spot = calloc(rows + 1, sizeof *spot);
    panel->series = calloc(columns + 1, sizeof *panel->series);
    panel->value = calloc((columns + 1) * rows + 1, sizeof *panel->value);
    const bool good = spot && panel->series && panel->value;
    enum simsm_status status = good ? find_spots(pivot, table, spot, error) : err_no_memory(error);
    for (size_t i = 0; good && i < rows && status == SIMSM_OK; i++) {
        panel->value[i] = spot[i].x;
        for (size_t c = 0; c < columns; c++) {
            const double y = pivot->cell[spot[i].row * columns + c];
            panel->value[(c + 1) * rows + i] = table->baseline ? log2(y) : y;
        }
    }
    for (size_t c = 0; good && c < columns; c++)
        panel->series[c] =
            (struct plot_series){.label = table->columns.count ? pivot->column.item[c].text : NULL,
                                 .x = panel->value,
                                 .y = panel->value + (c + 1) * rows,
                                 .count = rows};
    panel->step = status == SIMSM_OK ? step_of(panel->value, rows) : 0;
    free(spot);
    return status;
}

/* Returns the name of a single key, without "param."; NULL if there are several keys or none. */
static const char *name_of(const struct texts *keys)
{
    static const char param[] = "param.";
    if (keys->count != 1)
        return NULL;
    const char *key = keys->item[0].text;
    return strncmp(key, param, sizeof param - 1) == 0 ? key + sizeof param - 1 : key;
}

/* Returns the label of the x axis: the name of the key, with its unit if it is a key of the
 * configuration. */
static const char *axis_of(const struct texts *keys, char text[FIGURE_TITLE])
{
    const char *name = name_of(keys);
    const int id = name ? schema_find_path(name) : -1;
    if (id < 0 || !schema_rows[id].unit[0])
        return name;
    (void)snprintf(text, FIGURE_TITLE, "%s, %s", name, schema_rows[id].unit);
    return text;
}

/* Returns whether the y axis goes up to 100: for a percentage whose largest value is above 50. */
static bool is_percentage(const struct pivot *pivot, const struct pivot_request *table)
{
    double most = 0;
    for (size_t i = 0; i < (size_t)pivot->row.count * pivot->column.count; i++)
        most = fmax(most, pivot->cell[i]); /* fmax() ignores NaN */
    return !table->baseline && strstr(table->metric, "pct") && most > 50 && most <= 100;
}

static struct plot plot_of(struct curve_panel *panel, const struct pivot_request *table,
                           const char *title)
{
    return (struct plot){
        .title = figure_title(table, title, panel->title),
        .x_label = axis_of(&table->rows, panel->key),
        .y_label = figure_axis(table, panel->axis),
        .x_step = panel->step,
        .legend = name_of(&table->columns),
        .series = panel->series,
        .series_count = panel->pivot.column.count,
        .dots = panel->pivot.row.count <= 40,
        .y_max = is_percentage(&panel->pivot, table) ? 100 : 0,
        .powers = table->baseline != NULL,
    };
}

enum simsm_status figure_curves(FILE *file, struct results *results,
                                const struct pivot_request *table, uint32_t panels,
                                const struct texts *titles, struct simsm_error *error)
{
    struct curve_panel *panel = calloc(panels + (size_t)1, sizeof *panel);
    struct plot *plot = calloc(panels + (size_t)1, sizeof *plot);
    enum simsm_status status = panel && plot ? SIMSM_OK : err_no_memory(error);
    for (uint32_t i = 0; panel && plot && i < panels && status == SIMSM_OK; i++) {
        struct pivot_request request = *table;
        if (i > 0) {
            request.metric = results->metrics.item[i].text;
            request.baseline = NULL;
        }
        status = pivot_make(&panel[i].pivot, results, &request, error);
        if (status == SIMSM_OK)
            status = fill(&panel[i], &request, error);
        plot[i] = plot_of(&panel[i], &request, i < titles->count ? titles->item[i].text : NULL);
    }
    if (status == SIMSM_OK)
        plot_svg(file, plot, panels, WIDTH, panels > 1 ? PANEL : HEIGHT);
    for (uint32_t i = 0; panel && i < panels; i++) {
        pivot_free(&panel[i].pivot);
        free(panel[i].series);
        free(panel[i].value);
    }
    free(panel);
    free(plot);
    return status;
}
