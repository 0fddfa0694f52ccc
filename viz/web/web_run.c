/* Simulates an input, and turns timelines into pages. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "config/schema.h"
#include "html/html.h"
#include "observe/timeline_write.h"
#include "report/digest.h"
#include "report/report.h"
#include "simsm/simsm.h"
#include "web/web.h"

enum { MOST_WORDS = 64 };

static const char timeline_path[] = "/run.smtl";

struct web_run {
    const char *config_name, *input;
    char *text;                        /* what the words below point into */
    const char *spelled[MOST_WORDS];   /* options as they were given */
    const char *parameter[MOST_WORDS]; /* ends with NULL */
    size_t spelled_count, parameter_count;
    struct simsm_config config;
    struct timeline *timeline;
    struct simsm *simulation;
    bool changed; /* a key of the configuration was set */
};

int web_fail(const struct simsm_error *error)
{
    FILE *file = fopen("/error.json", "w");
    json_t *json = json_pack("{s:s, s:s, s:i, s:i}", "file", error->file, "message", error->message,
                             "line", (int)error->line, "column", (int)error->column);
    if (file && json)
        (void)json_dumpf(json, file, 0);
    json_decref(json);
    if (file)
        (void)fclose(file);
    return (int)error->status;
}

static enum simsm_status set_memory(struct web_run *run, const char *model,
                                    struct simsm_error *error)
{
    char assignment[96];
    (void)snprintf(assignment, sizeof assignment, "memory.model=%.64s", model);
    return simsm_config_set(&run->config, assignment, error);
}

static enum simsm_status take_word(struct web_run *run, const char *word, struct simsm_error *error)
{
    const char *value = strchr(word, ' ');
    if (!value || run->spelled_count == MOST_WORDS || run->parameter_count + 1 == MOST_WORDS)
        return err_set(error, SIMSM_BAD_INPUT, "'%.60s': expected --set KEY=VALUE", word);
    run->spelled[run->spelled_count++] = word;
    value++;
    if (strncmp(word, "--param ", 8) == 0) {
        run->parameter[run->parameter_count++] = value;
        return SIMSM_OK;
    }
    run->changed = true;
    return strncmp(word, "--memory ", 9) == 0 ? set_memory(run, value, error)
                                              : simsm_config_set(&run->config, value, error);
}

static enum simsm_status configure(struct web_run *run, const char *words,
                                   struct simsm_error *error)
{
    enum simsm_status status = simsm_config_load(&run->config, run->config_name, error);
    run->text = strdup(words);
    if (!run->text)
        return err_no_memory(error);
    char *rest = run->text;
    for (char *word; status == SIMSM_OK && (word = strtok_r(rest, "\n", &rest));)
        status = take_word(run, word, error);
    if (status == SIMSM_OK && run->changed)
        status = simsm_config_check(&run->config, error);
    return status;
}

static enum simsm_status open_run(struct web_run *run, struct simsm_error *error)
{
    const struct simsm_observer *observers[2] = {NULL, NULL};
    enum simsm_status status =
        timeline_create(&run->timeline, timeline_path, &run->config, NULL, error);
    if (status != SIMSM_OK)
        return status;
    observers[0] = timeline_observer(run->timeline);
    const struct simsm_options options = {.observers = observers, .parameters = run->parameter};
    status = simsm_open(&run->simulation, &run->config, run->input, &options, error);
    if (status != SIMSM_OK)
        return status;
    const struct timeline_about about = {.front = simsm_front(run->simulation),
                                         .occupancy = &simsm_stats(run->simulation)->occupancy};
    return timeline_describe(run->timeline, &about, error);
}

static void write_short(const struct web_run *run, const struct run_info *info,
                        const struct simsm_stats *stats, FILE *file)
{
    struct report_style style = report_style_of(file, false, false, "never");
    struct digest digest;
    char place[160];
    (void)snprintf(place, sizeof place, " on %s (timing %s)", run->config.gpu_name,
                   schema_choice_name(SCHEMA_gpu_timing, run->config.gpu_timing));
    digest_make(&digest, info, stats);
    digest_print(&digest, place, &style, file);
}

static enum simsm_status write_reports(const struct web_run *run, const struct simsm_stats *stats,
                                       struct simsm_error *error)
{
    const struct run_info info = {.config_name = run->config_name,
                                  .trace = run->input,
                                  .config = &run->config,
                                  .options = run->spelled,
                                  .option_count = run->spelled_count,
                                  .stopped_by = stats->complete ? NULL : "an error"};
    FILE *brief = fopen("/short.txt", "w");
    FILE *full = fopen("/full.txt", "w");
    if (brief)
        write_short(run, &info, stats, brief);
    if (full)
        report_print(full, &info, stats, false);
    bool written = brief && fclose(brief) == 0;
    written = full && fclose(full) == 0 && written;
    return written ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status run_it(struct web_run *run, const char *words, struct simsm_error *error)
{
    enum simsm_status status = configure(run, words, error);
    if (status == SIMSM_OK)
        status = open_run(run, error);
    if (status != SIMSM_OK)
        return status;
    status = simsm_run(run->simulation, UINT64_MAX, error);
    const struct simsm_stats *stats = simsm_stats(run->simulation);
    struct simsm_error second;
    enum simsm_status written = write_reports(run, stats, status == SIMSM_OK ? error : &second);
    if (written == SIMSM_OK) {
        written = timeline_finish(run->timeline, stats, status == SIMSM_OK ? error : &second);
        run->timeline = NULL;
    }
    return status != SIMSM_OK ? status : written;
}

int web_simulate(const char *config, const char *input, const char *words)
{
    static struct web_run run; /* too large for the stack */
    struct simsm_error error = {0};
    run = (struct web_run){.config_name = config, .input = input};
    enum simsm_status status = run_it(&run, words, &error);
    simsm_close(run.simulation);
    timeline_abandon(run.timeline);
    free(run.text);
    return status == SIMSM_OK ? 0 : web_fail(&error);
}

int web_page(const char *timeline, int whole)
{
    struct simsm_error error = {0};
    struct run *run;
    enum simsm_status status = run_open(&run, timeline, &error);
    if (status != SIMSM_OK)
        return web_fail(&error);
    FILE *file = fopen("/page.html", "w");
    status = file ? html_write_part(run, whole ? HTML_ALL_PICTURES : HTML_NO_PICTURES, file, &error)
                  : err_no_memory(&error);
    if (file && fclose(file) != 0 && status == SIMSM_OK)
        status = err_no_memory(&error);
    run_close(run);
    return status == SIMSM_OK ? 0 : web_fail(&error);
}
