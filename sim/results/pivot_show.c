/* Pivot tables as text and as CSV. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/printable.h"
#include "results/pivot.h"
#include "sweep/titles.h"

enum { CELL = 512 };

static const char *number_text(double value, char text[CELL])
{
    if (isnan(value))
        (void)snprintf(text, CELL, "-");
    else if (value == floor(value) && fabs(value) < 1e15)
        (void)snprintf(text, CELL, "%.0f", value);
    else
        (void)snprintf(text, CELL, "%.4g", value);
    return text;
}

/* Writes the keys, separated by spaces, such as "kernel config". */
static const char *keys_text(const struct texts *keys, char text[CELL])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < keys->count && used < CELL - 80; i++)
        used +=
            (size_t)snprintf(text + used, CELL - used, "%s%.64s", i ? " " : "", keys->item[i].text);
    return text;
}

static int width_of_column(const struct pivot *pivot, uint32_t column)
{
    char text[CELL];
    int width = (int)strlen(pivot->column.item[column].text);
    for (uint32_t r = 0; r <= pivot->row.count; r++) {
        const double value = r == pivot->row.count
                                 ? pivot->mean[column]
                                 : pivot->cell[(size_t)r * pivot->column.count + column];
        const int needed = (int)strlen(number_text(value, text));
        width = needed > width ? needed : width;
    }
    return width;
}

static int width_of_labels(const struct pivot *pivot, const struct pivot_request *request)
{
    char text[CELL];
    int width = (int)strlen(keys_text(&request->rows, text));
    for (uint32_t r = 0; r < pivot->row.count; r++) {
        const int needed = (int)strlen(pivot->row.item[r].text);
        width = needed > width ? needed : width;
    }
    return request->baseline && width < (int)sizeof "geometric mean" - 1
               ? (int)sizeof "geometric mean" - 1
               : width;
}

static void text_line(FILE *file, const struct pivot *pivot, const char *label, int width,
                      const double *value)
{
    char text[CELL];
    (void)fprintf(file, "%-*s", width, printable(label, text, sizeof text));
    for (uint32_t c = 0; c < pivot->column.count; c++)
        (void)fprintf(file, "  %*s", width_of_column(pivot, c),
                      value ? number_text(value[c], text)
                            : printable(pivot->column.item[c].text, text, sizeof text));
    (void)fputc('\n', file);
}

void pivot_text(FILE *file, const struct pivot *pivot, const struct pivot_request *request)
{
    char text[CELL];
    const int width = width_of_labels(pivot, request);
    (void)fprintf(file, "%s", titles_of(request->metric));
    if (request->columns.count)
        (void)fprintf(file, " by %s", keys_text(&request->columns, text));
    if (request->baseline)
        (void)fprintf(file,
                      request->inverse ? ", that of %s divided by it" : ", relative to that of %s",
                      request->baseline);
    (void)fputs("\n", file);
    text_line(file, pivot, keys_text(&request->rows, text), width, NULL);
    for (uint32_t r = 0; r < pivot->row.count; r++)
        text_line(file, pivot, pivot->row.item[r].text, width,
                  pivot->cell + (size_t)r * pivot->column.count);
    if (request->baseline && pivot->row.count > 1)
        text_line(file, pivot, "geometric mean", width, pivot->mean);
    if (pivot->most > 1)
        (void)fprintf(file, "Figures are the %s of up to %u points each.\n",
                      pivot_reduce_names[request->reduce], pivot->most);
    if (pivot->left_out)
        (void)fprintf(file, "%u points are left out: they are not done.\n", pivot->left_out);
    if (pivot->without)
        (void)fprintf(file, "%u points have no such metric%s.\n", pivot->without,
                      request->baseline ? ", or no baseline" : "");
}

void pivot_csv(FILE *file, const struct pivot *pivot, const struct pivot_request *request)
{
    char text[CELL];
    const uint32_t columns = pivot->column.count;
    csv_cell(file, keys_text(&request->rows, text), columns ? ',' : '\n');
    for (uint32_t c = 0; c < columns; c++)
        csv_cell(file, pivot->column.item[c].text, c + 1 < columns ? ',' : '\n');
    for (uint32_t r = 0; r < pivot->row.count; r++) {
        csv_cell(file, pivot->row.item[r].text, ',');
        for (uint32_t c = 0; c < columns; c++) {
            const double value = pivot->cell[(size_t)r * columns + c];
            if (!isnan(value))
                (void)fprintf(file, "%.17g", value);
            (void)fputc(c + 1 < columns ? ',' : '\n', file);
        }
    }
}
