/* Runs the kernel launches of a recording, or of a list of traces, one after the other. */
#ifndef SIM_CLI_RUN_LAUNCHES_H
#define SIM_CLI_RUN_LAUNCHES_H

#include "cli/run_options.h"
#include "simsm/config.h"
#include "simsm/error.h"

/*
 * Whether options->trace is to be run launch by launch: it holds several, or launches are chosen by
 * --kernels or --launches, and none by its number.
 */
enum simsm_status run_launches_is_list(const struct run_options *options, bool *wanted,
                                       struct simsm_error *error);

/*
 * Runs those that the options choose: a report and numbered files for each, tables at the end. A
 * launch that fails ends it; one that --max-cycles stops does not, but then it is SIMSM_LIMIT.
 */
enum simsm_status run_launches(const struct run_options *options, const struct simsm_config *config,
                               const char *command_line, struct simsm_error *error);

#endif
