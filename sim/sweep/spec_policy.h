/* Policies in a spec: paths of plugins, and the axis `policy`. */
#ifndef SIM_SWEEP_SPEC_POLICY_H
#define SIM_SWEEP_SPEC_POLICY_H

#include "sweep/spec.h"

/*
 * Makes paths of plugins (policy.module with a slash) relative to the folder of the spec. Turns
 * each value of an axis `policy`, which names a scheduler or a plugin, into a group of settings.
 * Returns SIMSM_BAD_INPUT if a name is neither.
 */
enum simsm_status spec_policies(struct spec *spec, struct simsm_error *error);

#endif
