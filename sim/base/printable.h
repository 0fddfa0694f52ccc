/* Makes text of unknown origin safe for a terminal. */
#ifndef SIM_BASE_PRINTABLE_H
#define SIM_BASE_PRINTABLE_H

#include <stddef.h>

/*
 * Copies `text` to `to`, cut to `size` bytes with the terminator. Replaces every byte that belongs
 * to a control character, or to no valid UTF-8 character, by '?'. `to` may equal `text`. Returns
 * `to`.
 */
char *printable(const char *text, char *to, size_t size);

#endif
