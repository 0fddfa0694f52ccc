/*
 * One launch in the simulator: opens it, runs it, executes the blocks that are not timed, writes
 * its files.
 */
#include "cuda/launch_timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "cuda/l2_contents.h"
#include "cuda/outputs.h"
#include "cuda/program_recorder.h"
#include "front/block_front.h"
#include "observe/timeline_write.h"
#include "sample/sample_blocks.h"

struct timed_launch {
    struct runtime *rt;
    struct journal_launch *row;
    const struct timed_part *part; /* NULL: all blocks are timed */
    struct outputs outputs;
    const struct simsm_observer *observers[2]; /* of the timeline, then NULL as the end */
    struct simsm *simulation;
};

static enum simsm_status open_front(const struct journal_launch *row, struct exec_launch *launch,
                                    struct front **front, struct simsm_error *error)
{
    enum simsm_status status = exec_front_open(front, launch, error);
    if (status == SIMSM_OK)
        (*front)->launch = row->launch; /* with the name of the source, not the mangled name */
    return status;
}

/* Opens files, fronts, simulation and L2 contents of a launch. */
static enum simsm_status open_run(struct timed_launch *run, struct exec_launch *launch,
                                  struct simsm_error *error)
{
    const struct settings *settings = &run->rt->settings;
    struct front *front;
    enum simsm_status status = open_front(run->row, launch, &front, error);
    if (status != SIMSM_OK)
        return status;
    outputs_open(&run->outputs, run->rt, run->row->number);
    if (run->outputs.timeline)
        run->observers[0] = &run->outputs.observer;
    const struct simsm_options options = {.observers = run->observers,
                                          .check = setting_flag(settings, SETTING_ID_check),
                                          .threads = (uint32_t)settings->threads,
                                          .no_skip = setting_flag(settings, SETTING_ID_no_skip)};
    status = simsm_open_front(&run->simulation, &run->rt->config, front, &options, error);
    if (status == SIMSM_OK) {
        l2_contents_restore(run->rt->l2, run->simulation);
        if (run->part && run->part->blocks)
            block_sampler_attach(run->part->blocks, run->simulation, &run->rt->config);
        outputs_describe(&run->outputs, run->simulation);
    }
    return status;
}

static void set_interrupted_message(const struct simsm_stats *stats, struct simsm_error *error)
{
    (void)err_set(error, SIMSM_INTERRUPTED,
                  "interrupted in cycle %llu, when %llu of %llu blocks had ended",
                  (unsigned long long)stats->cycles, (unsigned long long)stats->blocks_done,
                  (unsigned long long)stats->blocks_total);
}

/* Executes the blocks that --sample leaves untimed. */
static enum simsm_status finish_blocks(struct timed_launch *run, const char **stopped_by,
                                       struct simsm_error *error)
{
    const struct simsm_stats *stats = simsm_stats(run->simulation);
    block_sampler_end(run->part->blocks, stats);
    if (stats->complete)
        return SIMSM_OK;
    *stopped_by = "--sample";
    return run->part->skip_untimed ? SIMSM_OK : front_finish(simsm_front(run->simulation), error);
}

/* Runs the simulation. *stopped_by: as in struct run_info. */
static enum simsm_status simulate(struct timed_launch *run, const struct launch_watch *watch,
                                  const char **stopped_by, struct simsm_error *error)
{
    const uint64_t max_cycles = run->rt->settings.max_cycles;
    const struct front *front = simsm_front(run->simulation);
    enum simsm_status status =
        simsm_run_watched(run->simulation, max_cycles, &watch->timing, error);
    const bool executing = front_status(front, NULL) == SIMSM_OK;
    *stopped_by = NULL;
    if (status == SIMSM_INTERRUPTED && executing)
        set_interrupted_message(simsm_stats(run->simulation), error);
    if (status == SIMSM_OK && run->part && run->part->blocks)
        status = finish_blocks(run, stopped_by, error);
    if (status == SIMSM_LIMIT && executing) {
        *stopped_by = "--max-cycles";
        status = front_finish(front, error);
    }
    if (status != SIMSM_OK)
        *stopped_by = status == SIMSM_INTERRUPTED ? "an interrupt"
                      : status == SIMSM_LIMIT     ? "--max-instructions"
                                                  : "an error";
    return status;
}

enum simsm_status launch_time(struct runtime *rt, struct exec_launch *launch,
                              const struct launch_watch *watch, const struct timed_part *part,
                              struct journal_launch *row, struct simsm_error *error)
{
    struct timed_launch run = {.rt = rt, .row = row, .part = part};
    const char *stopped_by;
    enum simsm_status status = open_run(&run, launch, error);
    if (status == SIMSM_OK) {
        status = simulate(&run, watch, &stopped_by, error);
        const struct simsm_stats *stats = simsm_stats(run.simulation);
        journal_measure(row, &rt->config, stats);
        outputs_write(&run.outputs, row, stats, false, stopped_by);
    }
    l2_contents_save(rt->l2, run.simulation);
    simsm_close(run.simulation);
    outputs_abandon(&run.outputs);
    return status;
}

/* Executes and records a launch without timing it. */
static enum simsm_status execute_recorded(struct runtime *rt, struct exec_launch *launch,
                                          const struct journal_launch *row,
                                          struct exec_counts *counts, struct simsm_error *error)
{
    struct front *front;
    enum simsm_status status = open_front(row, launch, &front, error);
    if (status != SIMSM_OK)
        return status;
    program_recorder_begin(rt->recorder, front);
    status = block_front_produce_all(front, error);
    *counts = *exec_front_counts(front);
    program_recorder_end(rt->recorder, status == SIMSM_OK);
    front_close(front);
    return status;
}

enum simsm_status launch_execute(struct runtime *rt, struct exec_launch *launch,
                                 struct journal_launch *row, struct simsm_error *error)
{
    struct exec_counts counts = {0};
    enum simsm_status status = rt->recorder && row->chosen
                                   ? execute_recorded(rt, launch, row, &counts, error)
                                   : exec_run(launch, &counts, error);
    const double issues = (double)rt->config.gpu_sms * rt->config.sm_sub_partitions;
    row->warp_instructions = counts.warp_instructions;
    row->ns = (rt->config.gpu_launch_cycles + (double)counts.warp_instructions / issues) * 1e3 /
              rt->config.gpu_clock_mhz;
    return status;
}
