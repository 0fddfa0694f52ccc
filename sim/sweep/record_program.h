/* Recording a CUDA program: starts `simsm record`, which writes what its launches execute. */
#ifndef SIM_SWEEP_RECORD_PROGRAM_H
#define SIM_SWEEP_RECORD_PROGRAM_H

#include "simsm/config.h"
#include "sweep/spec.h"

struct record_program {
    const char *simsm; /* path of the command */
    const struct spec_kernel *kernel;
    const struct simsm_config *config;
    const char *recording;          /* file to write; .yaml and .log are written beside it */
    const char *kernels, *launches; /* values of --kernels and --launches; NULL: all */
    const char *table;              /* file with a row for each launch and copy; NULL: none */
    int (*stop)(void);              /* called repeatedly; nonzero: the program is killed */
};

/* Records the program. Its output goes into the log; on failure the message has the last line of
 * the log. Returns SIMSM_INTERRUPTED if `stop` ended it. */
enum simsm_status record_program(const struct record_program *program, struct simsm_error *error);

#endif
