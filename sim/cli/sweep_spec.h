/* `simsm sweep SPEC.yaml`: runs the sweep and prints its progress. */
#ifndef SIM_CLI_SWEEP_SPEC_H
#define SIM_CLI_SWEEP_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"
#include "sweep/sweep.h"

/* The options of the command. */
struct sweep_spec {
    struct sweep_request request; /* only the fields that options set */
    bool quiet, verbose;
};

/* Runs the sweep, prints progress, failures and a summary. Returns SIMSM_FAILED if points have
 * failed. */
enum simsm_status sweep_spec_command(const struct sweep_spec *options, struct simsm_error *error);

#endif
