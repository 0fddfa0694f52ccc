/* Metrics by name, and short titles of the common metrics for tables. */
#ifndef SIM_SWEEP_TITLES_H
#define SIM_SWEEP_TITLES_H

#include <stddef.h>

enum { TITLES_USUAL = 5 };

/* The metrics of a table without --metric or --value: enum metric. */
extern const unsigned titles_usual[TITLES_USUAL];

/* Returns the metric with this name or title; -1 if there is none. */
int titles_metric(const char *name);

/* Returns the nearest name or title; NULL if none is similar. */
const char *titles_nearest(const char *name);

/* Returns the title of the metric `name`; `name` itself if it has no title. */
const char *titles_of(const char *name);

/* Returns the unit of a counter or metric; NULL if there is none of this name. */
const char *titles_unit(const char *name);

#endif
