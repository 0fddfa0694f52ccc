#include <jansson.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/json_build.h"
#include "config/schema.h"
#include "export/export.h"
#include "report/advice.h"
#include "report/costly.h"
#include "report/metrics.h"
#include "report/verdict.h"
#include "simsm/simsm.h"

static json_t *launch_object(struct json_builder *b, const struct simsm_launch *launch)
{
    json_t *o = json_object();
    json_put(b, o, "kernel", json_text(launch->name));
    json_put(b, o, "grid", json_triple(b, launch->grid));
    json_put(b, o, "block", json_triple(b, launch->block));
    json_put(b, o, "registers_per_thread", json_whole(launch->registers));
    json_put(b, o, "shared_static_bytes", json_whole(launch->shared_static));
    json_put(b, o, "shared_dynamic_bytes", json_whole(launch->shared_dynamic));
    json_put(b, o, "carveout_bytes",
             launch->carveout == SIMSM_CARVEOUT_DEFAULT ? json_null()
                                                        : json_whole(launch->carveout));
    return o;
}

static json_t *occupancy_object(struct json_builder *b, const struct simsm_occupancy *occupancy)
{
    json_t *o = json_object(), *limits = json_object(), *limiters = json_array();
    json_put(b, o, "blocks_per_sm", json_whole(occupancy->blocks));
    json_put(b, o, "warps_per_sm", json_whole(occupancy->warps));
    json_put(b, o, "warps_per_block", json_whole(occupancy->warps_per_block));
    json_put(b, o, "max_warps_per_sm", json_whole(occupancy->max_warps));
    for (unsigned i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        uint32_t limit = occupancy->limit[i];
        json_put(b, limits, simsm_limit_names[i],
                 limit == SIMSM_NO_LIMIT ? json_null() : json_whole(limit));
        if (occupancy->limiters >> i & 1u)
            json_add(b, limiters, json_string(simsm_limit_names[i]));
    }
    json_put(b, o, "limits", limits);
    json_put(b, o, "limiters", limiters);
    json_put(b, o, "registers_per_warp", json_whole(occupancy->registers_per_warp));
    json_put(b, o, "shared_bytes_per_block", json_whole(occupancy->shared_per_block));
    json_put(b, o, "carveout_bytes", json_whole(occupancy->carveout));
    return o;
}

static json_t *run_object(struct json_builder *b, const struct simsm_stats *stats)
{
    json_t *o = json_object();
    json_put(b, o, "complete", json_boolean(stats->complete));
    json_put(b, o, "sms", json_whole(stats->sms));
    json_put(b, o, "cycles", json_whole(stats->cycles));
    json_put(b, o, "launch_cycles", json_whole(stats->launch_cycles));
    json_put(b, o, "blocks_total", json_whole(stats->blocks_total));
    json_put(b, o, "blocks_done", json_whole(stats->blocks_done));
    json_put(b, o, "block_cycles_sum", json_whole(stats->block_cycles_sum));
    json_put(b, o, "block_cycles_min",
             stats->blocks_done ? json_whole(stats->block_cycles_min) : json_null());
    json_put(b, o, "block_cycles_max",
             stats->blocks_done ? json_whole(stats->block_cycles_max) : json_null());
    json_put(b, o, "last_wave_cycle", json_whole(stats->last_wave_cycle));
    json_put(b, o, "last_end_cycle", json_whole(stats->last_end_cycle));
    json_put(b, o, "visited_cycles", json_whole(stats->visited_cycles));
    return o;
}

static json_t *gap_object(struct json_builder *b, const struct simsm_gap *gap)
{
    json_t *o = json_object();
    json_put(b, o, "capacity", json_whole(gap->capacity));
    json_put(b, o, "alive", json_whole(gap->alive));
    json_put(b, o, "within_blocks", json_whole(gap->within_blocks));
    json_put(b, o, "across_blocks", json_whole(gap->across_blocks));
    json_put(b, o, "few_blocks", json_whole(gap->few_blocks));
    json_put(b, o, "partial_wave", json_whole(gap->partial_wave));
    json_put(b, o, "refill", json_whole(gap->refill));
    return o;
}

