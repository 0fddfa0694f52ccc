/* Bar charts of pivot tables, and the titles of all pictures. */
#include "results/figure.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "draw/bar_chart.h"
#include "sweep/titles.h"

const char *const figure_names[FIGURE_KINDS] = {"bars", "curves", "stack", "scatter"};

enum { LEAST_WIDTH = 480, MOST_WIDTH = 1200, HEIGHT = 400 };

const char *figure_title(const struct pivot_request *table, const char *title,
                         char text[FIGURE_TITLE])
{
    if (title)
        return title;
    const char *metric = titles_of(table->metric);
    if (table->baseline && table->inverse)
        (void)snprintf(text, FIGURE_TITLE, "%.100s of %.100s divided by it", metric,
                       table->baseline);
    else
        (void)snprintf(text, FIGURE_TITLE, "%.100s%s%.100s", metric,
                       table->baseline ? ", relative to " : "",
                       table->baseline ? table->baseline : "");
    return text;
}

static unsigned width_for(size_t bars)
{
    const size_t width = 120 + bars * 34;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : (unsigned)width;
}

/* Returns the texts as an array with one more element, which is NULL. NULL if memory runs out. The
 * caller frees it. */
static const char **array_of(const struct texts *texts)
{
    const char **array = calloc(texts->count + (size_t)1, sizeof *array);
    for (uint32_t i = 0; array && i < texts->count; i++)
        array[i] = texts->item[i].text;
    return array;
}

const char *figure_axis(const struct pivot_request *table, char text[FIGURE_TITLE])
{
    if (!table->baseline)
        return titles_unit(table->metric);
    (void)snprintf(text, FIGURE_TITLE,
                   table->inverse ? "speedup over %.100s" : "relative to %.100s", table->baseline);
    return text;
}

enum simsm_status figure_bars(FILE *file, const struct pivot *pivot,
                              const struct pivot_request *table, const char *title,
                              struct simsm_error *error)
{
    const size_t rows = pivot->row.count, columns = pivot->column.count;
    const bool mean = table->baseline && rows > 1;
    char room[FIGURE_TITLE], axis[FIGURE_TITLE];
    const char **group = array_of(&pivot->row), **series = array_of(&pivot->column);
    double *value = calloc((rows + 1) * columns + 1, sizeof *value);
    if (group && series && value) {
        memcpy(value, pivot->cell, rows * columns * sizeof *value);
        memcpy(value + rows * columns, pivot->mean, columns * sizeof *value);
        group[rows] = "geometric mean";
        const struct bar_chart chart = {.title = figure_title(table, title, room),
                                        .y_label = figure_axis(table, axis),
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
