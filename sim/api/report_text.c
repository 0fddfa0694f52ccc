/* The public functions that turn statistics into metrics and text. */
#include "simsm/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/metrics.h"
#include "report/report.h"

size_t simsm_metrics(const struct simsm_config *config, const struct simsm_stats *stats,
                     struct simsm_metric *metrics, size_t room)
{
    struct simsm_metric all[METRIC_COUNT];
    const size_t count = room < METRIC_COUNT ? room : METRIC_COUNT;
    if (count) {
        metrics_compute(config, stats, all);
        memcpy(metrics, all, count * sizeof *metrics);
    }
    return METRIC_COUNT;
}

char *simsm_report_text(const struct simsm_config *config, const struct simsm_stats *stats,
                        const char *config_name, const char *trace)
{
    const struct run_info run = {.config_name = config_name,
                                 .trace = trace,
                                 .config = config,
                                 .stopped_by = stats->complete ? NULL : "the caller"};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    report_print(file, &run, stats, false);
    const bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}