/* `shared`: counters of 0 are not known. */
static json_t *counters_object(struct json_builder *b, const struct simsm_stats *stats, bool shared)
{
    json_t *o = json_object();
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        json_put(b, o, simsm_counters[i].name,
                 shared && !stats->counter[i] ? json_null() : json_whole(stats->counter[i]));
    return o;
}

static json_t *metrics_object(struct json_builder *b,
                              const struct simsm_metric metrics[METRIC_COUNT])
{
    json_t *o = json_object();
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        json_put(b, o, metrics[i].name, json_number(metrics[i].value));
    return o;
}

/* Returns an object of state names and cycles. Zeros are left out unless `all`, as most
 * instructions have only a few states. */
static json_t *states_object(struct json_builder *b, const uint64_t states[SIMSM_STATE_COUNT],
                             bool all)
{
    json_t *o = json_object();
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++) {
        if (all || states[i])
            json_put(b, o, simsm_states[i].name, json_whole(states[i]));
    }
    return o;
}

static json_t *lanes_array(struct json_builder *b, const struct simsm_stats *stats)
{
    json_t *array = json_array();
    for (unsigned i = 0; i <= SIMSM_WARP_LANES; i++)
        json_add(b, array, json_whole(stats->lanes[i]));
    return array;
}

static void put_sums(struct json_builder *b, json_t *o, const struct simsm_line_stats *line)
{
    json_put(b, o, "issues", json_whole(line->issues));
    json_put(b, o, "threads", json_whole(line->threads));
    json_put(b, o, "threads_off", json_whole(line->threads_off));
    json_put(b, o, "sectors", json_whole(line->sectors));
    json_put(b, o, "sectors_least", json_whole(line->sectors_least));
    json_put(b, o, "sector_hits", json_whole(line->sector_hits));
    json_put(b, o, "states", states_object(b, line->states, false));
}

/* Lines of the source, the hottest first. */
static json_t *source_array(struct json_builder *b, const struct simsm_stats *stats)
{
    json_t *array = json_array();
    uint32_t count = 0;
    struct costly_line *lines = costly_lines(stats, COSTLY_SOURCE, &count);
    b->bad |= !lines;
    for (uint32_t i = 0; lines && i < count; i++) {
        const struct simsm_line_info *info = &stats->line_info[lines[i].line];
        json_t *o = json_object();
        json_put(b, o, "file", json_text(info->file));
        json_put(b, o, "line", json_whole(info->line));
        put_sums(b, o, &lines[i].sums);
        json_add(b, array, o);
    }
    free(lines);
    return array;
}

static json_t *lines_array(struct json_builder *b, const struct simsm_stats *stats)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const struct simsm_line_info *info = &stats->line_info[i];
        const struct simsm_line_stats *line = &stats->lines[i];
        json_t *o = json_object();
        json_put(b, o, "text", json_text(info->text));
        json_put(b, o, "line", info->line ? json_whole(info->line) : json_null());
        json_put(b, o, "file", info->file ? json_text(info->file) : json_null());
        json_put(b, o, "pc", json_whole(info->pc));
        json_put(b, o, "class", json_string(simsm_ops[info->op].name));
        put_sums(b, o, line);
        json_add(b, array, o);
    }
    return array;
}

/* Estimated costs of faults, the greatest share of the time first. */
static json_t *advice_array(struct json_builder *b, const struct run_info *run,
                            const struct simsm_stats *stats,
                            const struct simsm_metric metrics[METRIC_COUNT])
{
    struct advice advice[ADVICE_COUNT];
    unsigned count = advice_find(run->config, stats, metrics, advice);
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++) {
        const struct advice_row *row = &advice_rows[advice[i].id];
        json_t *o = json_object();
        json_put(b, o, "advice", json_string(row->name));
        json_put(b, o, "title", json_string(row->title));
        json_put(b, o, "share", json_number(advice[i].share));
        json_put(b, o, "place", json_text(advice[i].place));
        json_put(b, o, "figure", json_string(advice[i].figure));
        json_put(b, o, "try", json_string(row->remedy));
        json_add(b, array, o);
    }
    return array;
}

