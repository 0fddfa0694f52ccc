/* A progress line on a terminal, removed at the end. */
#ifndef SIM_REPORT_PROGRESS_H
#define SIM_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

struct progress {
    FILE *terminal; /* NULL: no line is shown */
    bool shown;
    double start, last; /* seconds */
};

/* Starts the clock. No line is shown if `file` is not a terminal. */
void progress_begin(struct progress *progress, FILE *file);

/* Returns true if the line is due to be written again. *elapsed: seconds since progress_begin. */
bool progress_due(struct progress *progress, double *elapsed);

/* Writes the line, cut to the columns of the terminal. */
void progress_show(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Removes the line from the terminal. */
void progress_clear(struct progress *progress);

#endif
