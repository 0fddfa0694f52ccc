/* What the text report of simsm says beyond figures: what limits the kernel, and where to look. */
#ifndef VIZ_HTML_HTML_REPORT_H
#define VIZ_HTML_HTML_REPORT_H

#include <stdio.h>

#include "track/track.h"

/* Both write sections of a page; nothing if the file lacks the statistics of the run. */

/* What limits the kernel, and what to try. */
void report_limits(FILE *file, struct run *run);

/* Occupancy lost by cause, waves and tail; the lines that cost most. */
void report_details(FILE *file, struct run *run);

#endif
