/* Opens any input file: a text trace, a recording, machine code or an Accel-Sim trace. */
#ifndef SIM_INPUT_FRONT_OPEN_H
#define SIM_INPUT_FRONT_OPEN_H

#include "front/front.h"

/*
 * Opens the file `path` with the front that its content requires. The front keeps no pointer to
 * `config`. `params` is NULL or a NULL-terminated list of "name=value" that replaces the values of
 * these parameters in the file. On success *front must be closed with front_close().
 */
enum simsm_status front_open(struct front **front, const char *path,
                             const struct simsm_config *config, const char *const *params,
                             struct simsm_error *error);

#endif
