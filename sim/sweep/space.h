/* The cases of a sweep: every combination of a configuration, a kernel and values. */
#ifndef SIM_SWEEP_SPACE_H
#define SIM_SWEEP_SPACE_H

#include "simsm/config.h"
#include "sweep/spec.h"

enum { SPACE_AXES = 32, SPACE_CASES = 1000000 };

struct space_case {
    uint32_t config; /* of spec.configs */
    const struct spec_kernel *kernel;
    const struct sweep_axis
        *axis[SPACE_AXES];      /* [axes] those of the spec, then those of the kernel */
    uint32_t value[SPACE_AXES]; /* [axes] which of its values */
    uint32_t axes;
};

/* How many there are, those that rules leave out included; more than SPACE_CASES are refused. */
enum simsm_status space_count(const struct spec *spec, uint64_t *cases, struct simsm_error *error);

/* Case `number`, from 0: configurations vary slowest, then kernels, the last axis fastest. */
void space_at(const struct spec *spec, uint64_t number, struct space_case *result);

/* Whether `only` and `exclude` leave it in. met[i] of [only.count + exclude.count] becomes true for
 * the rules that match it. */
bool space_wanted(const struct spec *spec, const struct space_case *this_case, bool *met);

/* When all cases have been asked for: a rule that has matched none of them is a mistake. */
enum simsm_status space_check_rules_met(const struct spec *spec, const bool *met,
                                        struct simsm_error *error);

/* Does what "key=value" or "param.name=value" says to a configuration or a list of parameters. */
enum simsm_status space_apply(struct simsm_config *config, struct texts *params,
                              const char *assignment, struct simsm_error *error);

/*
 * Makes of the configuration of the case's file what `set` and the values say, and adds the
 * parameters, "name=value", to *params. Whether the configuration is free of contradictions is for
 * simsm_config_check.
 */
enum simsm_status space_configure(const struct spec *spec, const struct space_case *this_case,
                                  struct simsm_config *config, struct texts *params,
                                  struct simsm_error *error);

#endif
