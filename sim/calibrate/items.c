#include "calibrate/items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "exec/launch/plan_values.h"

enum { MOST_ITEMS = 4096 };

struct items_reader {
    struct plan_reader plan; /* first member, as the functions of plan_values.h require */
    struct table *table;
    uint32_t room;
};

static enum simsm_status each_values(struct plan_reader *p, struct table_each *each)
{
    if (p->yaml.event.type != YAML_SEQUENCE_START_EVENT)
        return plan_fail(p, "a list of values such as [1, 2, 4]");
    each->value = calloc(EACH_VALUES, sizeof *each->value);
    if (!each->value)
        return err_no_memory(p->yaml.error);
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_SEQUENCE_END_EVENT) {
        if (each->count == EACH_VALUES)
            return plan_fail(p, "a list of at most 64 values");
        status = plan_text(p, each->value[each->count++], EXPAND_TEXT, "a value");
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status == SIMSM_OK && !each->count ? plan_fail(p, "at least one value") : status;
}

static enum simsm_status each_value(struct plan_reader *p, struct table_item *item)
{
    if (p->yaml.event.type != YAML_MAPPING_START_EVENT)
        return plan_fail(p, "a mapping of names to lists, such as {stride: [1, 2, 4]}");
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_MAPPING_END_EVENT) {
        if (item->eaches == EXPAND_KEYS)
            return plan_fail(p, "at most 6 names in one `each`");
        struct table_each *each = &item->each[item->eaches++];
        status = plan_text(p, each->key, EXPAND_TEXT, "a name");
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
        if (status == SIMSM_OK)
            status = each_values(p, each);
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

/* Returns the offset of a place in the table's text; lines count from 1. */
static size_t byte_of(const struct table *table, struct yaml_place place)
{
    const char *at = table->text, *end = table->text + table->size;
    for (uint32_t line = 1; line < place.line; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    size_t byte = (size_t)(at - table->text) + place.column - 1;
    return byte < table->size ? byte : table->size;
}

/* Reads the extent of a mapping and its key `each`. The other keys are read later (point.c). */
static enum simsm_status read_item(struct items_reader *r, struct table_item *item)
{
    struct plan_reader *p = &r->plan;
    if (p->yaml.event.type != YAML_MAPPING_START_EVENT)
        return plan_fail(p, "the keys of a point with their values");
    item->line = yaml_reader_place(&p->yaml).line;
    item->begin = byte_of(r->table, yaml_reader_place(&p->yaml));
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_MAPPING_END_EVENT) {
        const char *key = yaml_reader_scalar(&p->yaml);
        bool each = key && strcmp(key, "each") == 0 && !item->eaches;
        bool name = key && strcmp(key, "name") == 0;
        status = plan_skip(p, NULL);
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
        const char *value = status == SIMSM_OK ? yaml_reader_scalar(&p->yaml) : NULL;
        item->named |= name && value && strchr(value, '$');
        if (status == SIMSM_OK)
            status = each ? each_value(p, item) : plan_skip(p, NULL);
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    /* A block mapping ends where the next item begins; a flow mapping ends behind its brace. */
    bool flow = r->table->text[item->begin] == '{';
    item->end = byte_of(r->table, yaml_reader_place(&p->yaml)) + flow;
    return status;
}

static enum simsm_status kernels_value(struct plan_reader *p, void *field)
{
    return plan_text(p, field, PLAN_PATH, "the name of a file such as alu.cu");
}

static enum simsm_status defaults_value(struct plan_reader *p, void *field)
{
    (void)field;
    struct items_reader *r = (struct items_reader *)p;
    return read_item(r, &r->table->item[0]);
}

static enum simsm_status add_item(struct items_reader *r, struct table_item **item)
{
    struct table *t = r->table;
    if (t->items == MOST_ITEMS)
        return plan_fail(&r->plan, "a table of at most 4096 points");
    if (t->items == r->room) {
        struct table_item *more = realloc(t->item, 2 * (size_t)r->room * sizeof *more);
        if (!more)
            return err_no_memory(r->plan.yaml.error);
        t->item = more;
        r->room *= 2;
    }
    *item = &t->item[t->items++];
    **item = (struct table_item){.begin = 0};
    return SIMSM_OK;
}

static enum simsm_status points_value(struct plan_reader *p, void *field)
{
    (void)field;
    struct items_reader *r = (struct items_reader *)p;
    if (p->yaml.event.type != YAML_SEQUENCE_START_EVENT)
        return plan_fail(p, "a list of points such as `- name: ...`");
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_SEQUENCE_END_EVENT) {
        struct table_item *item = NULL;
        status = add_item(r, &item);
        if (status == SIMSM_OK)
            status = read_item(r, item);
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

static const struct plan_key table_keys[] = {
    {"kernels", kernels_value, offsetof(struct table, kernels)},
    {"defaults", defaults_value, 0},
    {"points", points_value, 0},
    {NULL, NULL, 0},
};

enum simsm_status items_read(struct table *table, struct simsm_error *error)
{
    struct items_reader r = {.table = table, .room = 64};
    table->item = calloc(r.room, sizeof *table->item);
    if (!table->item)
        return err_no_memory(error);
    table->items = 1;
    enum simsm_status status =
        yaml_reader_open(&r.plan.yaml, table->text, table->size, table->path, error);
    if (status == SIMSM_OK)
        status = plan_mapping(&r.plan, table_keys, table);
    if (status == SIMSM_OK)
        status = yaml_reader_end(&r.plan.yaml);
    yaml_reader_close(&r.plan.yaml);
    if (status == SIMSM_OK && (!table->kernels[0] || table->items == 1))
        return err_at(error, SIMSM_BAD_INPUT, table->path, 0, 0,
                      "%s: a table names the file of its kernels and has a list of points",
                      table->kernels[0] ? "points is missing" : "kernels is missing");
    return status;
}

void items_free(struct table *table)
{
    for (uint32_t i = 0; i < table->items; i++)
        for (uint32_t k = 0; k < table->item[i].eaches; k++)
            free(table->item[i].each[k].value);
    free(table->item);
    table->item = NULL;
    table->items = 0;
}
