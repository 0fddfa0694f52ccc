/* The cases of a sweep: every combination of a configuration, a kernel and varied values. */
#ifndef SIM_SWEEP_SPACE_H
#define SIM_SWEEP_SPACE_H

#include "simsm/config.h"
#include "sweep/spec.h"

enum { SPACE_AXES = 32, SPACE_CASES = 1000000 };

/* A case: a configuration, a kernel and a value on each axis. */
struct space_case {
    uint32_t config; /* index in spec.configs */
    const struct spec_kernel *kernel;
    const struct sweep_axis
        *axis[SPACE_AXES];      /* [axes] the axes of the spec, then those of the kernel */
    uint32_t value[SPACE_AXES]; /* [axes] indexes of the values */
    uint32_t axes;
};

/* Counts all cases, including those that rules leave out. Returns SIMSM_BAD_INPUT if there are more
 * than SPACE_CASES. */
enum simsm_status space_count(const struct spec *spec, uint64_t *cases, struct simsm_error *error);

/* Fills *result with case `number`, from 0. The configuration varies slowest, then the kernel; the
 * last axis varies fastest. */
void space_at(const struct spec *spec, uint64_t number, struct space_case *result);

/* Returns whether the rules `only` and `exclude` keep the case. Sets met[i] for each rule i that
 * matches; the rules `only` come first in met[]. */
bool space_wanted(const struct spec *spec, const struct space_case *this_case, bool *met);

/* Returns SIMSM_BAD_INPUT if a rule matched none of the cases: met[] of space_wanted() after all
 * cases. */
enum simsm_status space_check_rules_met(const struct spec *spec, const bool *met,
                                        struct simsm_error *error);

/*
 * Applies "key=value" to the configuration, or adds the parameter of "param.name=value" to *params.
 */
enum simsm_status space_apply(struct simsm_config *config, struct texts *params,
                              const char *assignment, struct simsm_error *error);

/*
 * Applies `set`, the kernel's parameters and the values of the case. *config begins as the
 * configuration file of the case; parameters, "name=value", are added to *params. Does not check
 * whether values contradict each other: simsm_config_check() does.
 */
enum simsm_status space_configure(const struct spec *spec, const struct space_case *this_case,
                                  struct simsm_config *config, struct texts *params,
                                  struct simsm_error *error);

#endif
