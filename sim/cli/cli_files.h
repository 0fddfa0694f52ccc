/* The files that a command line names, and whether they collide. */
#ifndef SIM_CLI_CLI_FILES_H
#define SIM_CLI_CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

struct cli_file {
    const char *what, *path; /* "--csv"; NULL: not given */
    bool input;
};

/* Refuses one file for two outputs, and an output that is an input; inputs come first. */
enum simsm_status cli_files_check(const struct cli_file *files, size_t count,
                                  struct simsm_error *error);

/* Whether the standard output is one of the outputs; then nothing else is to be printed. */
bool cli_files_take_stdout(const struct cli_file *files, size_t count);

#endif
