/* Reading a whole text file, with a bound on its size. */
#ifndef SIM_BASE_INFILE_H
#define SIM_BASE_INFILE_H

#include <stddef.h>

#include "simsm/error.h"

/*
 * Reads the regular file `path` of at most `limit` bytes into *text, which the caller frees; a
 * terminator follows the *size bytes. `what` names the kind of file in messages ("trace").
 */
enum simsm_status infile_read(const char *path, const char *what, size_t limit, char **text,
                              size_t *size, struct simsm_error *error);

#endif
