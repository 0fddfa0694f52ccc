/* Paths that mean the same in every folder of work. */
#ifndef SIM_BASE_ABSOLUTE_H
#define SIM_BASE_ABSOLUTE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes `path`, in a room of `size` bytes, absolute: what is relative lies in the folder of `file`,
 * or of work if that is NULL. A path that would become too long stays as it is: false.
 */
bool absolute_path(char *path, size_t size, const char *file);

#endif
