/* Makes pivot tables: places points in cells and combines the figures of a cell. */
#include "results/pivot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "results/results_baseline.h"

const char *const pivot_reduce_names[PIVOT_REDUCES] = {"mean", "geomean", "sum", "min", "max"};

char *pivot_label(struct results *results, const struct results_row *row, const struct texts *keys)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    for (uint32_t i = 0; file && i < keys->count; i++) {
        const char *value = results_field(results, row, keys->item[i].text);
        (void)fprintf(file, "%s%s", i ? " " : "", value ? value : "-");
    }
    if (file && fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

uint32_t pivot_place(struct texts *labels, const char *label)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        if (strcmp(labels->item[i].text, label) == 0)
            return i;
    }
    return texts_add(labels, label, 0, 0) ? labels->count - 1 : UINT32_MAX;
}

double pivot_geomean(const double *value, uint32_t count, uint32_t stride)
{
    double sum = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(value[(size_t)i * stride] > 0))
            continue;
        sum += log(value[(size_t)i * stride]);
        used++;
    }
    return used ? exp(sum / used) : NAN;
}

/* Adds a figure to the value `before` of a cell that has `points` figures. The value is a sum of
 * logarithms for PIVOT_GEOMEAN. */
static double add_figure(enum pivot_reduce reduce, double before, uint32_t points, double figure)
{
    if (!points)
        return reduce == PIVOT_GEOMEAN ? log(figure) : figure;
    switch (reduce) {
    case PIVOT_GEOMEAN:
        return before + log(figure);
    case PIVOT_MIN:
        return fmin(before, figure);
    case PIVOT_MAX:
        return fmax(before, figure);
    default:
        return before + figure;
    }
}

static double finish_figure(enum pivot_reduce reduce, double sum, uint32_t points)
{
    if (!points)
        return NAN;
    if (reduce == PIVOT_GEOMEAN)
        return exp(sum / points);
    return reduce == PIVOT_MEAN ? sum / points : sum;
}

static enum simsm_status check_keys(struct results *results, const struct texts *keys,
                                    const char *option, struct simsm_error *error)
{
    for (uint32_t i = 0; i < keys->count; i++) {
        if (!results_has(results, keys->item[i].text))
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s %s: no point has this key; expected config, kernel, launch, a "
                           "varied key or a key of the configuration",
                           option, keys->item[i].text);
    }
    return SIMSM_OK;
}

/* The cell of each row of the results. */
struct pivot_places {
    uint32_t *row, *column; /* [results.rows] */
};

static enum simsm_status find_places(struct pivot *pivot, struct results *results,
                                     const struct pivot_request *request,
                                     struct pivot_places *places, struct simsm_error *error)
{
    for (uint32_t i = 0; i < results->rows; i++) {
        char *row = pivot_label(results, &results->row[i], &request->rows);
        char *column = pivot_label(results, &results->row[i], &request->columns);
        const bool good = row && column;
        places->row[i] = good ? pivot_place(&pivot->row, row) : UINT32_MAX;
        places->column[i] = good ? pivot_place(&pivot->column, column) : UINT32_MAX;
        free(row);
        free(column);
        if (places->row[i] == UINT32_MAX || places->column[i] == UINT32_MAX)
            return err_no_memory(error);
    }
    return SIMSM_OK;
}

static void fill(struct pivot *pivot, const struct results *results,
                 const struct pivot_request *request, const struct pivot_places *places,
                 const double *figure)
{
    for (uint32_t i = 0; i < results->rows; i++) {
        const size_t cell = (size_t)places->row[i] * pivot->column.count + places->column[i];
        if (strcmp(results->row[i].state, "done") != 0) {
            pivot->left_out++;
            continue;
        }
        if (isnan(figure[i])) {
            pivot->without++;
            continue;
        }
        pivot->cell[cell] =
            add_figure(request->reduce, pivot->cell[cell], pivot->points[cell], figure[i]);
        pivot->points[cell]++;
        if (pivot->points[cell] > pivot->most)
            pivot->most = pivot->points[cell];
    }
    const uint32_t rows = pivot->row.count, columns = pivot->column.count;
    for (size_t cell = 0; cell < (size_t)rows * columns; cell++)
        pivot->cell[cell] = finish_figure(request->reduce, pivot->cell[cell], pivot->points[cell]);
    for (uint32_t c = 0; c < columns; c++)
        pivot->mean[c] = request->baseline ? pivot_geomean(pivot->cell + c, rows, columns) : NAN;
}

/* Writes the figure of each row of the results into figure[results->rows]. NaN if the row has no
 * value, or no baseline. */
static enum simsm_status find_figures(struct results *results, const struct pivot_request *request,
                                      double *figure, struct simsm_error *error)
{
    const int metric = results_metric(results, request->metric);
    SIMSM_CHECK(metric >= 0, "the metric '%s' of the table is not among the %u that were read",
                request->metric, results->metrics.count);
    for (uint32_t i = 0; i < results->rows; i++)
        figure[i] = results->row[i].value[metric];
    return request->baseline
               ? baseline_relate(results, request->baseline, request->inverse, figure, error)
               : SIMSM_OK;
}

/* Computes the table. `places` and `figure` have room for all rows of the results. */
static enum simsm_status make_cells(struct pivot *pivot, struct results *results,
                                    const struct pivot_request *request,
                                    struct pivot_places *places, double *figure,
                                    struct simsm_error *error)
{
    enum simsm_status status = check_keys(results, &request->rows, "--rows", error);
    if (status == SIMSM_OK)
        status = check_keys(results, &request->columns, "--columns", error);
    if (status == SIMSM_OK)
        status = find_figures(results, request, figure, error);
    if (status == SIMSM_OK)
        status = find_places(pivot, results, request, places, error);
    if (status != SIMSM_OK)
        return status;
    const size_t cells = (size_t)pivot->row.count * pivot->column.count;
    pivot->cell = calloc(cells + 1, sizeof *pivot->cell);
    pivot->points = calloc(cells + 1, sizeof *pivot->points);
    pivot->mean = calloc(pivot->column.count + (size_t)1, sizeof *pivot->mean);
    if (!pivot->cell || !pivot->points || !pivot->mean)
        return err_no_memory(error);
    fill(pivot, results, request, places, figure);
    return SIMSM_OK;
}

enum simsm_status pivot_make(struct pivot *pivot, struct results *results,
                             const struct pivot_request *request, struct simsm_error *error)
{
    *pivot = (struct pivot){0};
    const size_t rows = results->rows ? results->rows : 1;
    struct pivot_places places = {calloc(rows, sizeof(uint32_t)), calloc(rows, sizeof(uint32_t))};
    double *figure = calloc(rows, sizeof *figure);
    enum simsm_status status = places.row && places.column && figure
                                   ? make_cells(pivot, results, request, &places, figure, error)
                                   : err_no_memory(error);
    free(places.row);
    free(places.column);
    free(figure);
    return status;
}

void pivot_free(struct pivot *pivot)
{
    texts_free(&pivot->row);
    texts_free(&pivot->column);
    free(pivot->cell);
    free(pivot->points);
    free(pivot->mean);
    *pivot = (struct pivot){0};
}
