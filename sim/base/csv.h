/* Comma-separated values with a line of names: quotes as in RFC 4180, lines end in LF or CRLF. */
#ifndef SIM_BASE_CSV_H
#define SIM_BASE_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "simsm/error.h"

struct csv_reader {
    const char *path;
    char *text, *at; /* the text is cut into cells where it stands */
    uint32_t line;   /* of the row that was read last */
    uint32_t next_line, cells, columns, room;
    char **cell; /* [cells] of that row */
    struct simsm_error *error;
};

/*
 * Opens the file, whose first line must have the names names[0 .. cells), in this order. `what` it
 * is and at most `limit` bytes are for messages. With names NULL no row is read, and rows may
 * differ in length until `columns` is set. csv_close must be called whatever it returns.
 */
enum simsm_status csv_open(struct csv_reader *csv, const char *path, const char *what,
                           const char *const *names, uint32_t cells, size_t limit,
                           struct simsm_error *error);

/* Reads the next row that is not empty; false: there is none, or *status is a failure. */
bool csv_next(struct csv_reader *csv, enum simsm_status *status);
void csv_close(struct csv_reader *csv);

/* A message with the place of the row; returns SIMSM_BAD_INPUT. */
enum simsm_status csv_fail(const struct csv_reader *csv, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a cell, in quotes where they are needed, and `after` behind it: ',' or '\n'. */
void csv_cell(FILE *file, const char *text, char after);

#endif
