/* Reads one point of a table. */
#ifndef SIM_CALIBRATE_POINT_H
#define SIM_CALIBRATE_POINT_H

#include "calibrate/table.h"

/*
 * Reads the keys of a point from `text`: the file up to the end of the point, with everything
 * before the point blanked, so that messages have the places of the file. Members of *point whose
 * keys are missing keep their values.
 */
enum simsm_status point_read(struct point *point, const char *text, size_t size,
                             struct simsm_error *error);

/* Checks that the point has all required keys. `line` is its line in point->plan.path. */
enum simsm_status point_check(const struct point *point, uint32_t line, struct simsm_error *error);

#endif
