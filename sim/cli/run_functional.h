/* `simsm CONFIG CODE --launch FILE --functional`: executes a launch without timing. */
#ifndef SIM_CLI_RUN_FUNCTIONAL_H
#define SIM_CLI_RUN_FUNCTIONAL_H

#include "cli/run_options.h"
#include "simsm/config.h"
#include "simsm/error.h"

/* Executes the launch and prints its instruction counts and the time, unless options->quiet.
 * Returns SIMSM_INTERRUPTED after a signal. */
enum simsm_status run_functional(const struct run_options *options,
                                 const struct simsm_config *config, struct simsm_error *error);

#endif
