#include "calibrate/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "exec/launch/plan_values.h"

const char *const point_kind_names[POINT_KINDS] = {"latency", "throughput", "loaded",
                                                   "order",   "size",       "info"};

static enum simsm_status name_value(struct plan_reader *p, void *field)
{
    enum simsm_status status = plan_text(p, field, POINT_NAME, "the name of a point");
    if (status == SIMSM_OK && strpbrk(field, " \"/\n"))
        return plan_fail(p, "a name without blanks, quotes and slashes");
    return status;
}

static enum simsm_status words_value(struct plan_reader *p, void *field)
{
    return plan_text(p, field, POINT_TEXT, "a text");
}

static enum simsm_status unit_value(struct plan_reader *p, void *field)
{
    return plan_text(p, field, POINT_UNIT, "a unit such as cycles or bytes/cycle");
}

static enum simsm_status kind_value(struct plan_reader *p, void *field)
{
    unsigned chosen = 0;
    struct point *point = (struct point *)((char *)field - offsetof(struct point, kind));
    enum simsm_status status =
        plan_choice(p, point_kind_names, POINT_KINDS,
                    "latency, throughput, loaded, order, size or info", &chosen);
    point->kind = (enum point_kind)chosen;
    point->has_kind = true;
    return status;
}

static enum simsm_status caches_value(struct plan_reader *p, void *field)
{
    static const char *const names[] = {"cold", "warm"};
    unsigned chosen = 0;
    enum simsm_status status = plan_choice(p, names, 2, "cold or warm", &chosen);
    *(bool *)field = chosen == 1;
    return status;
}

static enum simsm_status of_value(struct plan_reader *p, void *field)
{
    return plan_text(p, field, PLAN_NAME, "the name of a buffer");
}

static enum simsm_status number_value(struct plan_reader *p, void *field)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    char *end = NULL;
    double number = text && *text ? strtod(text, &end) : 0.0;
    if (!end || end == text || *end || !isfinite(number))
        return plan_fail(p, "a number");
    *(double *)field = number;
    return SIMSM_OK;
}

static enum simsm_status divisor_value(struct plan_reader *p, void *field)
{
    enum simsm_status status = number_value(p, field);
    if (status == SIMSM_OK && *(double *)field == 0.0)
        return plan_fail(p, "a number other than 0");
    return status;
}

static enum simsm_status index_value(struct plan_reader *p, void *field)
{
    struct result *result = field;
    result->take = TAKE_INDEX;
    return plan_u64(p, &result->index);
}

static enum simsm_status percentile_value(struct plan_reader *p, void *field)
{
    struct result *result = field;
    uint64_t percent = 0;
    result->take = TAKE_PERCENTILE;
    enum simsm_status status = plan_u64(p, &percent);
    if (status == SIMSM_OK && (percent < 1 || percent > 100))
        return plan_fail(p, "1 to 100");
    result->percent = (uint32_t)percent;
    return status;
}

static enum simsm_status metric_value(struct plan_reader *p, void *field)
{
    struct result *result = field;
    result->take = TAKE_METRIC;
    return plan_text(p, result->metric, RESULT_METRIC, "the name of a metric");
}

/* Reads the value of `take`: a word, {index: N} or {percentile: N}. */
static enum simsm_status take_value(struct plan_reader *p, void *field)
{
    static const struct plan_key keys[] = {
        {"index", index_value, 0}, {"percentile", percentile_value, 0}, {NULL, NULL, 0}};
    unsigned chosen = 0;
    struct result *result = field;
    if (p->yaml.event.type == YAML_MAPPING_START_EVENT)
        return plan_mapping(p, keys, result);
    enum simsm_status status =
        plan_choice(p, result_take_names, TAKE_INDEX,
                    "min, max, median, mean, sum, first, last, range, span, pairs_min, pairs_max, "
                    "pairs_median, pairs_mean, list, {index: N} or {percentile: N}",
                    &chosen);
    result->take = (enum result_take)chosen;
    return status;
}

