/* Opens any input file: a text trace, a recording, machine code or a trace of Accel-Sim. */
#ifndef SIM_INPUT_FRONT_OPEN_H
#define SIM_INPUT_FRONT_OPEN_H

#include "front/front.h"

/*
 * Opens the file `path`, whatever kind of front its content asks for. The front keeps no pointer
 * to `config`. `params`, a NULL-terminated list of "name=value" or NULL, takes the place of the
 * values that the file gives to parameters of these names. On success *front must be closed with
 * front_close.
 */
enum simsm_status front_open(struct front **front, const char *path,
                             const struct simsm_config *config, const char *const *params,
                             struct simsm_error *error);

#endif
