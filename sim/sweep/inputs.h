/* The files that decide the results of a kernel. */
#ifndef SIM_SWEEP_INPUTS_H
#define SIM_SWEEP_INPUTS_H

#include "sweep/spec.h"
#include "sweep/store.h"

/* Begins as {0}; inputs_free() ends it. */
struct inputs {
    struct store_input *input; /* [count] owns path and hash */
    uint32_t count;
};

/* Hashes all input files of a kernel: those that the spec names, and those that its launch file
 * names. Returns SIMSM_BAD_INPUT, with a place in the spec, if a file cannot be read. */
enum simsm_status inputs_read(struct inputs *inputs, const struct spec *spec,
                              const struct spec_kernel *kernel, struct simsm_error *error);
void inputs_free(struct inputs *inputs);

/* Returns `path` as an absolute path. NULL if memory runs out. The caller frees it. */
char *inputs_absolute(const char *path);

#endif
