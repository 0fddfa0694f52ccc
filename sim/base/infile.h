/* Reads a whole text file of limited size. */
#ifndef SIM_BASE_INFILE_H
#define SIM_BASE_INFILE_H

#include <stddef.h>

#include "simsm/error.h"

/*
 * Reads the file `path`, at most `limit` bytes, into *text, which the caller frees. A terminator
 * follows the *size bytes. `what` names the kind of file in messages ("trace").
 */
enum simsm_status infile_read(const char *path, const char *what, size_t limit, char **text,
                              size_t *size, struct simsm_error *error);

#endif
