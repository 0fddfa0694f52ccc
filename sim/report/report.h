/* The text report of a run, for a terminal of 80 to 100 columns. */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/run_info.h"
#include "simsm/stats.h"

/* Prints the report. The caller checks ferror(file). `ascii`: bars of ASCII characters only; names
 * from the trace are printed as they are. */
void report_print(FILE *file, const struct run_info *run, const struct simsm_stats *stats,
                  bool ascii);

#endif
