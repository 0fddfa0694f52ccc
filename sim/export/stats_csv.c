#include <math.h>

#include "export/export.h"
#include "report/metrics.h"

/* Writes a field as RFC 4180 defines it. Fields may hold commas but no line breaks. */
static void field(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

/* The columns before those of the metric: of a file with several launches, the launch. */
static void place(FILE *file, const struct run_info *run, const struct simsm_stats *stats)
{
    if (!run)
        return;
    (void)fprintf(file, "%llu,", (unsigned long long)run->number);
    field(file, stats->launch.name);
    (void)fputc(',', file);
}

/* `run`: of the columns of the launch; NULL: the file has none. */
static void write_rows(FILE *file, const struct run_info *run, bool shared,
                       const struct simsm_metric metrics[METRIC_COUNT],
                       const struct simsm_stats *stats)
{
    place(file, run, stats);
    (void)fprintf(file, "simsm__complete,,%d,", stats->complete);
    field(file,
          "1: the kernel ran to its end; 0: it was stopped before, and all rows are of that part");
    (void)fputc('\n', file);
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++) {
        if (shared && !stats->counter[i])
            continue; /* not known */
        place(file, run, stats);
        (void)fprintf(file, "%s,%s,%llu,", simsm_counters[i].name, simsm_counters[i].unit,
                      (unsigned long long)stats->counter[i]);
        field(file, simsm_counters[i].meaning);
        (void)fputc('\n', file);
    }
    for (unsigned i = 0; i < METRIC_COUNT; i++) {
        place(file, run, stats);
        (void)fprintf(file, "%s,%s,", metrics[i].name, metrics[i].unit);
        if (!isnan(metrics[i].value))
            (void)fprintf(file, "%.15g", metrics[i].value);
        (void)fputc(',', file);
        field(file, metrics[i].meaning);
        (void)fputc('\n', file);
    }
}

enum simsm_status export_csv(FILE *file, const struct run_info *run,
                             const struct simsm_stats *stats, struct simsm_error *error)
{
    (void)error;
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(run->config, stats, metrics);
    (void)fprintf(file, "metric,unit,value,description\n");
    write_rows(file, NULL, run->shared, metrics, stats);
    return SIMSM_OK;
}

void export_csv_header(FILE *file)
{
    (void)fprintf(file, "launch,kernel,metric,unit,value,description\n");
}

enum simsm_status export_csv_launch(FILE *file, const struct run_info *run,
                                    const struct simsm_stats *stats, struct simsm_error *error)
{
    (void)error;
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(run->config, stats, metrics);
    write_rows(file, run, run->shared, metrics, stats);
    return SIMSM_OK;
}
