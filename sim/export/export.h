/* A run's statistics for programs: JSON and CSV, documented in docs/metrics.md. */
#ifndef SIM_EXPORT_EXPORT_H
#define SIM_EXPORT_EXPORT_H

#include <stdio.h>

#include "report/run_info.h"
#include "simsm/stats.h"

/*
 * Both write to `file`, whose write errors they leave in it (ferror); the only failure that they
 * report themselves is running out of memory.
 */
enum simsm_status export_json(FILE *file, const struct run_info *run,
                              const struct simsm_stats *stats, struct simsm_error *error);

/* Rows metric,unit,value,description: all counters, then all metrics. */
enum simsm_status export_csv(FILE *file, const struct run_info *run,
                             const struct simsm_stats *stats, struct simsm_error *error);

#endif
