/*
 * The kernel launches in a file that may hold several: a recording, or a list of Accel-Sim traces.
 */
#ifndef SIM_INPUT_FRONT_LAUNCHES_H
#define SIM_INPUT_FRONT_LAUNCHES_H

#include <stdint.h>

#include "simsm/error.h"
#include "simsm/kernel.h"

struct front_launches {
    struct simsm_launch *launch; /* [count] in file order; front_open() takes "launch=N" from 1 */
    uint32_t count;              /* 0: files of this kind have one launch */
};

/*
 * Lists the launches of the file `path`. On success front_launches_free() must be called. A file
 * that cannot be opened has no launches and is not an error here: front_open() reports it.
 */
enum simsm_status front_launches_read(struct front_launches *launches, const char *path,
                                      struct simsm_error *error);

void front_launches_free(struct front_launches *launches);

#endif
