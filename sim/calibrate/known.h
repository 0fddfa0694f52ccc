/*
 * Known deviations: points outside of their tolerance, in closure-known.csv (columns
 * file,point,error,reason). With this list a test fails if a point gets worse, a new point leaves
 * its tolerance, or a listed point is within it. The error is relative and signed, as in struct
 * closure_row.
 */
#ifndef SIM_CALIBRATE_KNOWN_H
#define SIM_CALIBRATE_KNOWN_H

#include "calibrate/table.h"

enum { KNOWN_REASON = 300 };

struct known_miss {
    char file[TABLE_NAME], point[POINT_NAME];
    double error; /* NaN: the point has no value, or a list that differs */
    char reason[KNOWN_REASON];
};

struct known {
    struct known_miss *miss; /* [misses] */
    size_t misses;
};

/* Reads the file; a missing file counts as empty. The caller calls known_free() whatever the
 * result. */
enum simsm_status known_read(struct known *known, const char *path, struct simsm_error *error);
void known_free(struct known *known);

/* Returns the entry of a point, or NULL. */
const struct known_miss *known_find(const struct known *known, const char *file, const char *point);

/* Writes the file in the order of the entries. */
enum simsm_status known_write(const struct known *known, const char *path,
                              struct simsm_error *error);

/* Adds an entry. Returns false if memory runs out. */
bool known_add(struct known *known, const struct known_miss *miss);

/* Returns whether `error` exceeds the known error by more than a twentieth of it and half a
 * percent. */
bool known_is_worse(const struct known_miss *miss, double error);

#endif
