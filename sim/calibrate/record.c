#include "calibrate/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/infile.h"
#include "base/outfile.h"

enum { RECORD_LIMIT = 16 << 20 };
enum record_column { FILE_, POINT_, UNIT_, VALUE_, MIN_, MAX_, RUNS_, NOTE_, COLUMNS };

static const char *const names[COLUMNS] = {"file", "point", "unit", "value",
                                           "min",  "max",   "runs", "note"};

static enum simsm_status put(struct csv_reader *csv, char *field, size_t size, const char *text)
{
    if (strlen(text) >= size)
        return csv_fail(csv, "a text of at most %zu bytes is expected", size - 1);
    (void)snprintf(field, size, "%s", text);
    return SIMSM_OK;
}

static enum simsm_status put_value(struct csv_reader *csv, struct record_row *row,
                                   char *const cell[COLUMNS])
{
    char *end;
    row->has_value = *cell[VALUE_] != '\0';
    row->is_list = row->has_value && !*cell[MIN_];
    if (row->is_list) {
        row->list = strdup(cell[VALUE_]);
        return row->list ? SIMSM_OK : err_no_memory(csv->error);
    }
    double *const to[] = {&row->value, &row->min, &row->max};
    for (int i = 0; row->has_value && i < 3; i++) {
        *to[i] = strtod(cell[VALUE_ + i], &end);
        if (end == cell[VALUE_ + i] || *end || !isfinite(*to[i]) || *to[i] < 0.0)
            return csv_fail(csv, "%s: a number of 0 or more is expected, found '%.40s'",
                            names[VALUE_ + i], cell[VALUE_ + i]);
    }
    return SIMSM_OK;
}

static enum simsm_status read_row(struct csv_reader *csv, struct record *record)
{
    struct record_row row = {.value = 0.0};
    char **cell = csv->cell;
    enum simsm_status status = put(csv, row.file, sizeof row.file, cell[FILE_]);
    if (status == SIMSM_OK)
        status = put(csv, row.point, sizeof row.point, cell[POINT_]);
    if (status == SIMSM_OK)
        status = put(csv, row.unit, sizeof row.unit, cell[UNIT_]);
    if (status == SIMSM_OK)
        status = put(csv, row.note, sizeof row.note, cell[NOTE_]);
    row.runs = (uint32_t)strtoul(cell[RUNS_], NULL, 10);
    if (status == SIMSM_OK)
        status = put_value(csv, &row, cell);
    if (status == SIMSM_OK && record_find(record, row.file, row.point))
        status = csv_fail(csv, "there is a second row for %s %s", row.file, row.point);
    if (status == SIMSM_OK && record_put(record, &row))
        return SIMSM_OK;
    free(row.list);
    return status == SIMSM_OK ? err_no_memory(csv->error) : status;
}

enum simsm_status record_read(struct record *record, const char *path, struct simsm_error *error)
{
    struct csv_reader csv;
    *record = (struct record){.rows = 0};
    enum simsm_status status =
        csv_open(&csv, path, "table of measured points", names, COLUMNS, RECORD_LIMIT, error);
    while (status == SIMSM_OK && csv_next(&csv, &status))
        status = read_row(&csv, record);
    csv_close(&csv);
    return status;
}

void record_free(struct record *record)
{
    for (size_t i = 0; i < record->rows; i++)
        free(record->row[i].list);
    free(record->row);
    *record = (struct record){.rows = 0};
}

/* Returns the index of a point's row, or record->rows if there is none. */
static size_t find(const struct record *record, const char *file, const char *point)
{
    size_t i = 0;
    while (i < record->rows &&
           (strcmp(record->row[i].file, file) != 0 || strcmp(record->row[i].point, point) != 0))
        i++;
    return i;
}

const struct record_row *record_find(const struct record *record, const char *file,
                                     const char *point)
{
    size_t i = find(record, file, point);
    return i < record->rows ? &record->row[i] : NULL;
}

bool record_put(struct record *record, const struct record_row *row)
{
    const size_t i = find(record, row->file, row->point);
    if (i < record->rows) {
        free(record->row[i].list);
    } else if (record->rows == record->room) {
        size_t room = record->room ? 2 * record->room : 64;
        struct record_row *more = realloc(record->row, room * sizeof *more);
        if (!more)
            return false;
        record->row = more;
        record->room = room;
    }
    record->row[i] = *row;
    record->rows += i == record->rows;
    return true;
}

static void write_row(FILE *file, const struct record_row *row)
{
    csv_cell(file, row->file, ',');
    csv_cell(file, row->point, ',');
    csv_cell(file, row->unit, ',');
    if (!row->has_value)
        (void)fputs(",,,", file);
    else if (row->is_list)
        (void)fprintf(file, "%s,,,", row->list);
    else
        (void)fprintf(file, "%.9g,%.9g,%.9g,", row->value, row->min, row->max);
    (void)fprintf(file, "%u,", row->runs);
    csv_cell(file, row->note, '\n');
}

/* Returns the name of the table that follows `last` in alphabetical order (NULL: the first), or
 * NULL. */
static const char *next_table(const struct record *record, const char *last)
{
    const char *next = NULL;
    for (size_t i = 0; i < record->rows; i++) {
        const char *name = record->row[i].file;
        if ((!last || strcmp(name, last) > 0) && (!next || strcmp(name, next) < 0))
            next = name;
    }
    return next;
}

enum simsm_status record_write(const struct record *record, const char *path,
                               struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    for (int i = 0; i < COLUMNS; i++)
        csv_cell(out.file, names[i], i + 1 < COLUMNS ? ',' : '\n');
    for (const char *table = next_table(record, NULL); table; table = next_table(record, table))
        for (size_t i = 0; i < record->rows; i++)
            if (strcmp(record->row[i].file, table) == 0)
                write_row(out.file, &record->row[i]);
    return outfile_commit(&out, error);
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void record_fill(struct record_row *row, const struct table *table, const struct point *point,
                 const struct measured *measured, uint32_t runs)
{
    double value[64];
    *row = (struct record_row){.runs = runs, .has_value = runs > 0};
    (void)snprintf(row->file, sizeof row->file, "%s", table->name);
    (void)snprintf(row->point, sizeof row->point, "%s", point->name);
    (void)snprintf(row->unit, sizeof row->unit, "%s", point->unit);
    row->is_list = runs && measured[0].text[0];
    row->list = row->is_list ? strdup(measured[0].text) : NULL;
    for (uint32_t i = 1; row->is_list && i < runs; i++)
        if (strcmp(measured[i].text, measured[0].text) != 0)
            (void)snprintf(row->note, sizeof row->note, "runs differ; this is the first");
    if (!runs || row->is_list)
        return;
    const uint32_t count = runs < 64 ? runs : 64;
    for (uint32_t i = 0; i < count; i++)
        value[i] = measured[i].value;
    qsort(value, count, sizeof value[0], ascending);
    row->min = value[0];
    row->max = value[count - 1];
    row->value = count % 2 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2.0;
}
