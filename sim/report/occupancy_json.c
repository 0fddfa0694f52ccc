/* `simsm occupancy --json`: everything but the curves, as one JSON object. */
#include <jansson.h>

#include "report/occupancy_show.h"

static json_t *limit_value(uint32_t limit)
{
    return limit == SIMSM_NO_LIMIT ? json_null() : json_integer(limit);
}

static json_t *limiter_list(const struct simsm_occupancy *occupancy)
{
    json_t *list = json_array();
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        if (occupancy->limiters >> i & 1)
            (void)json_array_append_new(list,
                                        json_string(occupancy_limit_key((enum simsm_limit)i)));
    }
    return list;
}

static json_t *gpu_object(const struct occupancy_answer *answer)
{
    unsigned capability = answer->config->gpu_compute_capability;
    json_t *gpu = json_object(), *carveouts = json_array();
    (void)json_object_set_new(gpu, "name", json_string(answer->config->gpu_name));
    (void)json_object_set_new(gpu, "compute_capability",
                              json_sprintf("%u.%u", capability / 10, capability % 10));
    for (int i = 0; i < OCCUPANCY_PROPERTIES; i++)
        (void)json_object_set_new(gpu, answer->properties[i].key,
                                  json_integer(answer->properties[i].value));
    for (uint32_t i = 0; i < answer->config->sm_carveouts_count; i++)
        (void)json_array_append_new(carveouts, json_integer(answer->config->sm_carveouts[i]));
    (void)json_object_set_new(gpu, "carveouts_bytes", carveouts);
    return gpu;
}

static json_t *launch_object(const struct simsm_launch *launch)
{
    json_t *carveout =
        launch->carveout == SIMSM_CARVEOUT_DEFAULT ? json_null() : json_integer(launch->carveout);
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "threads_per_block",
                     (json_int_t)simsm_block_threads(launch), "registers_per_thread",
                     (json_int_t)launch->registers, "shared_static_bytes",
                     (json_int_t)launch->shared_static, "shared_dynamic_bytes",
                     (json_int_t)launch->shared_dynamic, "carveout_bytes", carveout);
}

static json_t *limits_object(const struct simsm_occupancy *o)
{
    json_t *limits = json_object();
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++)
        (void)json_object_set_new(limits, occupancy_limit_key((enum simsm_limit)i),
                                  limit_value(o->limit[i]));
    return limits;
}

static json_t *occupancy_object(const struct simsm_occupancy *o)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:f, s:o, s:o, s:I, s:I, s:I}", "blocks",
                     (json_int_t)o->blocks, "warps", (json_int_t)o->warps, "warps_per_block",
                     (json_int_t)o->warps_per_block, "max_warps", (json_int_t)o->max_warps,
                     "percent", occupancy_percent(o), "limits", limits_object(o), "limited_by",
                     limiter_list(o), "registers_per_warp", (json_int_t)o->registers_per_warp,
                     "shared_bytes_per_block", (json_int_t)o->shared_per_block, "carveout_bytes",
                     (json_int_t)o->carveout);
}

static json_t *steps_list(const struct occupancy_answer *answer)
{
    json_t *list = json_array();
    for (int i = 0; i < OCCUPANCY_STEPS; i++) {
        const struct occupancy_step *step = &answer->steps[i];
        if (!step->found)
            continue;
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "input",
                                              occupancy_input_key(step->input), "from",
                                              (json_int_t)vary_get(&answer->launch, step->input),
                                              "to", (json_int_t)step->better.value, "blocks",
                                              (json_int_t)step->better.occupancy.blocks, "warps",
                                              (json_int_t)step->better.occupancy.warps, "percent",
                                              occupancy_percent(&step->better.occupancy)));
    }
    return list;
}

static json_t *bounds_object(const struct bounds *b)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "threads_per_block", (json_int_t)b->threads,
                     "blocks_per_sm", (json_int_t)b->blocks, "warps_per_sm", (json_int_t)b->warps,
                     "warps_per_sub_partition", (json_int_t)b->warps_per_sub, "registers_per_warp",
                     (json_int_t)b->per_warp, "registers_per_thread", (json_int_t)b->registers);
}

static json_t *advice_list(const struct occupancy_answer *answer)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < vary_count(answer->config, VARY_THREADS); i++) {
        const struct simsm_occupancy *o = &answer->sizes[i].occupancy;
        (void)json_array_append_new(
            list, json_pack("{s:I, s:I, s:I, s:f, s:o, s:b}", "threads_per_block",
                            (json_int_t)answer->sizes[i].value, "blocks", (json_int_t)o->blocks,
                            "warps", (json_int_t)o->warps, "percent", occupancy_percent(o),
                            "limited_by", limiter_list(o), "best", o->warps == answer->best_warps));
    }
    return list;
}

bool occupancy_write_json(FILE *file, const struct occupancy_answer *answer)
{
    json_t *root = json_object();
    int bad = json_object_set_new(root, "gpu", gpu_object(answer));
    if (answer->has_launch) {
        bad |= json_object_set_new(root, "launch", launch_object(&answer->launch));
        bad |= json_object_set_new(root, "occupancy", occupancy_object(&answer->result));
        bad |= json_object_set_new(root, "next_better", steps_list(answer));
        bad |= json_object_set_new(
            root, "room",
            json_pack("{s:I, s:I}", "registers_per_thread", (json_int_t)answer->room_registers,
                      "shared_bytes_per_block", (json_int_t)answer->room_shared));
    }
    if (answer->has_bounds)
        bad |= json_object_set_new(root, "launch_bounds", bounds_object(&answer->bounds));
    if (answer->has_advice)
        bad |= json_object_set_new(root, "block_sizes", advice_list(answer));
    /* the owner of `file` finds write errors */
    if (!bad && json_dumpf(root, file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0)
        (void)fputc('\n', file);
    json_decref(root);
    return !bad;
}
