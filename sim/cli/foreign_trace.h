/* Traces of other tools (Accel-Sim): warnings, and conversion to a recording. */
#ifndef SIM_CLI_FOREIGN_TRACE_H
#define SIM_CLI_FOREIGN_TRACE_H

#include <stdbool.h>

#include "front/front.h"

/* Prints the warnings of the front to stderr, one per line. Prints nothing if there are none. */
void foreign_trace_warn(const struct front *front);

/* Returns whether the file is a trace of Accel-Sim. A file that cannot be read is none. */
bool foreign_trace_probe(const char *path);

/*
 * Writes all launches of the trace `input` to the recording `output` and prints how much was
 * written. The recording keeps `command`, the command line. Returns SIMSM_INTERRUPTED after a
 * signal, which signals_first() returns. On failure no recording is left.
 */
enum simsm_status foreign_trace_convert(const char *input, const char *output, const char *command,
                                        struct simsm_error *error);

#endif
