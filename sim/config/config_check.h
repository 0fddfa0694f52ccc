/* Contradictions between the fields of a configuration. */
#ifndef SIM_CONFIG_CONFIG_CHECK_H
#define SIM_CONFIG_CONFIG_CHECK_H

#include "config/config_parse.h"

/*
 * Returns SIMSM_BAD_INPUT and fills *error if fields contradict one another; the message carries
 * the place of the key that is to blame where `origins` (may be NULL) has it.
 */
enum simsm_status check_config(const struct simsm_config *config,
                               const struct config_origins *origins, struct simsm_error *error);

#endif
