/*
 * The text report's verdict and tables as sections of a page: what limits the kernel, and where to
 * look.
 */
#ifndef VIZ_HTML_HTML_REPORT_H
#define VIZ_HTML_HTML_REPORT_H

#include <stdio.h>

#include "track/track.h"

/* Both functions write nothing if the file lacks the statistics of the run. */

/* Writes what limits the kernel, and what to try. */
void report_limits(FILE *file, struct run *run);

/* Writes the occupancy lost by cause, waves and tail, and the most costly lines. */
void report_details(FILE *file, struct run *run);

#endif
