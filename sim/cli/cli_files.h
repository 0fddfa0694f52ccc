/* Collisions between the files that a command line names. */
#ifndef SIM_CLI_CLI_FILES_H
#define SIM_CLI_CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

/* A file of a command line. */
struct cli_file {
    const char *what, *path; /* what: for messages, "--csv"; path NULL: not given */
    bool input;
};

/* Returns SIMSM_BAD_INPUT with a message if two outputs are the same file, or if an output is also
 * an input. In files[count] the inputs must come before the outputs. */
enum simsm_status cli_files_check(const struct cli_file *files, size_t count,
                                  struct simsm_error *error);

/*
 * Returns whether one of the outputs is the standard output. Then the command prints nothing else.
 */
bool cli_files_take_stdout(const struct cli_file *files, size_t count);

#endif
