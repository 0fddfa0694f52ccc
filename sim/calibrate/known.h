/*
 * Points that are known to be out of their tolerance, so that a test fails when one gets worse,
 * when another one joins them, or when one has become good: closure-known.csv, of which the columns
 * are file,point,error,reason. The error is relative and signed, as closure has it.
 */
#ifndef SIM_CALIBRATE_KNOWN_H
#define SIM_CALIBRATE_KNOWN_H

#include "calibrate/table.h"

enum { KNOWN_REASON = 300 };

struct known_miss {
    char file[TABLE_NAME], point[POINT_NAME];
    double error; /* NaN: the point gives no value, or a list that differs */
    char reason[KNOWN_REASON];
};

struct known {
    struct known_miss *miss; /* [misses] */
    size_t misses;
};

/* A file that is not there is an empty one. known_free must be called whatever it returns. */
enum simsm_status known_read(struct known *known, const char *path, struct simsm_error *error);
void known_free(struct known *known);

/* NULL: the point is not among them. */
const struct known_miss *known_find(const struct known *known, const char *file, const char *point);

/* Writes the file; the misses are in order already. */
enum simsm_status known_write(const struct known *known, const char *path,
                              struct simsm_error *error);

/* Adds a miss. false: memory has run out. */
bool known_add(struct known *known, const struct known_miss *miss);

/* Whether `error` is larger than what is known, by more than a twentieth and half a percent. */
bool known_is_worse(const struct known_miss *miss, double error);

#endif
