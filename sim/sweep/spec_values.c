/* Reads the values of the keys of a spec. */
#include "sweep/spec_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static enum simsm_status store_text(struct plan_reader *p, char **field, char *text)
{
    if (!text)
        return err_no_memory(p->yaml.error);
    free(*field);
    *field = text;
    return SIMSM_OK;
}

enum simsm_status spec_text(struct plan_reader *p, void *field)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    if (!text || !*text)
        return plan_fail(p, "a text");
    return store_text(p, field, text_copy(text, strlen(text)));
}

enum simsm_status spec_file(struct plan_reader *p, void *field)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    if (!text || !*text)
        return plan_fail(p, "the name of a file");
    return store_text(p, field, text_path_beside(p->yaml.file, text));
}

enum simsm_status spec_each(struct plan_reader *p, plan_value *item, void *field)
{
    if (p->yaml.event.type != YAML_SEQUENCE_START_EVENT)
        return item(p, field);
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_SEQUENCE_END_EVENT) {
        status = item(p, field);
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

static enum simsm_status add(struct plan_reader *p, struct texts *texts, const char *text)
{
    struct yaml_place place = yaml_reader_place(&p->yaml);
    return text && texts_add(texts, text, place.line, place.column) ? SIMSM_OK
                                                                    : err_no_memory(p->yaml.error);
}

static enum simsm_status one_text(struct plan_reader *p, void *field)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    return text ? add(p, field, text) : plan_fail(p, "a text");
}

static enum simsm_status one_file(struct plan_reader *p, void *field)
{
    char *path = NULL;
    enum simsm_status status = spec_file(p, &path);
    if (status == SIMSM_OK)
        status = add(p, field, path);
    free(path);
    return status;
}

static enum simsm_status one_number(struct plan_reader *p, void *field)
{
    uint32_t number;
    enum simsm_status status = plan_u32(p, &number);
    if (status == SIMSM_OK && !number)
        return plan_fail(p, "the number of a launch, from 1,");
    char text[16];
    (void)snprintf(text, sizeof text, "%u", number);
    return status == SIMSM_OK ? add(p, field, text) : status;
}

enum simsm_status spec_texts(struct plan_reader *p, void *field)
{
    return spec_each(p, one_text, field);
}

enum simsm_status spec_files(struct plan_reader *p, void *field)
{
    return spec_each(p, one_file, field);
}

enum simsm_status spec_numbers(struct plan_reader *p, void *field)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    return text && strcmp(text, "all") == 0 ? SIMSM_OK : spec_each(p, one_number, field);
}

/* Calls `value` for each pair of a mapping. The current event is then the value of the pair. */
static enum simsm_status each_pair(struct plan_reader *p, const char *what,
                                   enum simsm_status (*value)(struct plan_reader *p, void *field,
                                                              const char *key,
                                                              struct yaml_place place),
                                   void *field)
{
    if (p->yaml.event.type != YAML_MAPPING_START_EVENT)
        return plan_fail(p, what);
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_MAPPING_END_EVENT) {
        const struct yaml_place place = yaml_reader_place(&p->yaml);
        const char *text = yaml_reader_scalar(&p->yaml);
        if (!text || !*text)
            return plan_fail(p, "a key");
        char *key = text_copy(text, strlen(text));
        status = key ? yaml_reader_next(&p->yaml) : err_no_memory(p->yaml.error);
        if (status == SIMSM_OK)
            status = value(p, field, key, place);
        free(key);
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

static enum simsm_status add_pair(struct plan_reader *p, struct texts *texts, const char *key,
                                  const char *value, struct yaml_place place)
{
    char *assignment = text_format("%s=%s", key, value);
    bool done = assignment && texts_add(texts, assignment, place.line, place.column);
    free(assignment);
    return done ? SIMSM_OK : err_no_memory(p->yaml.error);
}

static enum simsm_status pair(struct plan_reader *p, void *field, const char *key,
                              struct yaml_place place)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    return text ? add_pair(p, field, key, text, place) : plan_fail(p, "a value");
}

enum simsm_status spec_pairs(struct plan_reader *p, void *field)
{
    return each_pair(p, "a mapping of keys to values", pair, field);
}

/* Reads a list that is one value, such as "[32KB, 64KB]", as --set takes it. The caller frees
 * *text. */
