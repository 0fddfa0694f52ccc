/* Simulates one launch, or samples several, and takes counters and metrics as plain data. */
#include "sweep/sweep_outcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "api/simsm_front.h"
#include "api/watched.h"
#include "base/err.h"
#include "sweep/sweep_outcome_inner.h"

static double seconds_now(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool go_on(void *context, struct simsm *simulation)
{
    const struct outcome_run *run = context;
    (void)simulation;
    return !run->stop || !run->stop();
}

static enum simsm_status simulate(const struct outcome_run *run, struct simsm *simulation,
                                  struct simsm_error *error)
{
    const struct simsm_watch watch = {go_on, (void *)run};
    if (run->stop)
        front_stop_when(simsm_front(simulation), run->stop);
    enum simsm_status status = simsm_run_watched(simulation, run->max_cycles, &watch, error);
    if (status == SIMSM_INTERRUPTED)
        return err_set(error, status, "stopped");
    if (status == SIMSM_LIMIT && front_status(simsm_front(simulation), error) == SIMSM_OK)
        return err_set(error, status, "stopped by --max-cycles");
    return status;
}

static void take_figures(const struct simsm_config *config, const struct simsm_stats *stats,
                         struct sweep_outcome *outcome)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(config, stats, metrics);
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        outcome->metric[i] = metrics[i].value;
    memcpy(outcome->counter, stats->counter, sizeof outcome->counter);
}

/* Opens a simulation of `trace`. The list of parameters is needed only during the call. */
static enum simsm_status open_with(struct simsm **simulation, const char *trace,
                                   const struct simsm_config *config, const struct texts *params,
                                   uint32_t threads, struct simsm_error *error)
{
    const char **list = calloc(params->count + 1, sizeof *list);
    *simulation = NULL;
    if (!list)
        return err_no_memory(error);
    for (uint32_t i = 0; i < params->count; i++)
        list[i] = params->item[i].text;
    const struct simsm_options options = {.parameters = list, .threads = threads};
    enum simsm_status status = simsm_open(simulation, config, trace, &options, error);
    free((void *)list);
    return status;
}

static void take_launch(const struct simsm_launch *launch, struct sweep_outcome *outcome)
{
    (void)snprintf(outcome->kernel, sizeof outcome->kernel, "%s", launch->name);
    memcpy(outcome->grid, launch->grid, sizeof outcome->grid);
    memcpy(outcome->block, launch->block, sizeof outcome->block);
}

void outcome_describe(struct simsm_metric metrics[OUTCOME_METRICS])
{
    static const struct simsm_metric of_sample[OUTCOME_METRICS - METRIC_COUNT] = {
#define FIGURE(id, name, unit, meaning) {name, unit, meaning, NAN},
#include "sweep/sample_figures.def"
#undef FIGURE
    };
    metrics_describe(metrics);
    memcpy(metrics + METRIC_COUNT, of_sample, sizeof of_sample);
}

static void clear(struct sweep_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    for (unsigned i = 0; i < OUTCOME_METRICS; i++)
        outcome->metric[i] = NAN;
}

enum simsm_status outcome_launch(const struct outcome_run *run, struct block_sampler *blocks,
                                 struct sweep_outcome *outcome, struct simsm_error *error)
{
    struct simsm *simulation = NULL;
    enum simsm_status status =
        open_with(&simulation, run->trace, run->config, run->params, run->threads, error);
    if (status == SIMSM_OK) {
        take_launch(simsm_launch_of(simulation), outcome);
        if (blocks)
            block_sampler_attach(blocks, simulation, run->config);
        status = simulate(run, simulation, error);
    }
    if (status == SIMSM_OK)
        take_figures(run->config, simsm_stats(simulation), outcome);
    if (status == SIMSM_OK && blocks)
        block_sampler_end(blocks, simsm_stats(simulation));
    simsm_close(simulation);
    return status;
}

void outcome_simulate(const struct outcome_run *run, struct sweep_outcome *outcome)
{
    const double wall = seconds_now(CLOCK_MONOTONIC), cpu = seconds_now(CLOCK_PROCESS_CPUTIME_ID);
    struct rusage usage;
    clear(outcome);
    outcome->status = run->sample ? outcome_sampled(run, outcome, &outcome->error)
                                  : outcome_launch(run, NULL, outcome, &outcome->error);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        outcome->peak_bytes = (uint64_t)usage.ru_maxrss * 1024; /* in KiB on Linux */
    outcome->wall_seconds = seconds_now(CLOCK_MONOTONIC) - wall;
    outcome->cpu_seconds = seconds_now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
}

enum simsm_status outcome_check_open(const char *trace, const struct simsm_config *config,
                                     const struct texts *params, struct simsm_error *error)
{
    struct simsm *simulation;
    enum simsm_status status = open_with(&simulation, trace, config, params, 1, error);
    simsm_close(simulation);
    return status;
}
