#include "cuda/timed.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "cuda/begun.h"
#include "cuda/interrupt.h"
#include "cuda/outputs.h"
#include "cuda/program_recorder.h"
#include "observe/timeline.h"

struct run {
    struct runtime *rt;
    struct journal_launch *row;
    struct outputs outputs;
    const struct simsm_observer *observers[2]; /* the timeline's, and the end of the list */
    struct simsm *simulation;
};

/* The launch as a front that is recorded, if launches are. */
static enum simsm_status open_front(struct runtime *rt, const struct journal_launch *row,
                                    struct exec_launch *launch, struct front **front,
                                    struct simsm_error *error)
{
    enum simsm_status status = exec_front_open(front, launch, error);
    if (status != SIMSM_OK)
        return status;
    (*front)->launch = row->launch; /* the name that the source has */
    program_recorder_begin(rt->recorder, *front);
    return SIMSM_OK;
}

static enum simsm_status open_run(struct run *run, struct exec_launch *launch,
                                  struct simsm_error *error)
{
    const struct settings *settings = &run->rt->settings;
    enum simsm_status status = outputs_open(&run->outputs, run->rt, run->row->number, error);
    if (status != SIMSM_OK)
        return status;
    struct front *front;
    status = open_front(run->rt, run->row, launch, &front, error);
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

/* In steps, so that an interrupt does not have to wait for the end. */
static enum simsm_status run_until(struct simsm *simulation, uint64_t until,
                                   struct simsm_error *error)
{
    enum { STEP = 2000 };
    enum simsm_status status = SIMSM_LIMIT;
    for (uint64_t cycle = 0; status == SIMSM_LIMIT && cycle < until && !interrupt_came;) {
        cycle = until - cycle > STEP ? cycle + STEP : until;
        status = simsm_run(simulation, cycle, error);
    }
    return status;
}

static enum simsm_status run_all(struct run *run, struct exec_launch *launch,
                                 struct simsm_error *error)
{
    const uint64_t max_cycles = run->rt->settings.max_cycles;
    enum simsm_status status = open_run(run, launch, error);
    if (status != SIMSM_OK)
        return status;
    status = run_until(run->simulation, max_cycles, error);
    char stopped[40] = "";
    if (status == SIMSM_LIMIT && !interrupt_came) {
        (void)snprintf(stopped, sizeof stopped, "--max-cycles %llu",
                       (unsigned long long)max_cycles);
        status = begun_finish(simsm_front(run->simulation), error);
    }
    const struct simsm_stats *stats = simsm_stats(run->simulation);
    journal_measure(run->row, &run->rt->config, stats);
    struct simsm_error second;
    const char *why = status == SIMSM_LIMIT ? "an interrupt"
                      : status != SIMSM_OK  ? "an error"
                      : stopped[0]          ? stopped
                                            : NULL;
    enum simsm_status written =
        outputs_write(&run->outputs, stats, why, status == SIMSM_OK ? error : &second);
    return status != SIMSM_OK ? status : written;
}

enum simsm_status timed_run(struct runtime *rt, struct exec_launch *launch,
                            struct journal_launch *row, struct simsm_error *error)
{
    struct run run = {.rt = rt, .row = row};
    enum simsm_status status = run_all(&run, launch, error);
    program_recorder_end(rt->recorder, status == SIMSM_OK);
    simsm_close(run.simulation);
    outputs_abandon(&run.outputs);
    return status;
}

/* Executes and records, without timing. */
static enum simsm_status record(struct runtime *rt, struct exec_launch *launch,
                                const struct journal_launch *row, struct exec_counts *counts,
                                struct simsm_error *error)
{
    struct front *front;
    enum simsm_status status = open_front(rt, row, launch, &front, error);
    if (status != SIMSM_OK)
        return status;
    const struct exec_counts *executed = exec_front_counts(front);
    status = begun_open(&front, error); /* none is, so that all are executed */
    if (status != SIMSM_OK) {
        program_recorder_end(rt->recorder, false);
        return status;
    }
    status = begun_finish(front, error);
    *counts = *executed;
    program_recorder_end(rt->recorder, status == SIMSM_OK);
    front_close(front);
    return status;
}

enum simsm_status timed_execute(struct runtime *rt, struct exec_launch *launch,
                                struct journal_launch *row, struct simsm_error *error)
{
    struct exec_counts counts = {0};
    enum simsm_status status = rt->recorder && row->chosen ? record(rt, launch, row, &counts, error)
                                                           : exec_run(launch, &counts, error);
    const double issues = (double)rt->config.gpu_sms * rt->config.sm_sub_partitions;
    row->warp_instructions = counts.warp_instructions;
    row->ns = (rt->config.gpu_launch_cycles + (double)counts.warp_instructions / issues) * 1e3 /
              rt->config.gpu_clock_mhz;
    return status;
}
