/*
 * What was measured on a GPU, as it is kept: calib.csv, one row for each point.
 * Columns: file,point,unit,value,min,max,runs,note. A point that gave nothing has no value, and its
 * note says why; a list of numbers has no min and max.
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
    double value, min, max; /* the median of the runs, and their ends */
    char *list;             /* is_list: owned */
    uint32_t runs;
    char note[RECORD_NOTE];
};

struct record {
    struct record_row *row; /* [rows] */
    size_t rows, room;
};

/* Reads the file; call record_free whatever it returns. */
enum simsm_status record_read(struct record *record, const char *path, struct simsm_error *error);
void record_free(struct record *record);

/* The row of a point, NULL if there is none. */
const struct record_row *record_find(const struct record *record, const char *file,
                                     const char *point);

/* Puts a row in the place of that of the same point, or behind all others; takes row->list over.
 * false: memory has run out. */
bool record_put(struct record *record, const struct record_row *row);

/* Writes the file, its rows ordered by table and within it as they were added. */
enum simsm_status record_write(const struct record *record, const char *path,
                               struct simsm_error *error);

/* The row for runs of a point: median, ends; of lists the first, with a note if they differ. */
void record_fill(struct record_row *row, const struct table *table, const struct point *point,
                 const struct measured *measured, uint32_t runs);

#endif
