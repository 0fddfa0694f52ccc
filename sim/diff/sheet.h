/* A small table of texts, shown in columns or as Markdown. */
#ifndef SIM_DIFF_SHEET_H
#define SIM_DIFF_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "base/pool.h"

enum { SHEET_COLUMNS = 8 };

/* A table. The first `texts` columns are texts, aligned left, and so is the last if `text_last`;
 * the others are numbers. */
struct sheet {
    const char *title;
    unsigned columns, texts;
    bool text_last;
    const char *heading[SHEET_COLUMNS];
    struct pool cell; /* of char *, owned; row by row */
    bool failed;      /* memory ran out */
};

/* Adds a row of copies of cell[sheet->columns]. */
void sheet_add(struct sheet *sheet, const char *const *cell);

/* Writes the sheet in columns, or as a Markdown table; nothing if it has no row. Frees its rows.
 * Returns false if memory ran out. */
bool sheet_write(struct sheet *sheet, FILE *file, bool markdown);

#endif
