#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "config/schema.h"
#include "export/export.h"
#include "report/advice.h"
#include "report/costly.h"
#include "report/metrics.h"
#include "report/verdict.h"
#include "simsm/simsm.h"

/*
 * jansson's *_new functions take their value over, also if they fail or the value is NULL. `bad`
 * collects their results, so that one test at the end finds any lack of memory.
 */
struct stats_builder {
    int bad;
};

static void put(struct stats_builder *b, json_t *object, const char *key, json_t *value)
{
    b->bad |= json_object_set_new(object, key, value);
}

static void add(struct stats_builder *b, json_t *array, json_t *value)
{
    b->bad |= json_array_append_new(array, value);
}

static json_t *whole(uint64_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Returns a JSON string. Texts of traces may be any bytes; bytes that are no UTF-8 become '?'. */
static json_t *string(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char safe[512];
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof safe; i++)
        safe[i] = (char)((unsigned char)text[i] < 128 ? text[i] : '?');
    safe[i] = '\0';
    return json_string(safe);
}

static json_t *triple(struct stats_builder *b, const uint32_t size[3])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        add(b, array, whole(size[i]));
    return array;
}

static json_t *launch_object(struct stats_builder *b, const struct simsm_launch *launch)
{
    json_t *o = json_object();
    put(b, o, "kernel", string(launch->name));
    put(b, o, "grid", triple(b, launch->grid));
    put(b, o, "block", triple(b, launch->block));
    put(b, o, "registers_per_thread", whole(launch->registers));
    put(b, o, "shared_static_bytes", whole(launch->shared_static));
    put(b, o, "shared_dynamic_bytes", whole(launch->shared_dynamic));
    put(b, o, "carveout_bytes",
        launch->carveout == SIMSM_CARVEOUT_DEFAULT ? json_null() : whole(launch->carveout));
    return o;
}

static json_t *occupancy_object(struct stats_builder *b, const struct simsm_occupancy *occupancy)
{
    json_t *o = json_object(), *limits = json_object(), *limiters = json_array();
    put(b, o, "blocks_per_sm", whole(occupancy->blocks));
    put(b, o, "warps_per_sm", whole(occupancy->warps));
    put(b, o, "warps_per_block", whole(occupancy->warps_per_block));
    put(b, o, "max_warps_per_sm", whole(occupancy->max_warps));
    for (unsigned i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        uint32_t limit = occupancy->limit[i];
        put(b, limits, simsm_limit_names[i], limit == SIMSM_NO_LIMIT ? json_null() : whole(limit));
        if (occupancy->limiters >> i & 1u)
            add(b, limiters, json_string(simsm_limit_names[i]));
    }
    put(b, o, "limits", limits);
    put(b, o, "limiters", limiters);
    put(b, o, "registers_per_warp", whole(occupancy->registers_per_warp));
    put(b, o, "shared_bytes_per_block", whole(occupancy->shared_per_block));
    put(b, o, "carveout_bytes", whole(occupancy->carveout));
    return o;
}

static json_t *run_object(struct stats_builder *b, const struct simsm_stats *stats)
{
    json_t *o = json_object();
    put(b, o, "complete", json_boolean(stats->complete));
    put(b, o, "sms", whole(stats->sms));
    put(b, o, "cycles", whole(stats->cycles));
    put(b, o, "launch_cycles", whole(stats->launch_cycles));
    put(b, o, "blocks_total", whole(stats->blocks_total));
    put(b, o, "blocks_done", whole(stats->blocks_done));
    put(b, o, "block_cycles_sum", whole(stats->block_cycles_sum));
    put(b, o, "block_cycles_min",
        stats->blocks_done ? whole(stats->block_cycles_min) : json_null());
    put(b, o, "block_cycles_max",
        stats->blocks_done ? whole(stats->block_cycles_max) : json_null());
    put(b, o, "last_wave_cycle", whole(stats->last_wave_cycle));
    put(b, o, "visited_cycles", whole(stats->visited_cycles));
    return o;
}

