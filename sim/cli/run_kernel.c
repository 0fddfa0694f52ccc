/* Simulates one launch and writes its report, files and timeline. */
#include "cli/run_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "base/printable.h"
#include "cli/again_line.h"
#include "cli/foreign_trace.h"
#include "cli/run_loop.h"
#include "cli/run_outputs.h"
#include "cli/signals.h"
#include "config/schema.h"
#include "cuda/journal.h"
#include "observe/timeline_write.h"
#include "report/digest.h"
#include "report/report.h"
#include "simsm/simsm.h"
#include "sweep/texts.h"

enum { WHERE = 160 }; /* bytes of the text of how_far() */

struct kernel_run {
    struct run_options options;
    const struct simsm_config *config;
    const char *command_line;
    struct block_sampler *blocks; /* NULL: all blocks are timed */
    struct journal *journal;      /* of several launches; NULL: this launch is alone */
    struct journal_launch *row;   /* as `journal` */
    struct run_outputs outputs;
    struct timeline *timeline;
    const struct simsm_observer *observers[2]; /* [0] is the timeline's; NULL ends the list */
    struct simsm *simulation;
};

static enum simsm_status open_timeline(struct kernel_run *run, struct simsm_error *error)
{
    const struct run_options *o = &run->options;
    if (!o->timeline)
        return SIMSM_OK;
    const struct timeline_options options = {.sm = o->timeline_sm,
                                             .sm_count = o->timeline_sm_count,
                                             .from = o->timeline_from,
                                             .to = o->timeline_to};
    return timeline_create(&run->timeline, o->timeline, run->config, &options, error);
}

static enum simsm_status open_simulation(struct kernel_run *run, struct simsm_error *error)
{
    const struct run_options *o = &run->options;
    if (run->timeline)
        run->observers[0] = timeline_observer(run->timeline);
    const struct simsm_options options = {.observers = run->observers,
                                          .parameters = o->parameters.item,
                                          .no_skip = o->no_skip,
                                          .threads = o->threads,
                                          .check = o->check};
    enum simsm_status status = simsm_open(&run->simulation, run->config, o->trace, &options, error);
    if (status == SIMSM_OK)
        front_stop_when(simsm_front(run->simulation), signals_first);
    if (status == SIMSM_OK && run->blocks)
        block_sampler_attach(run->blocks, run->simulation, run->config);
    if (status != SIMSM_OK || !run->timeline)
        return status;
    const struct timeline_about about = {.command_line = run->command_line,
                                         .front = simsm_front(run->simulation),
                                         .occupancy = &simsm_stats(run->simulation)->occupancy};
    return timeline_describe(run->timeline, &about, error);
}

/* Returns what stopped the run: an option, a signal or an error. NULL: the run is complete. `room`
 * holds the text if it has a number. */
static const char *stopped_by(const struct kernel_run *run, enum simsm_status ended, char room[40])
{
    switch (ended) {
    case SIMSM_OK:
        return simsm_stats(run->simulation)->complete ? NULL : "--sample";
    case SIMSM_LIMIT:
        if (front_status(simsm_front(run->simulation), NULL) != SIMSM_OK)
            return "max_instructions";
        (void)snprintf(room, 40, "--max-cycles %llu", (unsigned long long)run->options.max_cycles);
        return room;
    case SIMSM_INTERRUPTED:
        return signals_name();
    default:
        return "an error";
    }
}

static bool writes_files(const struct run_options *o)
{
    return o->json || o->csv || o->timeline;
}

/* Writes how far a stopped run came, and that its files cover this part only. */
static const char *how_far(const struct kernel_run *run, char text[WHERE])
{
    const struct simsm_stats *stats = simsm_stats(run->simulation);
    (void)snprintf(text, WHERE, "%llu cycles, when %llu of %llu blocks had ended%s",
                   (unsigned long long)stats->cycles, (unsigned long long)stats->blocks_done,
                   (unsigned long long)stats->blocks_total,
                   writes_files(&run->options) ? "; the files cover these cycles" : "");
    return text;
}

/* Prints warnings that must reach a user who does not read the report, or suppressed it with
 * --quiet. */
static void warn(const struct kernel_run *run, const struct run_info *info, enum simsm_status ended,
                 const struct simsm_stats *stats)
{
    const struct run_options *o = &run->options;
    char where[WHERE];
    if (o->quiet && ended == SIMSM_LIMIT &&
        front_status(simsm_front(run->simulation), NULL) == SIMSM_OK)
        (void)fprintf(stderr, "simsm: stopped by %s after %s\n", info->stopped_by,
                      how_far(run, where));
    if (o->timeline && o->timeline_from >= stats->cycles && o->timeline_from)
        (void)fprintf(stderr,
                      "simsm: warning: the timeline is empty: --timeline-cycles begins at %llu, "
                      "and the run had %llu cycles\n",
                      (unsigned long long)o->timeline_from, (unsigned long long)stats->cycles);
}

/* Returns the launch that --launch-number chooses; 0 without the option, which has been checked. */
static uint64_t launch_number(const struct run_options *o)
{
    const char *text = o->given.value[OPTION_launch_number];
    return text ? strtoull(text, NULL, 10) : 0;
}

/* Prints where to look next. */
static void print_next(const struct run_options *o, const struct report_style *style)
{
    char *again = again_line("simsm", o->config, o->trace, &o->spelled, NULL);
    char *full = NULL, *view = NULL;
    if (again) {
        full = text_format("%s --full", again);
        view = text_format("simsm view%s", again + strlen("simsm"));
    }
    const struct next_step steps[] = {
        {full, "all figures"}, {view, "what each warp does, cycle by cycle"}, {NULL, NULL}};
    if (full && view)
        digest_print_next(steps, style, stdout);
    free(again);
    free(full);
    free(view);
}

