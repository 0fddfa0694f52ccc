#include "results/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "draw/bar_chart.h"
#include "draw/plot.h"
#include "sweep/titles.h"

const char *const figure_names[FIGURE_KINDS] = {"bars", "curves", "stack", "scatter"};

enum { TITLE = 256, LEAST_WIDTH = 480, MOST_WIDTH = 1600, HEIGHT = 400 };

/* "IPC, relative to that of sm.scheduler=lrr" */
static const char *title_of(const struct pivot_request *table, const char *title, char text[TITLE])
{
    if (title)
        return title;
    const char *metric = titles_of(table->metric);
    if (table->baseline && table->inverse)
        (void)snprintf(text, TITLE, "%.100s of %.100s divided by it", metric, table->baseline);
    else
        (void)snprintf(text, TITLE, "%.100s%s%.100s", metric,
                       table->baseline ? ", relative to " : "",
                       table->baseline ? table->baseline : "");
    return text;
}

static unsigned width_for(size_t bars)
{
    const size_t width = 120 + bars * 34;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : (unsigned)width;
}

/* The texts of a list as an array, with room for one more, to be freed; NULL: no memory. */
static const char **array_of(const struct texts *texts)
{
    const char **array = calloc(texts->count + (size_t)1, sizeof *array);
    for (uint32_t i = 0; array && i < texts->count; i++)
        array[i] = texts->item[i].text;
    return array;
}

enum simsm_status figure_bars(FILE *file, const struct pivot *pivot,
                              const struct pivot_request *table, const char *title,
                              struct simsm_error *error)
{
    const size_t rows = pivot->row.count, columns = pivot->column.count;
    const bool mean = table->baseline && rows > 1;
    char room[TITLE];
    const char **group = array_of(&pivot->row), **series = array_of(&pivot->column);
    double *value = calloc((rows + 1) * columns + 1, sizeof *value);
    if (group && series && value) {
        memcpy(value, pivot->cell, rows * columns * sizeof *value);
        memcpy(value + rows * columns, pivot->mean, columns * sizeof *value);
        group[rows] = "geometric mean";
        const struct bar_chart chart = {.title = title_of(table, title, room),
                                        .y_label = titles_of(table->metric),
                                        .group = group,
                                        .series = series,
                                        .groups = rows + mean,
                                        .count = columns,
                                        .value = value,
                                        .guide = table->baseline ? 1 : 0,
                                        .apart = mean};
        bar_chart_svg(file, &chart, width_for((rows + mean) * (columns + 1)), HEIGHT);
    }
    const bool good = group && series && value;
    free((void *)group);
    free((void *)series);
    free(value);
    return good ? SIMSM_OK : err_no_memory(error);
}

/* A row of the table on the x axis. */
struct spot {
    double x;
    uint32_t row;
};

static int by_x(const void *a, const void *b)
{
    const double x = ((const struct spot *)a)->x, y = ((const struct spot *)b)->x;
    return (x > y) - (x < y);
}

static enum simsm_status find_spots(const struct pivot *pivot, const struct pivot_request *table,
                                    struct spot *spot, struct simsm_error *error)
{
    for (uint32_t r = 0; r < pivot->row.count; r++) {
        const char *label = pivot->row.item[r].text;
        char *end;
        spot[r] = (struct spot){strtod(label, &end), r};
        if (end == label || *end || !isfinite(spot[r].x))
            return err_set(error, SIMSM_BAD_INPUT,
                           "--draw curves: %s '%s' is no number; choose a key with numbers with "
                           "--rows, or --draw bars",
                           table->rows.item[0].text, label);
    }
    qsort(spot, pivot->row.count, sizeof *spot, by_x);
    return SIMSM_OK;
}

enum simsm_status figure_curves(FILE *file, const struct pivot *pivot,
                                const struct pivot_request *table, const char *title,
                                struct simsm_error *error)
{
    const size_t rows = pivot->row.count, columns = pivot->column.count;
    char room[TITLE];
    struct spot *spot = calloc(rows + 1, sizeof *spot);
    struct plot_series *series = calloc(columns + 1, sizeof *series);
    double *value = calloc((columns + 1) * rows + 1, sizeof *value);
    const bool good = spot && series && value;
    enum simsm_status status = good ? find_spots(pivot, table, spot, error) : err_no_memory(error);
    for (size_t i = 0; good && i < rows && status == SIMSM_OK; i++) {
        value[i] = spot[i].x;
        for (size_t c = 0; c < columns; c++)
            value[(c + 1) * rows + i] = pivot->cell[spot[i].row * columns + c];
    }
    for (size_t c = 0; good && c < columns && status == SIMSM_OK; c++)
        series[c] =
            (struct plot_series){.label = table->columns.count ? pivot->column.item[c].text : NULL,
                                 .x = value,
                                 .y = value + (c + 1) * rows,
                                 .count = rows};
    const struct plot plot = {.title = title_of(table, title, room),
                              .x_label = table->rows.count ? table->rows.item[0].text : NULL,
                              .series = series,
                              .series_count = columns,
                              .dots = rows <= 40};
    if (status == SIMSM_OK)
        plot_svg(file, &plot, 1, 800, 480);
    free(spot);
    free(series);
    free(value);
    return status;
}
