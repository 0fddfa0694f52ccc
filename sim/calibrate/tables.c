#include "calibrate/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "config/config_files.h"

struct opening {
    struct tables *tables;
    struct simsm_error *error;
    enum simsm_status status;
    bool any; /* the folder has a table, chosen or not */
};

/* Returns the length of the table's name in "NAME/POINT". */
static size_t table_part(const char *name)
{
    return strcspn(name, "/");
}

static bool names_table(const char *name, const char *table)
{
    return strlen(table) == table_part(name) && strncmp(name, table, strlen(table)) == 0;
}

static bool names_point(const char *name, const char *table, const char *point)
{
    const char *wanted = name + table_part(name);
    if (!names_table(name, table))
        return false;
    size_t length = *wanted ? strlen(++wanted) : 0;
    return !length ||
           (strncmp(point, wanted, length) == 0 && (point[length] == '\0' || point[length] == '['));
}

static bool wants_table(const struct tables *tables, const char *table)
{
    for (uint32_t i = 0; i < tables->name_count; i++)
        if (names_table(tables->names[i], table))
            return true;
    return !tables->name_count;
}

bool tables_chosen(const struct tables *tables, const struct table *table, uint32_t point)
{
    for (uint32_t i = 0; i < tables->name_count; i++)
        if (names_point(tables->names[i], table->name, table->point[point].name))
            return true;
    return !tables->name_count;
}

static void open_one(const char *name, const char *path, void *user)
{
    struct opening *o = user;
    struct tables *t = o->tables;
    o->any = true;
    if (o->status != SIMSM_OK || !wants_table(t, name))
        return;
    struct table *more = realloc(t->table, (t->count + 1u) * sizeof *more);
    if (!more) {
        o->status = err_no_memory(o->error);
        return;
    }
    t->table = more;
    o->status = table_open(&t->table[t->count], path, o->error);
    t->count += o->status == SIMSM_OK;
}

static bool fits_any(const struct tables *tables, const char *name)
{
    for (uint32_t i = 0; i < tables->count; i++)
        for (uint32_t k = 0; k < tables->table[i].points; k++)
            if (names_point(name, tables->table[i].name, tables->table[i].point[k].name))
                return true;
    return false;
}

enum simsm_status tables_open(struct tables *tables, const char *folder, const char *const *names,
                              uint32_t name_count, struct simsm_error *error)
{
    *tables = (struct tables){.folder = folder, .names = names, .name_count = name_count};
    struct opening opening = {.tables = tables, .error = error, .status = SIMSM_OK};
    config_files_in(folder, open_one, &opening);
    if (opening.status != SIMSM_OK)
        return opening.status;
    if (!opening.any)
        return err_at(
            error, SIMSM_BAD_INPUT, folder, 0, 0,
            "has no tables of points (*.yaml): say with --tables where they are, or go to "
            "the top of the source tree");
    for (uint32_t i = 0; i < name_count; i++)
        if (!fits_any(tables, names[i]))
            return err_at(error, SIMSM_BAD_INPUT, folder, 0, 0,
                          "has no table or point '%.100s'; names are those of its files without "
                          "\".yaml\", or TABLE/POINT",
                          names[i]);
    return SIMSM_OK;
}

void tables_close(struct tables *tables)
{
    for (uint32_t i = 0; i < tables->count; i++)
        table_close(&tables->table[i]);
    free(tables->table);
    tables->table = NULL;
    tables->count = 0;
}

void tables_cubin(const struct tables *tables, const struct table *table, uint32_t sm,
                  char path[PLAN_PATH])
{
    for (uint32_t minor = sm % 10u + 1u; minor-- > 0;) {
        (void)snprintf(path, PLAN_PATH, "%s/sm_%u/%s.cubin", tables->folder, sm - sm % 10u + minor,
                       table->name);
        if (access(path, F_OK) == 0)
            return;
    }
    (void)snprintf(path, PLAN_PATH, "%s/sm_%u/%s.cubin", tables->folder, sm, table->name);
}
