/* Policies in a spec: files of modules, and the axis `policy`. */
#ifndef SIM_SWEEP_SPEC_POLICY_H
#define SIM_SWEEP_SPEC_POLICY_H

#include "sweep/spec.h"

/*
 * Makes values of policy.module with a slash those seen from the folder of the spec; makes of an
 * axis `policy` with names of schedulers and modules the group of settings that each stands for.
 */
enum simsm_status spec_policies(struct spec *spec, struct simsm_error *error);

#endif
