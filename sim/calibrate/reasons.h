/*
 * Reasons of known deviations, by groups of points: closure-reasons.csv (columns
 * file,points,reason). In `points`, * stands for any text. The first row that matches a point gives
 * its reason.
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

/* Reads the file; a missing file counts as empty. The caller calls reasons_free() whatever the
 * result. */
enum simsm_status reasons_read(struct reasons *reasons, const char *path,
                               struct simsm_error *error);
void reasons_free(struct reasons *reasons);

/* Sets the reason of a known deviation, if a row matches. */
void reasons_give(const struct reasons *reasons, struct known_miss *miss);

#endif