static enum simsm_status list_text(struct plan_reader *p, char **text)
{
    struct texts items = {0};
    size_t size = 0;
    enum simsm_status status = spec_texts(p, &items);
    FILE *file = open_memstream(text, &size);
    for (uint32_t i = 0; file && i < items.count; i++)
        (void)fprintf(file, "%s%s", i ? ", " : "[", items.item[i].text);
    if (file)
        (void)fputs(items.count ? "]" : "[]", file);
    texts_free(&items);
    if (!file || fclose(file) != 0)
        return err_no_memory(p->yaml.error);
    if (status != SIMSM_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

static enum simsm_status setting(struct plan_reader *p, void *field, const char *key,
                                 struct yaml_place place)
{
    char *list = NULL;
    if (p->yaml.event.type != YAML_SEQUENCE_START_EVENT)
        return pair(p, field, key, place);
    enum simsm_status status = list_text(p, &list);
    if (status == SIMSM_OK)
        status = add_pair(p, field, key, list, place);
    free(list);
    return status;
}

enum simsm_status spec_settings(struct plan_reader *p, void *field)
{
    return each_pair(p, "a mapping of keys to values", setting, field);
}

static enum simsm_status add_value(struct plan_reader *p, struct sweep_axis *axis, const char *text,
                                   struct yaml_place place)
{
    const char *wrong = axis_range_error(text);
    if (wrong)
        return yaml_reader_fail(&p->yaml, place, "%s: expected FROM:TO:STEP, but in %s %s",
                                axis->name, text, wrong);
    if (!axis_add(axis, text, place.line, place.column))
        return yaml_reader_fail(&p->yaml, place, "%s has more than %d values", axis->name,
                                AXIS_VALUES);
    return SIMSM_OK;
}

static enum simsm_status one_value(struct plan_reader *p, void *field)
{
    const struct yaml_place place = yaml_reader_place(&p->yaml);
    if (p->yaml.event.type == YAML_SEQUENCE_START_EVENT) {
        char *list = NULL;
        enum simsm_status status = list_text(p, &list);
        if (status == SIMSM_OK)
            status = add_value(p, field, list, place);
        free(list);
        return status;
    }
    const char *text = yaml_reader_scalar(&p->yaml);
    return text && *text ? add_value(p, field, text, place)
                         : plan_fail(p, "a value, such as 8 or 100:800:100,");
}

/* Sorts by text, then by place, so that the message names the later of two equal values. */
static int by_text(const void *a, const void *b)
{
    const struct placed_text *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    if (order)
        return order;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

static enum simsm_status check_distinct(struct plan_reader *p, const struct sweep_axis *axis)
{
    const uint32_t count = axis->values.count;
    struct placed_text *sorted = calloc(count + (size_t)1, sizeof *sorted);
    if (!sorted)
        return err_no_memory(p->yaml.error);
    memcpy(sorted, axis->values.item, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_text);
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 1; i < count && status == SIMSM_OK; i++) {
        if (strcmp(sorted[i - 1].text, sorted[i].text) == 0)
            status =
                yaml_reader_fail(&p->yaml, (struct yaml_place){sorted[i].line, sorted[i].column},
                                 "%s has the value %s twice", axis->name, sorted[i].text);
    }
    free(sorted);
    return status;
}

static enum simsm_status group_member(struct plan_reader *p, void *field, const char *key,
                                      struct yaml_place place)
{
    struct sweep_axis *axis = field;
    struct texts *grown = realloc(axis->group, (axis->values.count + 1) * sizeof *grown);
    if (!grown)
        return err_no_memory(p->yaml.error);
    axis->group = grown;
    grown[axis->values.count] = (struct texts){0};
    if (!texts_add(&axis->values, key, place.line, place.column))
        return err_no_memory(p->yaml.error);
    return spec_settings(p, &axis->group[axis->values.count - 1]);
}

static enum simsm_status add_axis(struct plan_reader *p, void *field, const char *name,
                                  struct yaml_place place)
{
    struct sweep_axes *axes = field;
    if (axes_find(axes, name))
        return yaml_reader_fail(&p->yaml, place, "%s is given twice", name);
    struct sweep_axis *axis = axes_add(axes, name);
    if (!axis)
        return err_no_memory(p->yaml.error);
    axis->line = place.line;
    axis->column = place.column;
    enum simsm_status status =
        p->yaml.event.type == YAML_MAPPING_START_EVENT
            ? each_pair(p, "a mapping of names to settings", group_member, axis)
            : spec_each(p, one_value, axis);
    if (status == SIMSM_OK && !axis->values.count)
        return yaml_reader_fail(&p->yaml, place, "%s has no value", name);
    return status == SIMSM_OK ? check_distinct(p, axis) : status;
}

enum simsm_status spec_axes(struct plan_reader *p, void *field)
{
    return each_pair(p, "a mapping of keys to their values", add_axis, field);
}

enum simsm_status spec_axis(struct plan_reader *p, struct sweep_axes *axes, const char *name)
{
    return add_axis(p, axes, name, yaml_reader_place(&p->yaml));
}
