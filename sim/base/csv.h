/* Comma-separated values with a header line. Quotes as in RFC 4180; lines end in LF or CRLF. */
#ifndef SIM_BASE_CSV_H
#define SIM_BASE_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "simsm/error.h"

struct csv_reader {
    const char *path;
    char *text, *at; /* the text of the file; cells are cut off in place */
    uint32_t line;   /* line number of the current row */
    uint32_t next_line, cells, columns, room;
    char **cell; /* [cells] of the current row */
    struct simsm_error *error;
};

/*
 * Opens a file of at most `limit` bytes. Its first line must be names[0 .. cells), in this order.
 * `what` names the kind of file in messages. If `names` is NULL no line is read, and rows may
 * differ in length until `columns` is set. The caller calls csv_close in every case, also after a
 * failure.
 */
enum simsm_status csv_open(struct csv_reader *csv, const char *path, const char *what,
                           const char *const *names, uint32_t cells, size_t limit,
                           struct simsm_error *error);

/* Reads the next row that is not empty. Returns false at the end of the file, and if *status is a
 * failure. */
bool csv_next(struct csv_reader *csv, enum simsm_status *status);
void csv_close(struct csv_reader *csv);

/* Fills the error with a message and the place of the current row. Returns SIMSM_BAD_INPUT. */
enum simsm_status csv_fail(const struct csv_reader *csv, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a cell, in quotes if needed, followed by `after`: ',' or '\n'. */
void csv_cell(FILE *file, const char *text, char after);

#endif
