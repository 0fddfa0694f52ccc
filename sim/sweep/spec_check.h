/* Checks of a spec that do not need the files that it names. */
#ifndef SIM_SWEEP_SPEC_CHECK_H
#define SIM_SWEEP_SPEC_CHECK_H

#include "sweep/spec.h"

/* Returns SIMSM_BAD_INPUT, with the place, if something is missing, contradicts itself, or is no
 * value of its key. */
enum simsm_status spec_check(const struct spec *spec, struct simsm_error *error);

#endif
