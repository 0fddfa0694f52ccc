/* Simulates an input, and turns timelines into pages. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "config/schema.h"
#include "html/html.h"
#include "observe/timeline_write.h"
#include "report/digest.h"
#include "report/report.h"
#include "simsm/simsm.h"
#include "web/web.h"

enum { MOST_WORDS = 64, FIRST_STEP = 4096 };

static const char timeline_path[] = "/run.smtl";

struct web_run {
    char *config_name, *input;
    char *text;                        /* what the words below point into */
    const char *spelled[MOST_WORDS];   /* options as they were given */
    const char *parameter[MOST_WORDS]; /* ends with NULL */
    size_t spelled_count, parameter_count;
    struct simsm_config config;
    struct timeline *timeline;
    struct simsm *simulation;
    bool changed;   /* a key of the configuration was set */
    uint64_t until; /* cycles that have been asked for */
    uint64_t step;  /* cycles of the next call of simsm_run */
    enum simsm_status status;
};

/* The simulation of the worker: it has one at a time. Too large for the stack. */
static struct web_run run_now;

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

static const char *stopped_by(const struct web_run *run)
{
    switch (run->status) {
    case SIMSM_OK:
        return NULL;
    case SIMSM_LIMIT:
        return "the user";
    default:
        return "an error";
    }
}

static enum simsm_status write_reports(const struct web_run *run, const struct simsm_stats *stats,
                                       struct simsm_error *error)
{
    const struct run_info info = {.config_name = run->config_name,
                                  .trace = run->input,
                                  .config = &run->config,
                                  .options = run->spelled,
                                  .option_count = run->spelled_count,
                                  .stopped_by = stopped_by(run)};
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

int web_open(const char *config, const char *input, const char *words)
{
    struct web_run *run = &run_now;
    struct simsm_error error = {0};
    *run =
        (struct web_run){.config_name = strdup(config), .input = strdup(input), .step = FIRST_STEP};
    run->status =
        run->config_name && run->input ? configure(run, words, &error) : err_no_memory(&error);
    if (run->status == SIMSM_OK)
        run->status = open_run(run, &error);
    return run->status == SIMSM_OK ? 0 : web_fail(&error);
}

static double milliseconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int web_advance(double milliseconds)
{
    struct web_run *run = &run_now;
    struct simsm_error error = {0};
    const double end = milliseconds_now() + milliseconds;
    double before, after = milliseconds_now();
    do {
        before = after;
        run->until += run->step;
        run->status = simsm_run(run->simulation, run->until, &error);
        after = milliseconds_now();
        if (after - before < milliseconds / 4)
            run->step *= 2;
        else if (after - before > milliseconds && run->step > FIRST_STEP)
            run->step /= 2;
    } while (run->status == SIMSM_LIMIT && after < end);
    return run->status == SIMSM_OK || run->status == SIMSM_LIMIT ? (int)run->status
                                                                 : web_fail(&error);
}

double web_cycles(void)
{
    return (double)run_now.until;
}

static void close_run(struct web_run *run)
{
    simsm_close(run->simulation);
    timeline_abandon(run->timeline);
    free(run->text);
    free(run->config_name);
    free(run->input);
    *run = (struct web_run){0};
}

int web_finish(void)
{
    struct web_run *run = &run_now;
    struct simsm_error error = {0};
    enum simsm_status status = SIMSM_OK;
    if (run->simulation) {
        const struct simsm_stats *stats = simsm_stats(run->simulation);
        status = write_reports(run, stats, &error);
        if (status == SIMSM_OK) {
            status = timeline_finish(run->timeline, stats, &error);
            run->timeline = NULL;
        }
    }
    close_run(run);
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
