#include "cuda/outputs.h"

#include <stdio.h>
#include <string.h>

#include "api/simsm_front.h"
#include "cuda/journal.h"
#include "export/export.h"
#include "report/report.h"

enum { PATH_MAX_BYTES = 4096, OPTIONS_MAX = 64 };

void outputs_name(char *name, size_t size, const char *path, uint64_t number)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash + 1 : path, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    (void)snprintf(name, size, "%.*s.%llu%s", stem, path, (unsigned long long)number,
                   dot ? dot : "");
}

static enum simsm_status open_file(struct outfile *out, const char *path, uint64_t number,
                                   struct simsm_error *error)
{
    char name[PATH_MAX_BYTES];
    if (!path)
        return SIMSM_OK;
    outputs_name(name, sizeof name, path, number);
    return outfile_open(out, name, error);
}

enum simsm_status outputs_open(struct outputs *outputs, const struct runtime *rt, uint64_t number,
                               struct simsm_error *error)
{
    const struct settings *settings = &rt->settings;
    const char *timeline = setting_text(settings, SETTING_ID_timeline);
    *outputs = (struct outputs){.rt = rt, .number = number};
    enum simsm_status status =
        open_file(&outputs->json, setting_text(settings, SETTING_ID_json), number, error);
    if (status == SIMSM_OK)
        status = open_file(&outputs->csv, setting_text(settings, SETTING_ID_csv), number, error);
    if (status == SIMSM_OK && timeline) {
        char name[PATH_MAX_BYTES];
        outputs_name(name, sizeof name, timeline, number);
        status = timeline_create(&outputs->timeline, name, &rt->config, NULL, error);
    }
    if (status != SIMSM_OK)
        outputs_abandon(outputs);
    return status;
}

enum simsm_status outputs_describe(struct outputs *outputs, struct simsm *simulation,
                                   struct simsm_error *error)
{
    if (!outputs->timeline)
        return SIMSM_OK;
    const char *command = setting_text(&outputs->rt->settings, SETTING_ID_command);
    const struct timeline_about about = {.command_line = command ? command : "simsm run",
                                         .front = simsm_front(simulation),
                                         .occupancy = &simsm_stats(simulation)->occupancy};
    return timeline_describe(outputs->timeline, &about, error);
}

static enum simsm_status
write_file(struct outfile *out,
           enum simsm_status (*export)(FILE *, const struct run_info *, const struct simsm_stats *,
                                       struct simsm_error *),
           const struct run_info *info, const struct simsm_stats *stats, struct simsm_error *error)
{
    if (!out->file)
        return SIMSM_OK;
    enum simsm_status status = export(out->file, info, stats, error);
    if (status == SIMSM_OK)
        return outfile_commit(out, error);
    outfile_abandon(out);
    return status;
}

/* "--set KEY=VALUE" for each line of the setting; `room` holds the texts. */
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

enum simsm_status outputs_write(struct outputs *outputs, const struct simsm_stats *stats,
                                const char *stopped_by, struct simsm_error *error)
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
        .stopped_by = stopped_by,
    };
    FILE *file = journal_file(outputs->rt->journal);
    if (file && !setting_flag(settings, SETTING_ID_brief)) {
        report_print(file, &info, stats, setting_flag(settings, SETTING_ID_ascii));
        (void)fputc('\n', file);
        (void)fflush(file);
    }
    enum simsm_status status = write_file(&outputs->json, export_json, &info, stats, error);
    if (status == SIMSM_OK)
        status = write_file(&outputs->csv, export_csv, &info, stats, error);
    if (status == SIMSM_OK && outputs->timeline) {
        status = timeline_finish(outputs->timeline, stats, error);
        outputs->timeline = NULL;
    }
    return status;
}

void outputs_abandon(struct outputs *outputs)
{
    outfile_abandon(&outputs->json);
    outfile_abandon(&outputs->csv);
    timeline_abandon(outputs->timeline);
    outputs->timeline = NULL;
}
