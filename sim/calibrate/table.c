#include "calibrate/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"
#include "calibrate/items.h"
#include "calibrate/point.h"

enum { TABLE_LIMIT = 4 << 20, MOST_POINTS = 20000 };

/* Makes the text of a point: the file up to the end of the item, blanked before the item, with
 * values inserted. */
static enum simsm_status text_of(const struct table *table, const struct table_item *item,
                                 const struct expand_values *values, char **text, size_t *size,
                                 struct simsm_error *error)
{
    char *part = NULL;
    size_t length = 0;
    *text = NULL;
    enum simsm_status status = expand(table->text + item->begin, item->end - item->begin, values,
                                      table->path, item->line, &part, &length, error);
    if (status != SIMSM_OK)
        return status;
    *size = item->begin + length;
    *text = malloc(*size + 1);
    for (size_t i = 0; *text && i < item->begin; i++)
        (*text)[i] = table->text[i] == '\n' ? '\n' : ' ';
    if (*text)
        memcpy(*text + item->begin, part, length + 1);
    free(part);
    return *text ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status read_item(const struct table *table, uint32_t item,
                                   const struct expand_values *values, struct point *point,
                                   struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum simsm_status status = text_of(table, &table->item[item], values, &text, &size, error);
    if (status == SIMSM_OK)
        status = point_read(point, text, size, error);
    free(text);
    return status;
}

/* Makes the full name, such as "name[stride=4,warps=8]"; a name that contains values stays as it
 * is. */
static void full_name(const struct table *table, const struct table_point *at,
                      char name[POINT_NAME])
{
    if (!at->values.count || table->item[at->item].named)
        return;
    for (uint32_t i = 0; i < at->values.count; i++) {
        size_t used = strlen(name);
        (void)snprintf(name + used, POINT_NAME - used, "%s%s=%s", i ? "," : "[", at->values.key[i],
                       at->values.value[i]);
    }
    size_t used = strlen(name);
    (void)snprintf(name + used, POINT_NAME - used, "]");
}

static enum simsm_status fill(const struct table *table, const struct table_point *at,
                              struct point *point, struct simsm_error *error)
{
    *point = (struct point){.result = {.step = 1, .over = 1.0}};
    (void)snprintf(point->plan.path, sizeof point->plan.path, "%s", table->path);
    enum simsm_status status = SIMSM_OK;
    if (table->item[0].end)
        status = read_item(table, 0, &at->values, point, error);
    if (status == SIMSM_OK)
        status = read_item(table, at->item, &at->values, point, error);
    if (status == SIMSM_OK)
        status = point_check(point, table->item[at->item].line, error);
    if (status == SIMSM_OK)
        full_name(table, at, point->name);
    return status;
}

enum simsm_status table_point(const struct table *table, uint32_t index, struct point *point,
                              struct simsm_error *error)
{
    return fill(table, &table->point[index], point, error);
}

static enum simsm_status check_name(const struct table *table, const struct table_point *at,
                                    struct simsm_error *error)
{
    for (const struct table_point *other = table->point; other < at; other++)
        if (strcmp(other->name, at->name) == 0)
            return err_at(error, SIMSM_BAD_INPUT, table->path, table->item[at->item].line, 0,
                          "there is a second point '%s'", at->name);
    return SIMSM_OK;
}

/* Sets the combination of values with the given number; the last key's value changes fastest. */
static void choose(const struct table_item *item, uint64_t number, struct expand_values *values)
{
    values->count = item->eaches;
    for (uint32_t i = item->eaches; i-- > 0;) {
        const struct table_each *each = &item->each[i];
        values->key[i] = each->key;
        values->value[i] = each->value[number % each->count];
        number /= each->count;
    }
}

static enum simsm_status add_points(struct table *table, uint32_t item, struct point *point,
                                    struct simsm_error *error)
{
    uint64_t combinations = 1;
    for (uint32_t i = 0; i < table->item[item].eaches; i++)
        combinations *= table->item[item].each[i].count;
    if (combinations > MOST_POINTS - table->points)
        return err_at(error, SIMSM_BAD_INPUT, table->path, table->item[item].line, 0,
                      "with this `each` the table has more than %d points", MOST_POINTS);
    struct table_point *more =
        realloc(table->point, (size_t)(table->points + combinations) * sizeof *more);
    if (!more)
        return err_no_memory(error);
    table->point = more;
    enum simsm_status status = SIMSM_OK;
    for (uint64_t i = 0; status == SIMSM_OK && i < combinations; i++) {
        struct table_point *at = &table->point[table->points];
        *at = (struct table_point){.item = item};
        choose(&table->item[item], i, &at->values);
        status = fill(table, at, point, error);
        point_free(point);
        (void)snprintf(at->name, sizeof at->name, "%s", point->name);
        at->slow = point->slow;
        if (status == SIMSM_OK)
            status = check_name(table, at, error);
        table->points++;
    }
    return status;
}

/* Sets the table's name: "alu" for "cuda/calib/alu.yaml". */
static enum simsm_status name_table(struct table *table, const char *path,
                                    struct simsm_error *error)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t length = dot ? (size_t)(dot - base) : strlen(base);
    if (strlen(path) >= sizeof table->path || length >= sizeof table->name)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "the name of this table is too long");
    (void)snprintf(table->path, sizeof table->path, "%s", path);
    (void)snprintf(table->name, sizeof table->name, "%.*s", (int)length, base);
    return SIMSM_OK;
}

enum simsm_status table_open(struct table *table, const char *path, struct simsm_error *error)
{
    *table = (struct table){.size = 0};
    struct point *point = malloc(sizeof *point);
    enum simsm_status status = point ? name_table(table, path, error) : err_no_memory(error);
    if (status == SIMSM_OK)
        status =
            infile_read(path, "table of points", TABLE_LIMIT, &table->text, &table->size, error);
    if (status == SIMSM_OK)
        status = items_read(table, error);
    for (uint32_t i = 1; status == SIMSM_OK && i < table->items; i++)
        status = add_points(table, i, point, error);
    free(point);
    if (status != SIMSM_OK)
        table_close(table);
    return status;
}

void table_close(struct table *table)
{
    items_free(table);
    free(table->point);
    free(table->text);
    *table = (struct table){.size = 0};
}
