/* Absolute paths. */
#ifndef SIM_BASE_ABSOLUTE_H
#define SIM_BASE_ABSOLUTE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes `path` absolute, in its buffer of `size` bytes. A relative path is taken from the folder of
 * `file`, or from the current folder if `file` is NULL. Returns false, and leaves `path` as it is,
 * if the absolute path does not fit.
 */
bool absolute_path(char *path, size_t size, const char *file);

/* Returns whether both paths name one file, which exists. */
bool absolute_same_file(const char *one, const char *other);

#endif
