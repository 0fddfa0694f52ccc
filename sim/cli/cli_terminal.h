/* What the standard output can show. */
#ifndef SIM_CLI_CLI_TERMINAL_H
#define SIM_CLI_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of the terminal at the standard output; `otherwise` if it is none. */
uint32_t terminal_width(uint32_t otherwise);

/*
 * Whether to colour: `when` is "always", "never" or "auto" (NULL): on a terminal that is not
 * "dumb", unless NO_COLOR is set (no-color.org). False if `when` is none of these.
 */
bool terminal_colour(const char *when, bool *colour);

#endif
