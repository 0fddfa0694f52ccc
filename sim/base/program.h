/* Runs another program and reads its output. */
#ifndef SIM_BASE_PROGRAM_H
#define SIM_BASE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

/*
 * Runs the program words[0], found in PATH, with the arguments words[1...] (NULL-terminated), and
 * waits for its end. Copies its standard output and stderr to `said`, cut to `size` bytes with the
 * terminator. Sets *good if it ended with status 0. Returns SIMSM_FAILED if it cannot be started.
 */
enum simsm_status program_ask(const char *const *words, char *said, size_t size, bool *good,
                              struct simsm_error *error);

#endif
