#include "cli/run_outputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "export/export.h"

/* A file that the command line names: what for, and where it really lies. */
struct named {
    const char *what, *path;
    bool input;
};

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Of a path that does not exist yet: its folder, which does, and its name there. */
static bool stat_folder(const char *path, struct stat *folder, const char **name)
{
    const char *slash = strrchr(path, '/');
    char text[PATH_MAX] = ".";
    *name = slash ? slash + 1 : path;
    size_t length = slash ? (size_t)(slash - path) : 1;
    if (length >= sizeof text)
        return false;
    if (slash) {
        memcpy(text, path, length);
        text[length] = '\0';
    }
    return stat(slash == path ? "/" : text, folder) == 0;
}

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    const char *one, *other;
    if (is_stdout(a) || is_stdout(b))
        return is_stdout(a) && is_stdout(b);
    bool known = stat(a, &first) == 0;
    if (known != (stat(b, &second) == 0))
        return false;
    if (known && !S_ISREG(first.st_mode)) /* /dev/null and the like take any number of writers */
        return false;
    if (!known && !(stat_folder(a, &first, &one) && stat_folder(b, &second, &other) &&
                    strcmp(one, other) == 0))
        return false;
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

enum simsm_status run_outputs_check(const struct run_options *options, const char *config_path,
                                    struct simsm_error *error)
{
    const struct named files[] = {
        {"the configuration", config_path, true}, {"the trace", options->trace, true},
        {"--json", options->json, false},         {"--csv", options->csv, false},
        {"--timeline", options->timeline, false}, {"--dump-config", options->dump_config, false},
    };
    const size_t count = sizeof files / sizeof files[0];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!files[i].path || !files[k].path || files[i].input ||
                !same_file(files[k].path, files[i].path))
                continue;
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s would overwrite %s: both are '%s'; choose another file",
                           files[i].what, files[k].what, files[i].path);
        }
        if (files[i].path && !files[i].input && is_stdout(files[i].path) && !options->quiet &&
            files[i].path != options->dump_config)
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s -: the report goes to the standard output; add --quiet or name a "
                           "file",
                           files[i].what);
    }
    if (options->timeline && is_stdout(options->timeline))
        return err_set(error, SIMSM_BAD_INPUT,
                       "--timeline -: a timeline cannot go to the standard output; name a file");
    return SIMSM_OK;
}

static enum simsm_status open_output(struct run_output *output, const char *path,
                                     struct simsm_error *error)
{
    if (!path)
        return SIMSM_OK;
    if (is_stdout(path)) {
        output->file = stdout;
        return SIMSM_OK;
    }
    enum simsm_status status = outfile_open(&output->beside, path, error);
    output->file = output->beside.file;
    return status;
}

enum simsm_status run_outputs_open(struct run_outputs *outputs, const struct run_options *options,
                                   struct simsm_error *error)
{
    *outputs = (struct run_outputs){0};
    enum simsm_status status = open_output(&outputs->json, options->json, error);
    if (status == SIMSM_OK)
        status = open_output(&outputs->csv, options->csv, error);
    if (status != SIMSM_OK)
        run_outputs_abandon(outputs);
    return status;
}

static enum simsm_status
write_output(struct run_output *output,
             enum simsm_status (*export)(FILE *, const struct run_info *,
                                         const struct simsm_stats *, struct simsm_error *),
             const struct run_info *run, const struct simsm_stats *stats, struct simsm_error *error)
{
    if (!output->file)
        return SIMSM_OK;
    enum simsm_status status = export(output->file, run, stats, error);
    if (output->file == stdout)
        return status; /* its write errors are found at the end of the program */
    if (status == SIMSM_OK)
        status = outfile_commit(&output->beside, error);
    else
        outfile_abandon(&output->beside);
    output->file = NULL;
    return status;
}

enum simsm_status run_outputs_write(struct run_outputs *outputs, const struct run_info *run,
                                    const struct simsm_stats *stats, struct simsm_error *error)
{
    struct simsm_error second;
    enum simsm_status json = write_output(&outputs->json, export_json, run, stats, error);
    enum simsm_status csv =
        write_output(&outputs->csv, export_csv, run, stats, json == SIMSM_OK ? error : &second);
    return json != SIMSM_OK ? json : csv;
}

void run_outputs_abandon(struct run_outputs *outputs)
{
    outfile_abandon(&outputs->json.beside);
    outfile_abandon(&outputs->csv.beside);
    *outputs = (struct run_outputs){0};
}
