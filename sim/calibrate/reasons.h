/*
 * Why points are known to be out of their tolerance, by groups of points: closure-reasons.csv, of
 * which the columns are file,points,reason. `points` is a name in which * stands for any text. The
 * first row that fits a point has its reason.
 */
#ifndef SIM_CALIBRATE_REASONS_H
#define SIM_CALIBRATE_REASONS_H

#include "calibrate/known.h"

struct reason {
    char file[TABLE_NAME], points[POINT_NAME], text[KNOWN_REASON];
};

struct reasons {
    struct reason *reason; /* [reasons] */
    size_t reasons;
};

/* A file that is not there is an empty one. reasons_free must be called whatever it returns. */
enum simsm_status reasons_read(struct reasons *reasons, const char *path,
                               struct simsm_error *error);
void reasons_free(struct reasons *reasons);

/* Gives the miss the reason of its group, if it has one. */
void reasons_give(const struct reasons *reasons, struct known_miss *miss);

#endif
