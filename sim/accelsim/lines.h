/* The lines of a text file, plain or compressed with xz, one after another in bounded memory. */
#ifndef SIM_ACCELSIM_LINES_H
#define SIM_ACCELSIM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

struct accelsim_lines;

/* Opens the regular file `path`; what its content says decides how it is read. To be closed. */
enum simsm_status lines_open(struct accelsim_lines **lines, const char *path,
                             struct simsm_error *error);

/* NULL is allowed. */
void lines_close(struct accelsim_lines *lines);

/*
 * The next line without its end, with a terminator; valid until the next call. *line is NULL at
 * the end of the file. Fails if the file cannot be read, is damaged, or has an overlong line.
 */
enum simsm_status lines_next(struct accelsim_lines *lines, const char **line, size_t *length,
                             struct simsm_error *error);

/* Number of the line that was read last, from 1; 0 before. */
uint64_t lines_number(const struct accelsim_lines *lines);

/* SIMSM_BAD_INPUT at the line that was read last. Returns it. */
enum simsm_status lines_fail(const struct accelsim_lines *lines, struct simsm_error *error,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
