/* The outputs of `simsm closure`: text, CSV and JSON. */
#ifndef SIM_CLI_CLOSURE_SHOW_H
#define SIM_CLI_CLOSURE_SHOW_H

#include <stdio.h>

#include "calibrate/closure.h"

/* What is shown, and how. */
struct closure_shown {
    const struct closure *closure;
    const struct simsm_config *config;
    const char *tables, *data; /* folders, for the heading */
    bool only_off;             /* leave out the points whose verdict is good */
    bool times;                /* show how long each point took to simulate */
};

/* Prints a table of all points and a summary by kind of point. */
void closure_show(FILE *file, const struct closure_shown *shown);

/* Writes one row for each point. Always returns true; a write error stays in `file`. */
bool closure_write_csv(FILE *file, const struct closure_shown *shown);

/* Writes all points as one JSON object. Returns false if memory runs out; a write error stays in
 * `file`. */
bool closure_write_json(FILE *file, const struct closure_shown *shown);

#endif
