/* `simsm sweep SPEC.yaml`: what is said while a sweep runs. */
#ifndef SIM_CLI_SWEEP_SPEC_H
#define SIM_CLI_SWEEP_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"
#include "sweep/sweep.h"

struct sweep_spec {
    struct sweep_request request; /* as far as options say it */
    bool quiet, verbose;
};

/* Runs it; returns SIMSM_FAILED if points have failed. */
enum simsm_status sweep_spec_command(const struct sweep_spec *options, struct simsm_error *error);

#endif