static json_t *verdict_array(struct json_builder *b, const struct run_info *run,
                             const struct simsm_stats *stats,
                             const struct simsm_metric metrics[METRIC_COUNT])
{
    struct verdict_finding findings[VERDICT_MAX];
    unsigned count = verdict_find(run->config, stats, metrics, findings);
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++) {
        json_t *o = json_object();
        json_put(b, o, "rule", json_string(findings[i].name));
        json_put(b, o, "sentence", json_string(findings[i].sentence));
        json_put(b, o, "try", json_string(findings[i].hint));
        json_add(b, array, o);
    }
    return array;
}

static json_t *config_object(struct json_builder *b, const struct run_info *run)
{
    json_t *o = json_object(), *options = json_array();
    json_put(b, o, "name", json_text(run->config_name));
    json_put(b, o, "gpu", json_text(run->config->gpu_name));
    json_put(b, o, "timing",
             json_string(schema_choice_name(SCHEMA_gpu_timing, run->config->gpu_timing)));
    json_put(b, o, "clock_mhz", json_number(run->config->gpu_clock_mhz));
    json_put(b, o, "memory_model",
             json_string(schema_choice_name(SCHEMA_memory_model, run->config->memory_model)));
    json_put(b, o, "scheduler", json_text(run->config->sm_scheduler));
    json_put(b, o, "dispatch", json_text(run->config->dispatch_policy));
    if (run->config->policy_module[0]) {
        json_put(b, o, "policy_module", json_text(run->config->policy_module));
        json_put(b, o, "policy_params", json_text(run->config->policy_params));
        json_put(b, o, "policy_l1", json_text(run->config->policy_l1));
    }
    json_put(b, o, "seed", json_whole(run->config->run_seed));
    for (size_t i = 0; i < run->option_count; i++)
        json_add(b, options, json_text(run->options[i]));
    json_put(b, o, "options", options);
    return o;
}

static enum simsm_status write_object(FILE *file, const struct run_info *run,
                                      const struct simsm_stats *stats, size_t layout,
                                      struct simsm_error *error)
{
    struct json_builder b = {0};
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(run->config, stats, metrics);
    json_t *root = json_object();
    json_put(&b, root, "format", json_whole(STATS_JSON_VERSION));
    json_put(&b, root, "program", json_string("simsm " SIMSM_VERSION));
    json_put(&b, root, "trace", json_text(run->trace));
    json_put(&b, root, "number", run->number ? json_whole(run->number) : json_null());
    json_put(&b, root, "range", run->range ? json_text(run->range) : json_null());
    json_put(&b, root, "config", config_object(&b, run));
    json_put(&b, root, "launch", launch_object(&b, &stats->launch));
    json_put(&b, root, "occupancy", occupancy_object(&b, &stats->occupancy));
    json_put(&b, root, "run", run_object(&b, stats));
    json_put(&b, root, "stopped_by", run->stopped_by ? json_text(run->stopped_by) : json_null());
    json_put(&b, root, "shared_gpu", json_boolean(run->shared));
    json_put(&b, root, "gap", run->shared ? json_null() : gap_object(&b, &stats->gap));
    json_put(&b, root, "counters", counters_object(&b, stats, run->shared));
    json_put(&b, root, "metrics", metrics_object(&b, metrics));
    json_put(&b, root, "states", states_object(&b, stats->states, true));
    json_put(&b, root, "lanes", run->shared ? json_null() : lanes_array(&b, stats));
    json_put(&b, root, "lines", lines_array(&b, stats));
    json_put(&b, root, "source_lines", source_array(&b, stats));
    json_put(&b, root, "advice", advice_array(&b, run, stats, metrics));
    json_put(&b, root, "verdict", verdict_array(&b, run, stats, metrics));
    enum simsm_status status = SIMSM_OK;
    if (b.bad)
        status = err_no_memory(error);
    else if (json_dumpf(root, file, layout | JSON_REAL_PRECISION(15)) == 0)
        (void)fputc('\n', file); /* the caller checks for write errors */
    json_decref(root);
    return status;
}

enum simsm_status export_json(FILE *file, const struct run_info *run,
                              const struct simsm_stats *stats, struct simsm_error *error)
{
    return write_object(file, run, stats, JSON_INDENT(1), error);
}

enum simsm_status export_json_line(FILE *file, const struct run_info *run,
                                   const struct simsm_stats *stats, struct simsm_error *error)
{
    return write_object(file, run, stats, 0, error);
}
