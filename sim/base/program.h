/* Other programs, asked for something that they do better. */
#ifndef SIM_BASE_PROGRAM_H
#define SIM_BASE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

/*
 * Runs the program words[0], looked for in PATH, with the words behind it (NULL ends them), and
 * waits for its end. What it says, errors too, becomes `said`, as far as there is room. Fails if it
 * cannot be started; *good: it has ended with status 0.
 */
enum simsm_status program_ask(const char *const *words, char *said, size_t size, bool *good,
                              struct simsm_error *error);

#endif