static json_t *gap_object(struct stats_builder *b, const struct simsm_gap *gap)
{
    json_t *o = json_object();
    put(b, o, "capacity", whole(gap->capacity));
    put(b, o, "alive", whole(gap->alive));
    put(b, o, "within_blocks", whole(gap->within_blocks));
    put(b, o, "across_blocks", whole(gap->across_blocks));
    put(b, o, "few_blocks", whole(gap->few_blocks));
    put(b, o, "partial_wave", whole(gap->partial_wave));
    put(b, o, "refill", whole(gap->refill));
    return o;
}

/* `shared`: counters of 0 are not known. */
static json_t *counters_object(struct stats_builder *b, const struct simsm_stats *stats,
                               bool shared)
{
    json_t *o = json_object();
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        put(b, o, simsm_counters[i].name,
            shared && !stats->counter[i] ? json_null() : whole(stats->counter[i]));
    return o;
}

static json_t *metrics_object(struct stats_builder *b,
                              const struct simsm_metric metrics[METRIC_COUNT])
{
    json_t *o = json_object();
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        put(b, o, metrics[i].name, number(metrics[i].value));
    return o;
}

/* Returns an object of state names and cycles. Zeros are left out unless `all`, as most
 * instructions have only a few states. */
static json_t *states_object(struct stats_builder *b, const uint64_t states[SIMSM_STATE_COUNT],
                             bool all)
{
    json_t *o = json_object();
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++) {
        if (all || states[i])
            put(b, o, simsm_states[i].name, whole(states[i]));
    }
    return o;
}

static json_t *lanes_array(struct stats_builder *b, const struct simsm_stats *stats)
{
    json_t *array = json_array();
    for (unsigned i = 0; i <= SIMSM_WARP_LANES; i++)
        add(b, array, whole(stats->lanes[i]));
    return array;
}

static void put_sums(struct stats_builder *b, json_t *o, const struct simsm_line_stats *line)
{
    put(b, o, "issues", whole(line->issues));
    put(b, o, "threads", whole(line->threads));
    put(b, o, "threads_off", whole(line->threads_off));
    put(b, o, "sectors", whole(line->sectors));
    put(b, o, "sectors_least", whole(line->sectors_least));
    put(b, o, "sector_hits", whole(line->sector_hits));
    put(b, o, "states", states_object(b, line->states, false));
}

/* Lines of the source, the hottest first. */
static json_t *source_array(struct stats_builder *b, const struct simsm_stats *stats)
{
    json_t *array = json_array();
    uint32_t count = 0;
    struct costly_line *lines = costly_lines(stats, COSTLY_SOURCE, &count);
    b->bad |= !lines;
    for (uint32_t i = 0; lines && i < count; i++) {
        const struct simsm_line_info *info = &stats->line_info[lines[i].line];
        json_t *o = json_object();
        put(b, o, "file", string(info->file));
        put(b, o, "line", whole(info->line));
        put_sums(b, o, &lines[i].sums);
        add(b, array, o);
    }
    free(lines);
    return array;
}

static json_t *lines_array(struct stats_builder *b, const struct simsm_stats *stats)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const struct simsm_line_info *info = &stats->line_info[i];
        const struct simsm_line_stats *line = &stats->lines[i];
        json_t *o = json_object();
        put(b, o, "text", string(info->text));
        put(b, o, "line", info->line ? whole(info->line) : json_null());
        put(b, o, "file", info->file ? string(info->file) : json_null());
        put(b, o, "pc", whole(info->pc));
        put(b, o, "class", json_string(simsm_ops[info->op].name));
        put_sums(b, o, line);
        add(b, array, o);
    }
    return array;
}

