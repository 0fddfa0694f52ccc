/* A CUDA program, started by `simsm record`, which writes what its launches execute. */
#ifndef SIM_SWEEP_RECORD_PROGRAM_H
#define SIM_SWEEP_RECORD_PROGRAM_H

#include "simsm/config.h"
#include "sweep/spec.h"

struct record_program {
    const char *simsm; /* the command */
    const struct spec_kernel *kernel;
    const struct simsm_config *config;
    const char *recording; /* the file to write; .yaml and .log are written beside it */
    int (*stop)(void);     /* asked now and then; not 0: the program is ended */
};

/* What the program prints goes into the log, whose end is the message of a failure. */
enum simsm_status record_program(const struct record_program *program, struct simsm_error *error);

#endif
