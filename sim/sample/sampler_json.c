#include <jansson.h>
#include <math.h>

#include "base/err.h"
#include "sample/sampler_state.h"
#include "simsm/names.h"

/* As in export/json.c: `bad` collects what jansson answers, so that one test at the end is enough.
 */
struct sample_builder {
    int bad;
};

static void put(struct sample_builder *b, json_t *object, const char *key, json_t *value)
{
    b->bad |= json_object_set_new(object, key, value);
}

static json_t *whole(uint64_t n)
{
    return json_integer((json_int_t)n);
}

/* Names come from programs: any bytes. */
static json_t *text(const char *name)
{
    char safe[64];
    size_t i = 0;
    for (; name[i] && i + 1 < sizeof safe; i++)
        safe[i] = (char)((unsigned char)name[i] < 128 ? name[i] : '?');
    safe[i] = '\0';
    return json_string(safe);
}

static json_t *triple(struct sample_builder *b, const uint32_t size[3])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        b->bad |= json_array_append_new(array, whole(size[i]));
    return array;
}

static json_t *signature(struct sample_builder *b, const struct sample_signature *signature)
{
    if (!signature->known)
        return json_null();
    json_t *object = json_object();
    for (int i = 0; i < SAMPLE_FEATURES; i++)
        put(b, object, sample_feature_names[i], whole((uint64_t)llround(signature->feature[i])));
    return object;
}

/* Which blocks of a timed launch were timed; null: nobody asked. */
static json_t *blocks_object(struct sample_builder *b, const struct sample_group *group,
                             const struct sample_figures *figures)
{
    if (!figures->blocks_text[0])
        return json_null();
    json_t *object = json_object();
    put(b, object, "timed", whole(figures->blocks_timed));
    put(b, object, "of", whole(simsm_grid_blocks(&group->first.launch)));
    put(b, object, "why", json_string(figures->blocks_text));
    put(b, object, "simulated_cycles", whole(figures->simulated));
    put(b, object, "half_95", json_real(sample_half(figures)));
    return object;
}

static json_t *timed_launches(struct sample_builder *b, const struct sample_group *group)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < group->count; i++) {
        json_t *object = json_object();
        put(b, object, "launch", whole(group->timed[i].number));
        put(b, object, "cycles", whole(group->timed[i].figures.cycles));
        put(b, object, "copies", whole(group->timed[i].copies));
        put(b, object, "blocks", blocks_object(b, group, &group->timed[i].figures));
        b->bad |= json_array_append_new(array, object);
    }
    return array;
}

static json_t *group_object(struct sample_builder *b, const struct sample_group *group)
{
    const struct sample_estimate estimate = sample_estimate(group);
    json_t *object = json_object();
    put(b, object, "kernel", text(group->kernel));
    put(b, object, "grid", triple(b, group->first.launch.grid));
    put(b, object, "block", triple(b, group->first.launch.block));
    put(b, object, "signature", signature(b, &group->first.signature));
    put(b, object, "launches", whole(group->members));
    put(b, object, "extrapolated", whole(group->estimated));
    put(b, object, "timed", timed_launches(b, group));
    put(b, object, "mean_cycles", json_real(estimate.mean));
    put(b, object, "deviation_cycles",
        group->count > 1 ? json_real(estimate.deviation) : json_null());
    put(b, object, "half_95_of_mean", group->count > 1 ? json_real(estimate.half) : json_null());
    return object;
}

static json_t *launch_object(struct sample_builder *b, const struct sample_row *row)
{
    json_t *object = json_object();
    put(b, object, "launch", whole(row->number));
    put(b, object, "group", whole(row->group + 1));
    put(b, object, "mark", json_string(sample_mark_names[row->mark]));
    put(b, object, "why", json_string(sample_reason_texts[row->reason]));
    put(b, object, "cycles", whole(row->cycles));
    put(b, object, "same_as", row->like ? whole(row->like) : json_null());
    return object;
}

static json_t *total_object(struct sample_builder *b, const struct sampler *sampler)
{
    const struct sample_total total = sampler_total(sampler);
    json_t *object = json_object();
    put(b, object, "launches", whole(total.launches));
    put(b, object, "timed", whole(total.timed));
    put(b, object, "copies", whole(total.copies));
    put(b, object, "extrapolated", whole(total.estimated));
    put(b, object, "in_part", whole(total.parts));
    put(b, object, "cycles", json_real(total.cycles));
    put(b, object, "half_95", json_real(total.half));
    put(b, object, "low", json_real(total.cycles - total.half));
    put(b, object, "high", json_real(total.cycles + total.half));
    put(b, object, "timed_cycles", whole(total.timed_cycles));
    return object;
}

enum simsm_status sampler_write_json(const struct sampler *sampler, FILE *file,
                                     struct simsm_error *error)
{
    struct sample_builder b = {0};
    json_t *root = json_object(), *groups = json_array(), *launches = json_array();
    json_t *counters = json_object();
    put(&b, root, "format", whole(1));
    put(&b, root, "total", total_object(&b, sampler));
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        put(&b, counters, simsm_counters[i].name, json_real(sampler_counter(sampler, i)));
    for (uint32_t i = 0; i < sampler->groups; i++)
        b.bad |= json_array_append_new(groups, group_object(&b, &sampler->group[i]));
    for (size_t i = 0; i < sampler->rows; i++)
        b.bad |= json_array_append_new(launches, launch_object(&b, &sampler->row[i]));
    put(&b, root, "counters", counters);
    put(&b, root, "groups", groups);
    put(&b, root, "launches", launches);
    enum simsm_status status = SIMSM_OK;
    if (b.bad || json_dumpf(root, file, JSON_INDENT(2)) != 0 || fputc('\n', file) == EOF)
        status = err_set(error, SIMSM_FAILED, "what was sampled cannot be written as JSON");
    json_decref(root);
    return status;
}