static void print_report(const struct kernel_run *run, const struct run_info *info,
                         const struct simsm_stats *stats)
{
    const struct run_options *o = &run->options;
    struct report_style style = report_style_of(stdout, o->full, o->ascii, o->colour);
    struct digest digest;
    char place[160], name[96];
    if (style.full) {
        report_print(stdout, info, stats, style.ascii);
        return;
    }
    const char *gpu = run->config->gpu_name[0] ? run->config->gpu_name : o->config;
    (void)snprintf(place, sizeof place, " on %s (timing %s)", printable(gpu, name, sizeof name),
                   schema_choice_name(SCHEMA_gpu_timing, run->config->gpu_timing));
    digest_make(&digest, info, stats);
    digest_print(&digest, place, &style, stdout);
    print_next(o, &style);
}

/* Writes the files and the report, also for a run that was stopped or failed: they show what
 * happened up to then. `ended` is the status of the run. */
static enum simsm_status write_all(struct kernel_run *run, enum simsm_status ended,
                                   struct simsm_error *error)
{
    const struct run_options *o = &run->options;
    const struct simsm_stats *stats = simsm_stats(run->simulation);
    char room[40];
    const struct run_info info = {
        .config_name = o->config,
        .trace = o->trace,
        .config = run->config,
        .options = o->spelled.item,
        .option_count = o->spelled.count,
        .number = launch_number(o),
        .stopped_by = stopped_by(run, ended, room),
    };
    enum simsm_status status = run_outputs_write(&run->outputs, &info, stats, error);
    struct simsm_error second;
    if (run->timeline) {
        enum simsm_status finished =
            timeline_finish(run->timeline, stats, status == SIMSM_OK ? error : &second);
        run->timeline = NULL;
        if (status == SIMSM_OK)
            status = finished;
    }
    if (run->journal)
        journal_measure(run->row, run->config, stats);
    if (run->journal && status == SIMSM_OK)
        status = journal_add_figures(run->journal, run->row, &info, stats, error);
    else if (!run->journal && !o->quiet)
        print_report(run, &info, stats);
    warn(run, &info, ended, stats);
    return status;
}

/* Executes what --max-cycles or --sample has left of the launch, if files are written of what it
 * computes. */
static enum simsm_status finish_launch(const struct kernel_run *run, enum simsm_status ended,
                                       struct simsm_error *error)
{
    const struct front *front = simsm_front(run->simulation);
    const bool early = ended == SIMSM_LIMIT || !simsm_stats(run->simulation)->complete;
    if ((ended != SIMSM_OK && ended != SIMSM_LIMIT) || !early || !front->outputs ||
        front_status(front, NULL) != SIMSM_OK)
        return SIMSM_OK;
    return front_finish(front, error);
}

static enum simsm_status run_and_write(struct kernel_run *run, struct simsm_error *error)
{
    const struct run_options *o = &run->options;
    enum simsm_status ended = run_loop(run->simulation, o->max_cycles, !o->quiet, error);
    signals_leave_plugin();
    if (ended == SIMSM_FAILED && run->timeline && timeline_refused(run->timeline, error))
        return ended; /* the disk is full: no timeline can be kept */
    const bool failed = ended == SIMSM_FAILED || ended == SIMSM_BAD_INPUT;
    if (ended == SIMSM_OK && run->blocks)
        block_sampler_end(run->blocks, simsm_stats(run->simulation));
    struct simsm_error second;
    enum simsm_status written = write_all(run, ended, failed ? &second : error);
    const size_t length = strlen(error->message);
    char where[WHERE];
    if (written == SIMSM_OK)
        written = finish_launch(run, ended, error);
    if (written != SIMSM_OK && !failed)
        return written;
    if (ended == SIMSM_INTERRUPTED)
        return err_set(error, ended, "after %s", how_far(run, where));
    if (failed && written == SIMSM_OK && writes_files(&run->options))
        (void)snprintf(error->message + length, sizeof error->message - length,
                       "; the files cover the %llu cycles before",
                       (unsigned long long)simsm_stats(run->simulation)->cycles);
    return ended;
}

static enum simsm_status open_all(struct kernel_run *run, struct simsm_error *error)
{
    enum simsm_status status = run_outputs_open(&run->outputs, &run->options, error);
    if (status == SIMSM_OK)
        status = open_timeline(run, error);
    if (status == SIMSM_OK)
        status = open_simulation(run, error);
    return status;
}

enum simsm_status run_kernel(const struct run_options *options, const struct simsm_config *config,
                             const char *command_line, struct block_sampler *blocks,
                             struct journal *journal, struct journal_launch *row,
                             struct simsm_error *error)
{
    struct kernel_run run = {.options = *options,
                             .config = config,
                             .command_line = command_line,
                             .blocks = blocks,
                             .journal = journal,
                             .row = row};
    signals_enter_plugin(config->policy_module);
    enum simsm_status status = open_all(&run, error);
    if (status == SIMSM_OK) {
        foreign_trace_warn(simsm_front(run.simulation));
        status = run_and_write(&run, error);
    }
    signals_leave_plugin();
    simsm_close(run.simulation);
    timeline_abandon(run.timeline);
    run_outputs_abandon(&run.outputs);
    return status;
}
