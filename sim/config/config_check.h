/* Contradictions between the fields of a configuration. */
#ifndef SIM_CONFIG_CONFIG_CHECK_H
#define SIM_CONFIG_CONFIG_CHECK_H

#include "config/config_parse.h"

/*
 * Returns SIMSM_BAD_INPUT and fills *error if fields contradict each other. `origins` may be NULL;
 * if it has the place of the wrong key, the error names the place.
 */
enum simsm_status check_config(const struct simsm_config *config,
                               const struct config_origins *origins, struct simsm_error *error);

#endif
