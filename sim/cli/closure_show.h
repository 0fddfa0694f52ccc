/* simsm closure: what it shows and writes. */
#ifndef SIM_CLI_CLOSURE_SHOW_H
#define SIM_CLI_CLOSURE_SHOW_H

#include <stdio.h>

#include "calibrate/closure.h"

struct closure_shown {
    const struct closure *closure;
    const struct simsm_config *config;
    const char *tables, *data; /* folders */
    bool only_off;             /* leave out what is as it should be */
    bool times;                /* show how long each point took */
};

/* Tables of all points and of the kinds. */
void closure_show(FILE *file, const struct closure_shown *shown);

/* One row for each point; false: memory has run out. */
bool closure_write_csv(FILE *file, const struct closure_shown *shown);
bool closure_write_json(FILE *file, const struct closure_shown *shown);

#endif
