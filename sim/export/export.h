/* Writes the statistics of a run as JSON and CSV (docs/metrics.md). */
#ifndef SIM_EXPORT_EXPORT_H
#define SIM_EXPORT_EXPORT_H

#include <stdio.h>

#include "report/run_info.h"
#include "simsm/stats.h"

/*
 * Both functions write to `file` and return SIMSM_FAILED only if memory runs out. The caller checks
 * ferror(file).
 */
enum simsm_status export_json(FILE *file, const struct run_info *run,
                              const struct simsm_stats *stats, struct simsm_error *error);

/* Writes rows metric,unit,value,description: all counters, then all metrics. */
enum simsm_status export_csv(FILE *file, const struct run_info *run,
                             const struct simsm_stats *stats, struct simsm_error *error);

#endif
