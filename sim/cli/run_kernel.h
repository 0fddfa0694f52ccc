/* Runs one kernel and writes what was asked for. */
#ifndef SIM_CLI_RUN_KERNEL_H
#define SIM_CLI_RUN_KERNEL_H

#include "cli/run_options.h"
#include "cuda/journal.h"
#include "sample/sample_blocks.h"
#include "simsm/config.h"
#include "simsm/error.h"

/*
 * Simulates the kernel in options->trace under `config`, or those of its blocks that `blocks`
 * (NULL: all) lets be timed, prints the report and writes the files that the options name, also of
 * a run that was stopped or failed. `row` gets the figures of a run that began; NULL is allowed.
 * SIMSM_LIMIT, SIMSM_INTERRUPTED: as run_loop.
 */
enum simsm_status run_kernel(const struct run_options *options, const struct simsm_config *config,
                             const char *command_line, struct block_sampler *blocks,
                             struct journal_launch *row, struct simsm_error *error);

#endif