/* Estimated costs of faults, the greatest share of the time first. */
static json_t *advice_array(struct stats_builder *b, const struct run_info *run,
                            const struct simsm_stats *stats,
                            const struct simsm_metric metrics[METRIC_COUNT])
{
    struct advice advice[ADVICE_COUNT];
    unsigned count = advice_find(run->config, stats, metrics, advice);
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++) {
        const struct advice_row *row = &advice_rows[advice[i].id];
        json_t *o = json_object();
        put(b, o, "advice", json_string(row->name));
        put(b, o, "title", json_string(row->title));
        put(b, o, "share", number(advice[i].share));
        put(b, o, "place", string(advice[i].place));
        put(b, o, "figure", json_string(advice[i].figure));
        put(b, o, "try", json_string(row->remedy));
        add(b, array, o);
    }
    return array;
}

static json_t *verdict_array(struct stats_builder *b, const struct run_info *run,
                             const struct simsm_stats *stats,
                             const struct simsm_metric metrics[METRIC_COUNT])
{
    struct verdict_finding findings[VERDICT_MAX];
    unsigned count = verdict_find(run->config, stats, metrics, findings);
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++) {
        json_t *o = json_object();
        put(b, o, "rule", json_string(findings[i].name));
        put(b, o, "sentence", json_string(findings[i].sentence));
        put(b, o, "try", json_string(findings[i].hint));
        add(b, array, o);
    }
    return array;
}

static json_t *config_object(struct stats_builder *b, const struct run_info *run)
{
    json_t *o = json_object(), *options = json_array();
    put(b, o, "name", string(run->config_name));
    put(b, o, "gpu", string(run->config->gpu_name));
    put(b, o, "timing",
        json_string(schema_choice_name(SCHEMA_gpu_timing, run->config->gpu_timing)));
    put(b, o, "clock_mhz", number(run->config->gpu_clock_mhz));
    put(b, o, "memory_model",
        json_string(schema_choice_name(SCHEMA_memory_model, run->config->memory_model)));
    put(b, o, "scheduler", string(run->config->sm_scheduler));
    put(b, o, "dispatch", string(run->config->dispatch_policy));
    if (run->config->policy_module[0]) {
        put(b, o, "policy_module", string(run->config->policy_module));
        put(b, o, "policy_params", string(run->config->policy_params));
        put(b, o, "policy_l1", string(run->config->policy_l1));
    }
    put(b, o, "seed", whole(run->config->run_seed));
    for (size_t i = 0; i < run->option_count; i++)
        add(b, options, string(run->options[i]));
    put(b, o, "options", options);
    return o;
}

static enum simsm_status write_object(FILE *file, const struct run_info *run,
                                      const struct simsm_stats *stats, size_t layout,
                                      struct simsm_error *error)
{
    struct stats_builder b = {0};
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(run->config, stats, metrics);
    json_t *root = json_object();
    put(&b, root, "format", whole(STATS_JSON_VERSION));
    put(&b, root, "program", json_string("simsm " SIMSM_VERSION));
    put(&b, root, "trace", string(run->trace));
    put(&b, root, "number", run->number ? whole(run->number) : json_null());
    put(&b, root, "range", run->range ? string(run->range) : json_null());
    put(&b, root, "config", config_object(&b, run));
    put(&b, root, "launch", launch_object(&b, &stats->launch));
    put(&b, root, "occupancy", occupancy_object(&b, &stats->occupancy));
    put(&b, root, "run", run_object(&b, stats));
    put(&b, root, "stopped_by", run->stopped_by ? string(run->stopped_by) : json_null());
    put(&b, root, "shared_gpu", json_boolean(run->shared));
    put(&b, root, "gap", run->shared ? json_null() : gap_object(&b, &stats->gap));
    put(&b, root, "counters", counters_object(&b, stats, run->shared));
    put(&b, root, "metrics", metrics_object(&b, metrics));
    put(&b, root, "states", states_object(&b, stats->states, true));
    put(&b, root, "lanes", run->shared ? json_null() : lanes_array(&b, stats));
    put(&b, root, "lines", lines_array(&b, stats));
    put(&b, root, "source_lines", source_array(&b, stats));
    put(&b, root, "advice", advice_array(&b, run, stats, metrics));
    put(&b, root, "verdict", verdict_array(&b, run, stats, metrics));
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
