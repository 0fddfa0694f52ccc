/* Simulates one launch and writes its report and files. */
#ifndef SIM_CLI_RUN_KERNEL_H
#define SIM_CLI_RUN_KERNEL_H

#include "cli/run_options.h"
#include "cuda/journal.h"
#include "sample/sample_blocks.h"
#include "simsm/config.h"
#include "simsm/error.h"

/*
 * Simulates the launch in options->trace under `config`. `blocks` chooses the blocks that are
 * timed; NULL: all are. Prints the report and writes the files that the options name, also if the
 * run was stopped or failed. Of several launches, `journal` takes the report and the figures, and
 * *row gets the figures of a run that began; of one launch, both are NULL. Returns SIMSM_LIMIT or
 * SIMSM_INTERRUPTED as run_loop() does.
 */
enum simsm_status run_kernel(const struct run_options *options, const struct simsm_config *config,
                             const char *command_line, struct block_sampler *blocks,
                             struct journal *journal, struct journal_launch *row,
                             struct simsm_error *error);

#endif
