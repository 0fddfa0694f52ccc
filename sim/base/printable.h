/* Text of unknown origin, made fit for a terminal. */
#ifndef SIM_BASE_PRINTABLE_H
#define SIM_BASE_PRINTABLE_H

#include <stddef.h>

/*
 * Copies `text`, cut to `size` bytes with its terminator, with '?' in place of every byte that is
 * part of a control character or of no valid UTF-8. `to` may be `text`. Returns `to`.
 */
char *printable(const char *text, char *to, size_t size);

#endif
