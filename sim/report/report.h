/* The text report of a run, for a terminal of 80 to 100 columns. */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/run_info.h"
#include "simsm/stats.h"

/* Write errors stay in `file` (ferror). `ascii`: no byte above 127 but those of the trace's own. */
void report_print(FILE *file, const struct run_info *run, const struct simsm_stats *stats,
                  bool ascii);

#endif
