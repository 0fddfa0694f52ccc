/* The files that the figures of a kernel depend on. */
#ifndef SIM_SWEEP_INPUTS_H
#define SIM_SWEEP_INPUTS_H

#include "sweep/spec.h"
#include "sweep/store.h"

/* Begins as {0}; inputs_free ends it. */
struct inputs {
    struct store_input *input; /* [count] path and hash owned */
    uint32_t count;
};

/* Reads them all: what the spec names, and what a launch file names. */
enum simsm_status inputs_read(struct inputs *inputs, const struct spec *spec,
                              const struct spec_kernel *kernel, struct simsm_error *error);
void inputs_free(struct inputs *inputs);

/* `path` from the root of the file system, to be freed; NULL: memory has run out. */
char *inputs_absolute(const char *path);

#endif
