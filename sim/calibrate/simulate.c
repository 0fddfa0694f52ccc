#include "calibrate/simulate.h"

#include <math.h>
#include <string.h>

#include "api/plan_run.h"
#include "base/err.h"
#include "report/metrics.h"

enum {
    MOST_CYCLES = 200 * 1000 * 1000
}; /* most cycles of a point; a longer point has gone wrong */

struct simulating {
    const struct point *point;
    const struct simsm_config *config;
    struct measured *measured;
    const char *why; /* why there is no result; NULL: there is one */
};

static enum simsm_status take(void *context, const struct plan_buffer *buffer, const uint8_t *bytes,
                              struct simsm_error *error)
{
    struct simulating *s = context;
    const struct result *result = &s->point->result;
    (void)error;
    if (result->take != TAKE_METRIC && strcmp(buffer->name, result->of) == 0)
        (void)result_take(result, &s->point->plan, bytes, s->measured, &s->why);
    return SIMSM_OK;
}

/* Counters that Nsight Compute takes of all users of L2. They are close to those of the SMs
 * where the SMs use L2 much, as in the points that take these counters. */
static const struct {
    const char *measured, *simulated;
} nearly[] = {
    {"lts__t_sectors_op_read.sum", "simsm__l2_sectors_read.sum"},
    {"lts__t_sectors_op_read_lookup_hit.sum", "simsm__l2_sectors_read_hit.sum"},
    {"lts__t_sectors_op_write.sum", "simsm__l2_sectors_written.sum"},
};

/* Returns the value of a counter or metric by its name, or NaN. */
static double metric(const struct simulating *s, const struct simsm_stats *stats)
{
    const char *name = s->point->result.metric;
    for (size_t i = 0; i < sizeof nearly / sizeof *nearly; i++)
        if (strcmp(name, nearly[i].measured) == 0)
            name = nearly[i].simulated;
    struct simsm_metric metrics[METRIC_COUNT];
    for (int i = 0; i < SIMSM_COUNTER_COUNT; i++)
        if (strcmp(simsm_counters[i].name, name) == 0)
            return (double)stats->counter[i];
    metrics_compute(s->config, stats, metrics);
    for (int i = 0; i < METRIC_COUNT; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return metrics[i].value;
    return NAN;
}

static void take_metric(void *context, const struct simsm_stats *stats)
{
    struct simulating *s = context;
    const struct result *result = &s->point->result;
    if (result->take != TAKE_METRIC)
        return;
    const double value = metric(s, stats);
    s->why = "the simulator has no such metric (simsm metrics lists them)";
    if (!isnan(value))
        (void)result_value(result, value, &s->measured->value, &s->why);
}

enum simsm_status simulate(const struct point *point, const char *cubin,
                           const struct simsm_config *config, int (*stop)(void),
                           struct measured *measured, struct simsm_error *error)
{
    struct simulating s = {point, config, measured, "the launch has not ended"};
    const struct launch_results results = {.take = take, .context = &s};
    const struct plan_run run = {.path = cubin,
                                 .config = config,
                                 .plan = &point->plan,
                                 .results = &results,
                                 .max_cycles = MOST_CYCLES,
                                 .stop = stop,
                                 .ended = take_metric,
                                 .context = &s};
    *measured = (struct measured){.value = 0.0};
    enum simsm_status status = plan_run(&run, NULL, error);
    if (status == SIMSM_LIMIT)
        return err_set(error, SIMSM_FAILED, "it takes more than %d million cycles",
                       MOST_CYCLES / 1000000);
    if (status == SIMSM_OK && s.why)
        return err_set(error, SIMSM_FAILED, "the result cannot be had: %s", s.why);
    return status;
}
