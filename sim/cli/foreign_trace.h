/* Traces of other tools: what the commands do with them beyond opening them. */
#ifndef SIM_CLI_FOREIGN_TRACE_H
#define SIM_CLI_FOREIGN_TRACE_H

#include <stdbool.h>

#include "front/front.h"

/* Prints what the front warns of, if it does, to stderr. */
void foreign_trace_warn(const struct front *front);

/* Whether the file is a trace of another tool. */
bool foreign_trace_probe(const char *path);

/*
 * Writes all kernel launches of such a file to the recording `output`, and prints what it has
 * written. `command` is the command line. SIMSM_INTERRUPTED: a signal, which signals_first has;
 * nothing is left of the recording.
 */
enum simsm_status foreign_trace_convert(const char *input, const char *output, const char *command,
                                        struct simsm_error *error);

#endif
