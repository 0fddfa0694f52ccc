/* `simsm sweep SPEC.yaml`: what is said while a sweep runs. */
#ifndef SIM_CLI_SWEEP_SPEC_H
#define SIM_CLI_SWEEP_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

struct sweep_spec {
    const char *spec, *results; /* results NULL: as the spec says */
    uint32_t jobs;              /* 0: all processors */
    bool retry, quiet, verbose;
};

/* Runs it; returns SIMSM_FAILED if points have failed. */
enum simsm_status sweep_spec_run(const struct sweep_spec *options, struct simsm_error *error);

#endif
