/* What a spec must fulfil before the files that it names are opened. */
#ifndef SIM_SWEEP_SPEC_CHECK_H
#define SIM_SWEEP_SPEC_CHECK_H

#include "sweep/spec.h"

/* Refuses, with its place, what is missing, contradicts itself, or is no value of its key. */
enum simsm_status spec_check(const struct spec *spec, struct simsm_error *error);

#endif
