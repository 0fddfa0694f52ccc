/* The kinds of input files, for front_open(). A program that reads fewer kinds links a table of its
 * own in place of input_kinds.c, and with it only the fronts of these kinds. */
#ifndef SIM_INPUT_INPUT_KINDS_H
#define SIM_INPUT_INPUT_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "front/front.h"

struct input_kind {
    /* Returns whether a file that begins with these bytes is of this kind. NULL: any file is. */
    bool (*probe)(const uint8_t *bytes, size_t size);
    enum simsm_status (*open)(struct front **front, const char *path,
                              const struct simsm_config *config, const char *const *params,
                              struct simsm_error *error);
};

/* The first kind whose probe accepts the file opens it. The last kind accepts any file. */
extern const struct input_kind input_kinds[];

#endif
