/* Metrics by name, and titles for the usual ones, which fit the head of a table. */
#ifndef SIM_SWEEP_TITLES_H
#define SIM_SWEEP_TITLES_H

#include <stddef.h>

enum { TITLES_USUAL = 5 };

/* Metrics that a table shows where nobody says which: enum metric. */
extern const unsigned titles_usual[TITLES_USUAL];

/* The metric of a name or title; -1: there is none. */
int titles_metric(const char *name);

/* The name or title that is nearest, if it is likely what was meant; NULL: none is. */
const char *titles_nearest(const char *name);

/* The title of a metric of that name, or the name. */
const char *titles_of(const char *name);

/* The unit of a counter or metric; NULL: there is none of that name. */
const char *titles_unit(const char *name);

#endif
