/* The files that a run writes: opened before it starts, so that it does not run in vain. */
#ifndef SIM_CLI_RUN_OUTPUTS_H
#define SIM_CLI_RUN_OUTPUTS_H

#include "base/outfile.h"
#include "cli/run_options.h"
#include "report/run_info.h"
#include "simsm/stats.h"

struct run_outputs {
    struct outfile json, csv; /* file NULL: not asked for */
};

/*
 * Refuses names that would collide: one file for two outputs, an output that is an input, or
 * the standard output for two things. `config_path` is the configuration's file.
 */
enum simsm_status run_outputs_check(const struct run_options *options, const char *config_path,
                                    struct simsm_error *error);

/* On failure nothing stays open. */
enum simsm_status run_outputs_open(struct run_outputs *outputs, const struct run_options *options,
                                   struct simsm_error *error);

/* Writes and closes all; of a file that fails nothing is left. Reports the first failure. */
enum simsm_status run_outputs_write(struct run_outputs *outputs, const struct run_info *run,
                                    const struct simsm_stats *stats, struct simsm_error *error);

/* Closes what is open and leaves nothing behind. */
void run_outputs_abandon(struct run_outputs *outputs);

#endif
