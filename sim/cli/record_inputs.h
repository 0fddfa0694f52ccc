/* Writes a recording from traces and machine code, for `simsm record` and `simsm trace convert`. */
#ifndef SIM_CLI_RECORD_INPUTS_H
#define SIM_CLI_RECORD_INPUTS_H

#include "simsm/config.h"
#include "simsm/error.h"

/* What to record, and where to. */
struct record_inputs_request {
    char *const *inputs; /* [input_count] each gives one or several launches */
    int input_count;
    const char *output;
    const struct simsm_config *config; /* NULL: the defaults of the schema */
    const char *const *params;         /* "name=value"; NULL ends the array */
    const char *command;               /* the command line, which the recording keeps */
    bool quiet;
};

/*
 * Opens the inputs (any format that simsm reads), executes all their warps without timing and
 * writes the recording. Prints how much was written, unless `quiet`. Returns SIMSM_INTERRUPTED
 * after a signal, which signals_first() returns. On failure no recording is left.
 */
enum simsm_status record_inputs(const struct record_inputs_request *request,
                                struct simsm_error *error);

#endif
