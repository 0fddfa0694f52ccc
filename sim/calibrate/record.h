/*
 * Measurements of a GPU: calib.csv, one row for each point. Columns:
 * file,point,unit,value,min,max,runs,note. A failed point has no value, and its note says why; a
 * list of numbers has no min and max.
 */
#ifndef SIM_CALIBRATE_RECORD_H
#define SIM_CALIBRATE_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "calibrate/table.h"

enum { RECORD_NOTE = 400 };

struct record_row {
    char file[TABLE_NAME], point[POINT_NAME], unit[POINT_UNIT];
    bool has_value, is_list;
    double value, min, max; /* median, minimum and maximum of the runs */
    char *list;             /* the list, if is_list; owned */
    uint32_t runs;
    char note[RECORD_NOTE];
};

struct record {
    struct record_row *row; /* [rows] */
    size_t rows, room;
};

/* Reads the file. The caller calls record_free() whatever the result. */
enum simsm_status record_read(struct record *record, const char *path, struct simsm_error *error);
void record_free(struct record *record);

/* Returns the row of a point, or NULL. */
const struct record_row *record_find(const struct record *record, const char *file,
                                     const char *point);

/* Replaces the row of the same point, or appends the row. Takes ownership of row->list. Returns
 * false if memory runs out. */
bool record_put(struct record *record, const struct record_row *row);

/* Writes the file, ordered by table and then in the order in which rows were added. */
enum simsm_status record_write(const struct record *record, const char *path,
                               struct simsm_error *error);

/* Fills the row of a point from its runs: median, minimum and maximum; for lists the first, with
 * a note if the runs differ. */
void record_fill(struct record_row *row, const struct table *table, const struct point *point,
                 const struct measured *measured, uint32_t runs);

#endif
