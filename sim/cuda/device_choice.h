/* Which GPU the environment of `simsm run` names, and whether the program may see it. */
#ifndef SIM_CUDA_DEVICE_CHOICE_H
#define SIM_CUDA_DEVICE_CHOICE_H

#include "cuda/abi.h"
#include "cuda/settings.h"
#include "simsm/config.h"

/* Reads the options, and the configuration with the changes of --set, from the environment. */
enum simsm_status device_choice_read(struct settings *settings, struct simsm_config *config,
                                     struct simsm_error *error);

/*
 * Returns CUDA_SUCCESS if the device, number 0, is visible under CUDA_VISIBLE_DEVICES, or the error
 * of cuInit. `list`: the value of the variable; NULL: it is not set. `uuid`: of the device, as
 * properties_uuid() writes it.
 */
enum cuda_error device_choice_shows(const char *list, const char *uuid);

#endif
