/* What the statistics of a run say: the metrics, and the report as text. */
#ifndef SIMSM_REPORT_H
#define SIMSM_REPORT_H

#include <stddef.h>

#include "simsm/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Computes all metrics of docs/metrics.md. Fills the first `room` entries of `metrics` (NULL if
 * `room` is 0) and returns the number of metrics. Names, units and meanings are static texts.
 */
size_t simsm_metrics(const struct simsm_config *config, const struct simsm_stats *stats,
                     struct simsm_metric *metrics, size_t room);

/*
 * Returns the report with all its sections, as `simsm CONFIG TRACE --full` prints it. `config_name`
 * and `trace` name the input in its head. The caller frees the text with free(). Returns NULL if
 * memory runs out.
 */
char *simsm_report_text(const struct simsm_config *config, const struct simsm_stats *stats,
                        const char *config_name, const char *trace);

#ifdef __cplusplus
}
#endif

#endif
