/* The rows of results as a table for a terminal, as CSV and as JSON. */
#include "results/results_list.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/printable.h"
#include "sweep/titles.h"

enum { CELL = 512 };

/* A column of the table. */
struct list_column {
    const char *title, *key; /* key NULL: the column of a metric */
    int metric, width;
};

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

static const char *cell(struct results *results, const struct results_row *row,
                        const struct list_column *column, char text[CELL])
{
    if (!column->key)
        return number_text(row->value[column->metric], text);
    const char *value = results_field(results, row, column->key);
    return printable(value ? value : "-", text, CELL);
}

static bool has_launches(const struct results *results)
{
    for (uint32_t i = 0; i < results->rows; i++) {
        if (results->row[i].launch)
            return true;
    }
    return false;
}

/* Fills the columns with titles and widths. Returns their number. */
static uint32_t choose(struct results *results, struct list_column *column)
{
    uint32_t count = 0;
    column[count++] = (struct list_column){.title = "point", .key = "point"};
    column[count++] = (struct list_column){.title = "config", .key = "config"};
    column[count++] = (struct list_column){.title = "kernel", .key = "kernel"};
    if (has_launches(results))
        column[count++] = (struct list_column){.title = "launch", .key = "launch"};
    for (uint32_t i = 0; i < results->varied.count; i++)
        column[count++] = (struct list_column){.title = results->varied.item[i].text,
                                               .key = results->varied.item[i].text};
    column[count++] = (struct list_column){.title = "state", .key = "state"};
    for (uint32_t i = 0; i < results->metrics.count; i++)
        column[count++] = (struct list_column){.title = titles_of(results->metrics.item[i].text),
                                               .metric = (int)i};
    for (uint32_t c = 0; c < count; c++) {
        column[c].width = (int)strlen(column[c].title);
        for (uint32_t i = 0; i < results->rows; i++) {
            char text[CELL];
            const int width = (int)strlen(cell(results, &results->row[i], &column[c], text));
            column[c].width = width > column[c].width ? width : column[c].width;
        }
    }
    return count;
}

static void print_row(FILE *file, struct results *results, const struct results_row *row,
                      const struct list_column *column, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) {
        char text[CELL];
        if (!column[c].key && strcmp(row->state, "done") != 0)
            break;
        const char *value = cell(results, row, &column[c], text);
        (void)fprintf(file, column[c].key ? "%s%-*s" : "%s%*s", c ? "  " : "", column[c].width,
                      value);
    }
    if (row->reason) {
        char text[1200];
        (void)fprintf(file, "  %s", printable(row->reason, text, sizeof text));
    }
    (void)fputc('\n', file);
}

void list_text(FILE *file, struct results *results)
{
    const size_t most = 8 + results->varied.count + results->metrics.count;
    struct list_column *column = calloc(most, sizeof *column);
    if (!column)
        return;
    const uint32_t count = choose(results, column);
    for (uint32_t c = 0; c < count; c++)
        (void)fprintf(file, column[c].key ? "%s%-*s" : "%s%*s", c ? "  " : "", column[c].width,
                      column[c].title);
    (void)fputc('\n', file);
    for (uint32_t i = 0; i < results->rows; i++)
        print_row(file, results, &results->row[i], column, count);
    free(column);
}

/* Fields of a row besides varied keys and metrics, in CSV and JSON: before the metrics, and after
 * them. */
static const char *const about[] = {"sweep", "point", "config", "kernel", "launch", "state"};
static const char *const further[] = {"reason", "function", "version", "identity", "finished"};

enum { ABOUTS = sizeof about / sizeof about[0], FURTHERS = sizeof further / sizeof further[0] };

static const char *about_text(struct results *results, const struct results_row *row, size_t which)
{
    const char *value = which ? results_field(results, row, about[which]) : results->sweep;
    return value ? value : "";
}

