/* Writes the statistics of a run as JSON and CSV (docs/metrics.md). */
#ifndef SIM_EXPORT_EXPORT_H
#define SIM_EXPORT_EXPORT_H

#include <stdio.h>

#include "report/run_info.h"
#include "simsm/stats.h"

enum { STATS_JSON_VERSION = 1 }; /* member "format" of the JSON */

/*
 * All functions write to `file` and return SIMSM_FAILED only if memory runs out. The caller checks
 * ferror(file).
 */
enum simsm_status export_json(FILE *file, const struct run_info *run,
                              const struct simsm_stats *stats, struct simsm_error *error);

/* Writes the same object on one line: a file of several launches has one line for each. */
enum simsm_status export_json_line(FILE *file, const struct run_info *run,
                                   const struct simsm_stats *stats, struct simsm_error *error);

/* Writes rows metric,unit,value,description: all counters, then all metrics. */
enum simsm_status export_csv(FILE *file, const struct run_info *run,
                             const struct simsm_stats *stats, struct simsm_error *error);

/* Writes the first line of a file of several launches, then the rows of one of them:
 * launch,kernel,metric,unit,value,description. */
void export_csv_header(FILE *file);
enum simsm_status export_csv_launch(FILE *file, const struct run_info *run,
                                    const struct simsm_stats *stats, struct simsm_error *error);

#endif
