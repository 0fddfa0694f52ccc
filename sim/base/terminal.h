/* What an output file is connected to: the columns and colours of a terminal. */
#ifndef SIM_BASE_TERMINAL_H
#define SIM_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the columns of the terminal that `file` writes to; `otherwise` if it is no terminal. */
uint32_t terminal_width(FILE *file, uint32_t otherwise);

/*
 * Sets *colour to whether output to `file` has colours. `when` is "always", "never" or "auto"; NULL
 * means "auto". "auto" colours on a terminal whose TERM is not "dumb", unless NO_COLOR is set
 * (no-color.org). Returns false if `when` is another text.
 */
bool terminal_colour(FILE *file, const char *when, bool *colour);

#endif
