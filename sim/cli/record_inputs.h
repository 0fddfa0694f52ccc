/* Writing a recording: what `simsm record` and `simsm trace convert` share. */
#ifndef SIM_CLI_RECORD_INPUTS_H
#define SIM_CLI_RECORD_INPUTS_H

#include "simsm/config.h"
#include "simsm/error.h"

struct record_inputs_request {
    char *const *inputs; /* [input_count], each one or several launches of the recording */
    int input_count;
    const char *output;
    const struct simsm_config *config; /* NULL: the schema's values */
    const char *const *params;         /* NULL ends them */
    const char *command;               /* the command line, which the file keeps */
    bool quiet;
};

/*
 * Opens the inputs, whatever they are, runs all their warps without time and writes them. Prints
 * what it has written. SIMSM_INTERRUPTED: a signal, which signals_first has; nothing is left of the
 * file.
 */
enum simsm_status record_inputs(const struct record_inputs_request *request,
                                struct simsm_error *error);

#endif
