/* The kernel launches in a file that holds several: a recording, a list of traces. */
#ifndef SIM_INPUT_FRONT_LAUNCHES_H
#define SIM_INPUT_FRONT_LAUNCHES_H

#include <stdint.h>

#include "simsm/error.h"
#include "simsm/kernel.h"

struct front_launches {
    struct simsm_launch *launch; /* [count] in their order; front_open takes "launch=N", from 1 */
    uint32_t count;              /* 0: the file is of a kind that has one launch */
};

/* Finds out what `path` holds. Only a successful read leaves something to free. What cannot be
 * opened has no launches: front_open says why. */
enum simsm_status front_launches_read(struct front_launches *launches, const char *path,
                                      struct simsm_error *error);

void front_launches_free(struct front_launches *launches);

#endif