#define RESULT(field) offsetof(struct result, field)
static enum simsm_status result_keys(struct plan_reader *p, void *field)
{
    static const struct plan_key keys[] = {
        {"of", of_value, RESULT(of)},
        {"take", take_value, 0},
        {"metric", metric_value, 0},
        {"skip", plan_u64, RESULT(skip)},
        {"count", plan_positive, RESULT(count)},
        {"step", plan_positive, RESULT(step)},
        {"offset", number_value, RESULT(offset)},
        {"over", divisor_value, RESULT(over)},
        {"per", divisor_value, RESULT(per)},
        {NULL, NULL, 0},
    };
    struct result *result = field;
    struct yaml_place place = yaml_reader_place(&p->yaml);
    *result = (struct result){.step = 1};
    enum simsm_status status = plan_mapping(p, keys, result);
    if (status == SIMSM_OK && result->over != 0.0 && result->per != 0.0)
        return yaml_reader_fail(&p->yaml, place, "a result has `over` or `per`, not both");
    if (result->over == 0.0 && result->per == 0.0)
        result->over = 1.0;
    return status;
}

#define POINT(field) offsetof(struct point, field)
static const struct plan_key own_keys[] = {
    {"name", name_value, POINT(name)},          {"shows", words_value, POINT(shows)},
    {"question", words_value, POINT(question)}, {"note", words_value, POINT(note)},
    {"unit", unit_value, POINT(unit)},          {"kind", kind_value, POINT(kind)},
    {"result", result_keys, POINT(result)},     {"caches", caches_value, POINT(warm)},
    {"slow", plan_bool, POINT(slow)},           {"each", plan_skip, 0}, /* read by items.c */
};
enum { OWN_KEYS = sizeof own_keys / sizeof own_keys[0], ALL_KEYS = 32 };

enum simsm_status point_read(struct point *point, const char *text, size_t size,
                             struct simsm_error *error)
{
    struct plan_reader p = {.plan = &point->plan};
    struct plan_key keys[ALL_KEYS] = {{NULL, NULL, 0}};
    memcpy(keys, own_keys, sizeof own_keys);
    for (int i = 0; launch_plan_keys[i].name && OWN_KEYS + i < ALL_KEYS - 1; i++)
        keys[OWN_KEYS + i] = launch_plan_keys[i];
    enum simsm_status status = yaml_reader_open(&p.yaml, text, size, point->plan.path, error);
    if (status == SIMSM_OK)
        status = plan_mapping(&p, keys, point);
    yaml_reader_close(&p.yaml);
    return status;
}

enum simsm_status point_check(const struct point *point, uint32_t line, struct simsm_error *error)
{
    const struct launch_plan *plan = &point->plan;
    const bool metric = point->result.take == TAKE_METRIC;
    const char *missing = !point->name[0]                   ? "name"
                          : !point->shows[0]                ? "shows"
                          : !point->unit[0]                 ? "unit"
                          : !point->has_kind                ? "kind"
                          : !point->result.of[0] && !metric ? "result: {of: ...}"
                                                            : NULL;
    if (missing)
        return err_at(error, SIMSM_BAD_INPUT, plan->path, line, 0,
                      "%s is missing%s%s; a point has name, shows, unit, kind and result besides "
                      "what is launched",
                      missing, point->name[0] ? " of " : "", point->name);
    if (metric && point->result.of[0])
        return err_at(error, SIMSM_BAD_INPUT, plan->path, line, 0,
                      "%s: a result is of a buffer or a metric, not both", point->name);
    if (!metric && result_buffer(&point->result, plan) == plan->buffers)
        return err_at(error, SIMSM_BAD_INPUT, plan->path, line, 0,
                      "%s: the result is of buffer '%s', which is not among its buffers",
                      point->name, point->result.of);
    if ((point->kind == POINT_ORDER) != (point->result.take == TAKE_LIST))
        return err_at(error, SIMSM_BAD_INPUT, plan->path, line, 0,
                      "%s: `kind: order` and `take: list` belong together", point->name);
    return launch_plan_complete(plan, line, error);
}

void point_free(struct point *point)
{
    launch_plan_free(&point->plan);
}
