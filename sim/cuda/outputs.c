/* What is written of one timed launch: its timeline, and its part of report and files. */
#include "cuda/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/outfile.h"
#include "cuda/journal.h"
#include "timeline/cycle_selection.h"

enum { PATH_MAX_BYTES = 4096, OPTIONS_MAX = 64 };

/* Drops the timeline, and prints why. */
static void drop_timeline(struct outputs *outputs, const struct simsm_error *error)
{
    timeline_abandon(outputs->timeline);
    outputs->timeline = NULL;
    rt_give_up_file(outputs->rt, SETTING_ID_timeline, error);
}

/* Observer: passes events to the timeline until the timeline fails. Never ends the simulation. */
static int pass_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct outputs *outputs = context;
    struct simsm_error error;
    if (!outputs->timeline)
        return 0;
    const struct simsm_observer *observer = timeline_observer(outputs->timeline);
    if (observer->batch(observer->context, sm, events, count) != 0 &&
        timeline_refused(outputs->timeline, &error))
        drop_timeline(outputs, &error);
    return 0;
}

static int pass_sample(void *context, uint64_t cycle, const uint64_t *counters)
{
    struct outputs *outputs = context;
    if (!outputs->timeline)
        return 0;
    const struct simsm_observer *observer = timeline_observer(outputs->timeline);
    return observer->sample(observer->context, cycle, counters);
}

/* Returns which SMs and cycles a timeline holds. *sm must be freed. */
static struct timeline_options timeline_choice(const struct settings *settings, uint32_t **sm)
{
    const char *sms = setting_text(settings, SETTING_ID_timeline_sm);
    const char *cycles = setting_text(settings, SETTING_ID_timeline_cycles);
    struct timeline_options options = {0};
    *sm = NULL; /* settings_set has checked both texts */
    if (sms)
        (void)selection_sms(sms, sm, &options.sm_count, NULL);
    if (cycles)
        (void)selection_cycles(cycles, &options.from, &options.to, NULL);
    options.sm = *sm;
    return options;
}

static void open_timeline(struct outputs *outputs)
{
    char name[PATH_MAX_BYTES];
    struct simsm_error error;
    const char *path = setting_text(&outputs->rt->settings, SETTING_ID_timeline);
    if (!path || outputs->rt->lost[SETTING_ID_timeline])
        return;
    outfile_numbered(name, sizeof name, path, outputs->number);
    uint32_t *sm;
    const struct timeline_options options = timeline_choice(&outputs->rt->settings, &sm);
    if (timeline_create(&outputs->timeline, name, &outputs->rt->config, &options, &error) !=
        SIMSM_OK) {
        outputs->timeline = NULL;
        rt_give_up_file(outputs->rt, SETTING_ID_timeline, &error);
    } else {
        outputs->observer = *timeline_observer(outputs->timeline);
        outputs->observer.batch = pass_events;
        outputs->observer.sample = pass_sample;
        outputs->observer.context = outputs;
    }
    free(sm);
}

void outputs_open(struct outputs *outputs, struct runtime *rt, uint64_t number)
{
    *outputs = (struct outputs){.rt = rt, .number = number};
    open_timeline(outputs);
}

void outputs_describe(struct outputs *outputs, struct simsm *simulation)
{
    struct simsm_error error;
    if (!outputs->timeline)
        return;
    const char *command = setting_text(&outputs->rt->settings, SETTING_ID_command);
    const struct timeline_about about = {.command_line = command ? command : "simsm run",
                                         .front = simsm_front(simulation),
                                         .occupancy = &simsm_stats(simulation)->occupancy};
    if (timeline_describe(outputs->timeline, &about, &error) != SIMSM_OK)
        drop_timeline(outputs, &error);
}

static void write_timeline(struct outputs *outputs, const struct simsm_stats *stats)
{
    struct simsm_error error;
    if (outputs->timeline && timeline_finish(outputs->timeline, stats, &error) != SIMSM_OK)
        rt_give_up_file(outputs->rt, SETTING_ID_timeline, &error);
    outputs->timeline = NULL;
}

/* Lists the lines of --set as "--set KEY=VALUE". `room` holds the texts, list[] points to them. */
static size_t list_settings(const char *lines, char room[OPTIONS_MAX][128],
                            const char *list[OPTIONS_MAX])
{
    size_t count = 0;
    while (lines && *lines && count < OPTIONS_MAX) {
        int length = (int)strcspn(lines, "\n");
        (void)snprintf(room[count], sizeof room[count], "--set %.*s", length, lines);
        list[count] = room[count];
        count++;
        lines += length + (lines[length] == '\n');
    }
    return count;
}

void outputs_write(struct outputs *outputs, struct journal_launch *row,
                   const struct simsm_stats *stats, bool shared, const char *stopped_by)
{
    const struct settings *settings = &outputs->rt->settings;
    char room[OPTIONS_MAX][128], what[64];
    const char *options[OPTIONS_MAX];
    (void)snprintf(what, sizeof what, "launch %llu", (unsigned long long)outputs->number);
    const struct run_info info = {
        .config_name = setting_text(settings, SETTING_ID_config),
        .trace = what,
        .config = &outputs->rt->config,
        .options = options,
        .option_count = list_settings(setting_text(settings, SETTING_ID_set), room, options),
        .shared = shared,
        .stopped_by = stopped_by,
    };
    struct simsm_error error;
    if (journal_add_figures(outputs->rt->journal, row, &info, stats, &error) != SIMSM_OK)
        rt_give_up_file(outputs->rt, SETTING_ID_json, &error);
    write_timeline(outputs, stats);
}

void outputs_say_copy(struct runtime *rt, const struct journal_launch *row)
{
    if (journal_is_full(rt->journal))
        (void)fprintf(journal_file(rt->journal),
                      "launch %llu, %s: repeats launch %llu exactly, and takes its %llu cycles; "
                      "--repeats times it again\n\n",
                      (unsigned long long)row->number, row->brief, (unsigned long long)row->like,
                      (unsigned long long)row->cycles);
}

void outputs_abandon(struct outputs *outputs)
{
    timeline_abandon(outputs->timeline);
    outputs->timeline = NULL;
}

enum simsm_status outputs_check(const struct settings *settings, const struct simsm_config *config,
                                struct simsm_error *error)
{
    static const struct {
        enum setting_id id;
        bool numbered;
    } files[] = {{SETTING_ID_json, false},    {SETTING_ID_csv, false},
                 {SETTING_ID_timeline, true}, {SETTING_ID_report, false},
                 {SETTING_ID_table, false},   {SETTING_ID_program, false},
                 {SETTING_ID_record, false},  {SETTING_ID_findings, false},
                 {SETTING_ID_sarif, false},   {SETTING_ID_junit, false}};
    uint32_t *sm;
    const struct timeline_options options = timeline_choice(settings, &sm);
    enum simsm_status status = timeline_check(config, &options, error);
    free(sm);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == SIMSM_OK; i++) {
        const char *path = setting_text(settings, files[i].id);
        char name[PATH_MAX_BYTES];
        if (!path)
            continue;
        status = outfile_check(path, error); /* for numbered files too: refuses folders */
        outfile_numbered(name, sizeof name, path, 1);
        if (status == SIMSM_OK && files[i].numbered)
            status = outfile_check(name, error);
    }
    return status;
}
