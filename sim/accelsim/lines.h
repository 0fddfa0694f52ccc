/* Reads the lines of a text file, plain or compressed with xz, in bounded memory. */
#ifndef SIM_ACCELSIM_LINES_H
#define SIM_ACCELSIM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

struct accelsim_lines;

/*
 * Opens the regular file `path`; its first bytes tell whether it is compressed. On success *lines
 * must be closed with lines_close().
 */
enum simsm_status lines_open(struct accelsim_lines **lines, const char *path,
                             struct simsm_error *error);

/* Closes the file. NULL is allowed. */
void lines_close(struct accelsim_lines *lines);

/*
 * Returns the next line, terminated and without its end of line; it is valid until the next call.
 * *line is NULL at the end of the file. Fails if the file cannot be read, is damaged, or has a line
 * of more than 64 KiB.
 */
enum simsm_status lines_next(struct accelsim_lines *lines, const char **line, size_t *length,
                             struct simsm_error *error);

/* Reports SIMSM_BAD_INPUT at the latest line. Returns SIMSM_BAD_INPUT. */
enum simsm_status lines_fail(const struct accelsim_lines *lines, struct simsm_error *error,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
