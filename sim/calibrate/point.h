/* Reading one point of a table. */
#ifndef SIM_CALIBRATE_POINT_H
#define SIM_CALIBRATE_POINT_H

#include "calibrate/table.h"

/*
 * Reads the keys of a point from `text`, which is the file up to the point's end with everything
 * before it blanked, so that places in messages are the file's. What *point has stays where the
 * text says nothing.
 */
enum simsm_status point_read(struct point *point, const char *text, size_t size,
                             struct simsm_error *error);

/* Whether it has all that it needs; `line` is its place in point->plan.path. */
enum simsm_status point_check(const struct point *point, uint32_t line, struct simsm_error *error);

#endif
