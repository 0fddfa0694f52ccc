/* The command line that repeats a run with other outputs, for "where to look next". */
#ifndef SIM_CLI_AGAIN_LINE_H
#define SIM_CLI_AGAIN_LINE_H

#include "cli/given_options.h"

/*
 * Returns `command` ("simsm", "simsm run"), the configuration, the trace (NULL: none), the options
 * that change results, and "--" with the words of the program (NULL: none), which end with NULL.
 * Returns NULL if memory runs out. The caller frees the line.
 */
char *again_line(const char *command, const char *config, const char *trace,
                 const struct option_words *spelled, char *const program[]);

#endif
