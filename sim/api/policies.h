/* The policies of a run, by the names in its configuration. */
#ifndef SIM_API_POLICIES_H
#define SIM_API_POLICIES_H

#include "plugin/plugin.h"
#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/policy.h"

struct policies {
    const struct simsm_scheduler *scheduler;
    const struct simsm_dispatcher *dispatcher;
    const struct simsm_l1_policy *l1; /* NULL: none */
};

/* Finds the policies that the configuration names, built in or in `plugin` (NULL: there is none).
 * Returns SIMSM_BAD_INPUT if one does not exist. */
enum simsm_status policies_find(struct policies *found, const struct plugin *plugin,
                                const struct simsm_config *config, struct simsm_error *error);

#endif