static const char *further_text(const struct results_row *row, size_t which)
{
    const char *const texts[FURTHERS] = {row->reason, row->function, row->version, row->identity,
                                         row->finished};
    return texts[which] ? texts[which] : "";
}

static void csv_head(FILE *file, const struct results *results)
{
    for (size_t i = 0; i < ABOUTS; i++)
        csv_cell(file, about[i], ',');
    for (uint32_t i = 0; i < results->varied.count; i++)
        csv_cell(file, results->varied.item[i].text, ',');
    for (uint32_t i = 0; i < results->metrics.count; i++)
        csv_cell(file, results->metrics.item[i].text, ',');
    for (size_t i = 0; i < FURTHERS; i++)
        csv_cell(file, further[i], ',');
    (void)fprintf(file, "wall_seconds,cpu_seconds,peak_bytes\n");
}

void list_csv(FILE *file, struct results *results)
{
    csv_head(file, results);
    for (uint32_t r = 0; r < results->rows; r++) {
        const struct results_row *row = &results->row[r];
        for (size_t i = 0; i < ABOUTS; i++)
            csv_cell(file, about_text(results, row, i), ',');
        for (uint32_t i = 0; i < results->varied.count; i++) {
            const char *value = results_field(results, row, results->varied.item[i].text);
            csv_cell(file, value ? value : "", ',');
        }
        for (uint32_t i = 0; i < results->metrics.count; i++) {
            if (!isnan(row->value[i]))
                (void)fprintf(file, "%.17g", row->value[i]);
            (void)fputc(',', file);
        }
        for (size_t i = 0; i < FURTHERS; i++)
            csv_cell(file, further_text(row, i), ',');
        (void)fprintf(file, "%.6f,%.6f,%.0f\n", row->wall_seconds, row->cpu_seconds,
                      row->peak_bytes);
    }
}

/* Sets a field of an object to a text; NULL gives null. Returns nonzero on failure. jansson's
 * functions ending in _new take over the value even when they fail. */
static int put(json_t *object, const char *key, const char *text)
{
    char safe[CELL];
    json_t *value = text ? json_string(text) : json_null();
    if (!value)
        value = json_string(printable(text, safe, sizeof safe));
    return json_object_set_new(object, key, value);
}

static json_t *row_object(struct results *results, const struct results_row *row, int *bad)
{
    json_t *object = json_object(), *varied = json_object(), *metrics = json_object();
    for (size_t i = 0; i < ABOUTS; i++)
        *bad |= put(object, about[i], about_text(results, row, i));
    for (uint32_t i = 0; i < results->varied.count; i++) {
        const char *key = results->varied.item[i].text;
        const char *value = results_field(results, row, key);
        if (value)
            *bad |= put(varied, key, value);
    }
    for (uint32_t i = 0; i < results->metrics.count; i++) {
        json_t *value = isnan(row->value[i]) ? json_null() : json_real(row->value[i]);
        *bad |= json_object_set_new(metrics, results->metrics.item[i].text, value);
    }
    *bad |= json_object_set_new(object, "varied", varied);
    *bad |= json_object_set_new(object, "metrics", metrics);
    for (size_t i = 0; i < FURTHERS; i++)
        *bad |= put(object, further[i], further_text(row, i));
    *bad |= json_object_set_new(object, "wall_seconds", json_real(row->wall_seconds));
    *bad |= json_object_set_new(object, "cpu_seconds", json_real(row->cpu_seconds));
    return object;
}

enum simsm_status list_json(FILE *file, struct results *results, struct simsm_error *error)
{
    json_t *array = json_array();
    int bad = !array;
    for (uint32_t i = 0; i < results->rows && !bad; i++)
        bad |= json_array_append_new(array, row_object(results, &results->row[i], &bad));
    if (!bad && json_dumpf(array, file, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0)
        (void)fputc('\n', file); /* the caller finds write errors */
    json_decref(array);
    return bad ? err_no_memory(error) : SIMSM_OK;
}
