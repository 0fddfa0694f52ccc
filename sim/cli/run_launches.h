/* Simulates the launches of a recording, or of a list of traces, one after the other. */
#ifndef SIM_CLI_RUN_LAUNCHES_H
#define SIM_CLI_RUN_LAUNCHES_H

#include "cli/run_options.h"
#include "simsm/config.h"
#include "simsm/error.h"

/*
 * Sets *wanted to whether options->trace is to be run launch by launch with run_launches(). It is
 * if the file has several launches or an option such as --kernels is given, and no launch is chosen
 * by its number. Returns SIMSM_BAD_INPUT if the options contradict the file.
 */
enum simsm_status run_launches_is_list(const struct run_options *options, bool *wanted,
                                       struct simsm_error *error);

/*
 * Simulates the launches that the options choose, with a report and numbered files for each. Prints
 * the tables at the end. The first launch that fails ends the run. A launch that --max-cycles stops
 * does not end it; then the result is SIMSM_LIMIT.
 */
enum simsm_status run_launches(const struct run_options *options, const struct simsm_config *config,
                               const char *command_line, struct simsm_error *error);

#endif
