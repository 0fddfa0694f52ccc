/* Opens, writes and checks the JSON and CSV files of a run. */
#include "cli/run_outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli_files.h"
#include "export/export.h"

enum simsm_status run_outputs_check(const struct run_options *options, const char *config_path,
                                    struct simsm_error *error)
{
    const struct cli_file files[] = {
        {"the configuration", config_path, true}, {"the trace", options->trace, true},
        {"--json", options->json, false},         {"--csv", options->csv, false},
        {"--timeline", options->timeline, false}, {"--dump-config", options->dump_config, false},
        {"--table", options->table, false},
    };
    const size_t count = sizeof files / sizeof files[0];
    enum simsm_status status = cli_files_check(files, count, error);
    if (status == SIMSM_OK && options->timeline && outfile_is_stdout(options->timeline))
        return err_set(error, SIMSM_BAD_INPUT,
                       "--timeline -: a timeline cannot go to the standard output; name a file");
    for (size_t i = 0; status == SIMSM_OK && i < count; i++) {
        if (files[i].path && !files[i].input && outfile_is_stdout(files[i].path) &&
            !options->quiet && files[i].path != options->dump_config)
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s -: the report goes to the standard output; add --quiet or name a "
                           "file",
                           files[i].what);
    }
    return status;
}

static enum simsm_status open_output(struct outfile *output, const char *path,
                                     struct simsm_error *error)
{
    if (!path)
        return SIMSM_OK;
    return outfile_open(output, path, error);
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
write_output(struct outfile *output,
             enum simsm_status (*export)(FILE *, const struct run_info *,
                                         const struct simsm_stats *, struct simsm_error *),
             const struct run_info *run, const struct simsm_stats *stats, struct simsm_error *error)
{
    if (!output->file)
        return SIMSM_OK;
    enum simsm_status status = export(output->file, run, stats, error);
    if (status == SIMSM_OK)
        return outfile_commit(output, error);
    outfile_abandon(output);
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
    outfile_abandon(&outputs->json);
    outfile_abandon(&outputs->csv);
}
