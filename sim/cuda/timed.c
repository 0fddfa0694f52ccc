#include "cuda/timed.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "cuda/begun.h"
#include "cuda/outputs.h"
#include "observe/timeline.h"
#include "report/metrics.h"

struct run {
    struct runtime *rt;
    struct journal_launch *row;
    struct outputs outputs;
    const struct simsm_observer *observers[2]; /* the timeline's, and the end of the list */
    struct simsm *simulation;
};

static double nanoseconds(const struct simsm_config *config, double cycles)
{
    return cycles * 1e3 / config->gpu_clock_mhz;
}

/* The state in which the resident warps spent most of their cycles. */
static void find_main_state(const struct simsm_stats *stats, struct journal_launch *row)
{
    unsigned most = SIMSM_STATE_ISSUED;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        if (stats->states[s] > stats->states[most])
            most = s;
    }
    double all = (double)metrics_resident_cycles(stats);
    row->state = (enum simsm_warp_state)most;
    row->state_percent = all > 0 ? 100 * (double)stats->states[most] / all : 0;
}

static void fill_row(const struct run *run, const struct simsm_stats *stats)
{
    struct journal_launch *row = run->row;
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(&run->rt->config, stats, metrics);
    row->cycles = stats->cycles;
    row->ns = nanoseconds(&run->rt->config, (double)stats->cycles);
    row->warp_instructions = stats->counter[SIMSM_COUNTER_INST_EXECUTED];
    row->ipc = metrics[METRIC_IPC_ACTIVE].value;
    row->occupancy_percent = metrics[METRIC_OCCUPANCY_ACHIEVED].value;
    find_main_state(stats, row);
}

static enum simsm_status open_run(struct run *run, struct exec_launch *launch,
                                  struct simsm_error *error)
{
    const struct settings *settings = &run->rt->settings;
    enum simsm_status status = outputs_open(&run->outputs, run->rt, run->row->number, error);
    if (status != SIMSM_OK)
        return status;
    struct front *front;
    status = exec_front_open(&front, launch, error);
    if (status == SIMSM_OK)
        front->launch = run->row->launch; /* the name that the source has */
    if (status == SIMSM_OK && settings->max_cycles != UINT64_MAX)
        status = begun_open(&front, error);
    if (status != SIMSM_OK)
        return status;
    if (run->outputs.timeline)
        run->observers[0] = timeline_observer(run->outputs.timeline);
    const struct simsm_options options = {.observers = run->observers};
    status = simsm_open_front(&run->simulation, &run->rt->config, front, &options, error);
    if (status == SIMSM_OK)
        status = outputs_describe(&run->outputs, run->simulation, error);
    return status;
}

static enum simsm_status run_all(struct run *run, struct exec_launch *launch,
                                 struct simsm_error *error)
{
    const uint64_t max_cycles = run->rt->settings.max_cycles;
    enum simsm_status status = open_run(run, launch, error);
    if (status != SIMSM_OK)
        return status;
    status = simsm_run(run->simulation, max_cycles, error);
    char stopped[40] = "";
    if (status == SIMSM_LIMIT) {
        (void)snprintf(stopped, sizeof stopped, "--max-cycles %llu",
                       (unsigned long long)max_cycles);
        status = begun_finish(simsm_front(run->simulation), error);
    }
    const struct simsm_stats *stats = simsm_stats(run->simulation);
    fill_row(run, stats);
    struct simsm_error second;
    const char *why = status != SIMSM_OK ? "an error" : stopped[0] ? stopped : NULL;
    enum simsm_status written =
        outputs_write(&run->outputs, stats, why, status == SIMSM_OK ? error : &second);
    return status != SIMSM_OK ? status : written;
}

enum simsm_status timed_run(struct runtime *rt, struct exec_launch *launch,
                            struct journal_launch *row, struct simsm_error *error)
{
    struct run run = {.rt = rt, .row = row};
    enum simsm_status status = run_all(&run, launch, error);
    simsm_close(run.simulation);
    outputs_abandon(&run.outputs);
    return status;
}

enum simsm_status timed_execute(struct runtime *rt, struct exec_launch *launch,
                                struct journal_launch *row, struct simsm_error *error)
{
    struct exec_counts counts = {0};
    enum simsm_status status = exec_run(launch, &counts, error);
    const double issues = (double)rt->config.gpu_sms * rt->config.sm_sub_partitions;
    row->warp_instructions = counts.warp_instructions;
    row->ns = nanoseconds(&rt->config,
                          rt->config.gpu_launch_cycles + (double)counts.warp_instructions / issues);
    return status;
}
