/* The JSON and CSV files of a run. They are opened before the run, so that a file that cannot be
 * written does not waste a simulation. */
#ifndef SIM_CLI_RUN_OUTPUTS_H
#define SIM_CLI_RUN_OUTPUTS_H

#include "base/outfile.h"
#include "cli/run_options.h"
#include "report/run_info.h"
#include "simsm/stats.h"

/* The open files. */
struct run_outputs {
    struct outfile json, csv; /* .file NULL: not asked for */
};

/*
 * Returns SIMSM_BAD_INPUT if two outputs are one file, an output is an input, or the standard
 * output would get both the report and a file. `config_path` is the file of the configuration;
 * NULL: not checked.
 */
enum simsm_status run_outputs_check(const struct run_options *options, const char *config_path,
                                    struct simsm_error *error);

/* Opens the files that the options name. On failure all are closed. */
enum simsm_status run_outputs_open(struct run_outputs *outputs, const struct run_options *options,
                                   struct simsm_error *error);

/* Writes and closes both files. A file that fails is removed. Returns the first failure. */
enum simsm_status run_outputs_write(struct run_outputs *outputs, const struct run_info *run,
                                    const struct simsm_stats *stats, struct simsm_error *error);

/* Closes and removes the files that are open. */
void run_outputs_abandon(struct run_outputs *outputs);

#endif
