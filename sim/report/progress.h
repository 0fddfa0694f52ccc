/* A line on a terminal that says how far something is while it takes long, and then goes. */
#ifndef SIM_REPORT_PROGRESS_H
#define SIM_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

struct progress {
    FILE *terminal; /* NULL: nothing is shown */
    bool shown;
    double start, last; /* seconds */
};

/* From now on; nothing will be shown where `file` is no terminal. */
void progress_begin(struct progress *progress, FILE *file);

/* Whether it is time for a new line. *elapsed: seconds since progress_begin. */
bool progress_due(struct progress *progress, double *elapsed);

void progress_show(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Takes the line away. */
void progress_clear(struct progress *progress);

#endif
