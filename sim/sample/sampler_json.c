#include <jansson.h>
#include <math.h>

#include "base/err.h"
#include "base/json_build.h"
#include "sample/sampler_state.h"
#include "simsm/names.h"

static json_t *signature(struct json_builder *b, const struct sample_signature *signature)
{
    if (!signature->known)
        return json_null();
    json_t *object = json_object();
    for (int i = 0; i < SAMPLE_FEATURES; i++)
        json_put(b, object, sample_feature_names[i],
                 json_whole((uint64_t)llround(signature->feature[i])));
    return object;
}

/* Which blocks of a timed launch were timed; null: nobody asked. */
static json_t *blocks_object(struct json_builder *b, const struct sample_group *group,
                             const struct sample_figures *figures)
{
    if (!figures->blocks_text[0])
        return json_null();
    json_t *object = json_object();
    json_put(b, object, "timed", json_whole(figures->blocks_timed));
    json_put(b, object, "of", json_whole(simsm_grid_blocks(&group->first.launch)));
    json_put(b, object, "why", json_string(figures->blocks_text));
    json_put(b, object, "simulated_cycles", json_whole(figures->simulated));
    json_put(b, object, "half_95", json_real(sample_half(figures)));
    return object;
}

static json_t *timed_launches(struct json_builder *b, const struct sample_group *group)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < group->count; i++) {
        json_t *object = json_object();
        json_put(b, object, "launch", json_whole(group->timed[i].number));
        json_put(b, object, "cycles", json_whole(group->timed[i].figures.cycles));
        json_put(b, object, "copies", json_whole(group->timed[i].copies));
        json_put(b, object, "blocks", blocks_object(b, group, &group->timed[i].figures));
        json_add(b, array, object);
    }
    return array;
}

static json_t *group_object(struct json_builder *b, const struct sample_group *group)
{
    const struct sample_estimate estimate = sample_estimate(group);
    json_t *object = json_object();
    json_put(b, object, "kernel", json_text(group->kernel));
    json_put(b, object, "grid", json_triple(b, group->first.launch.grid));
    json_put(b, object, "block", json_triple(b, group->first.launch.block));
    json_put(b, object, "signature", signature(b, &group->first.signature));
    json_put(b, object, "launches", json_whole(group->members));
    json_put(b, object, "extrapolated", json_whole(group->estimated));
    json_put(b, object, "timed", timed_launches(b, group));
    json_put(b, object, "mean_cycles", json_real(estimate.mean));
    json_put(b, object, "deviation_cycles",
             group->count > 1 ? json_real(estimate.deviation) : json_null());
    json_put(b, object, "half_95_of_mean",
             group->count > 1 ? json_real(estimate.half) : json_null());
    return object;
}

static json_t *launch_object(struct json_builder *b, const struct sample_row *row)
{
    json_t *object = json_object();
    json_put(b, object, "launch", json_whole(row->number));
    json_put(b, object, "group", json_whole(row->group + 1));
    json_put(b, object, "mark", json_string(sample_mark_names[row->mark]));
    json_put(b, object, "why", json_string(sample_reason_texts[row->reason]));
    json_put(b, object, "cycles", json_whole(row->cycles));
    json_put(b, object, "same_as", row->like ? json_whole(row->like) : json_null());
    return object;
}

static json_t *total_object(struct json_builder *b, const struct sampler *sampler)
{
    const struct sample_total total = sampler_total(sampler);
    json_t *object = json_object();
    json_put(b, object, "launches", json_whole(total.launches));
    json_put(b, object, "timed", json_whole(total.timed));
    json_put(b, object, "copies", json_whole(total.copies));
    json_put(b, object, "extrapolated", json_whole(total.estimated));
    json_put(b, object, "in_part", json_whole(total.parts));
    json_put(b, object, "cycles", json_real(total.cycles));
    json_put(b, object, "half_95", json_real(total.half));
    json_put(b, object, "low", json_real(total.cycles - total.half));
    json_put(b, object, "high", json_real(total.cycles + total.half));
    json_put(b, object, "timed_cycles", json_whole(total.timed_cycles));
    return object;
}

enum simsm_status sampler_write_json(const struct sampler *sampler, FILE *file,
                                     struct simsm_error *error)
{
    struct json_builder b = {0};
    json_t *root = json_object(), *groups = json_array(), *launches = json_array();
    json_t *counters = json_object();
    json_put(&b, root, "format", json_whole(1));
    json_put(&b, root, "total", total_object(&b, sampler));
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        json_put(&b, counters, simsm_counters[i].name, json_real(sampler_counter(sampler, i)));
    for (uint32_t i = 0; i < sampler->groups; i++)
        json_add(&b, groups, group_object(&b, &sampler->group[i]));
    for (size_t i = 0; i < sampler->rows; i++)
        json_add(&b, launches, launch_object(&b, &sampler->row[i]));
    json_put(&b, root, "counters", counters);
    json_put(&b, root, "groups", groups);
    json_put(&b, root, "launches", launches);
    enum simsm_status status = SIMSM_OK;
    if (b.bad || json_dumpf(root, file, JSON_INDENT(2)) != 0 || fputc('\n', file) == EOF)
        status = err_set(error, SIMSM_FAILED, "what was sampled cannot be written as JSON");
    json_decref(root);
    return status;
}
