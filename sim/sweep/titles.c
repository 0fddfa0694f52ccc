/* Metrics by name or by title. */
#include "sweep/titles.h"

#include <string.h>

#include "config/suggest.h"
#include "sweep/sweep_outcome.h"

const unsigned titles_usual[TITLES_USUAL] = {
    METRIC_CYCLES_ELAPSED,         METRIC_IPC_ACTIVE,
    METRIC_ISSUE_ACTIVE,           METRIC_OCCUPANCY_ACHIEVED,
    METRIC_ELIGIBLE_PER_SCHEDULER,
};

static const char *const titles[TITLES_USUAL] = {
    "cycles", "IPC", "issue active %", "achieved occ. %", "eligible warps",
};

int titles_metric(const char *name)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_describe(metrics);
    for (size_t i = 0; i < TITLES_USUAL; i++) {
        if (strcmp(titles[i], name) == 0)
            return (int)titles_usual[i];
    }
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (strcmp(metrics[i].name, name) == 0)
            return i;
    }
    return -1;
}

const char *titles_nearest(const char *name)
{
    const char *names[TITLES_USUAL + OUTCOME_METRICS + SIMSM_COUNTER_COUNT];
    struct simsm_metric metrics[OUTCOME_METRICS];
    size_t count = 0;
    outcome_describe(metrics);
    for (size_t i = 0; i < TITLES_USUAL; i++)
        names[count++] = titles[i];
    for (size_t i = 0; i < OUTCOME_METRICS; i++)
        names[count++] = metrics[i].name;
    for (size_t i = 0; i < SIMSM_COUNTER_COUNT; i++)
        names[count++] = simsm_counters[i].name;
    return suggest_nearest(name, names, count);
}

const char *titles_of(const char *name)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_describe(metrics);
    for (size_t i = 0; i < TITLES_USUAL; i++) {
        if (strcmp(metrics[titles_usual[i]].name, name) == 0)
            return titles[i];
    }
    return name;
}

const char *titles_unit(const char *name)
{
    struct simsm_metric metrics[OUTCOME_METRICS];
    outcome_describe(metrics);
    for (unsigned i = 0; i < OUTCOME_METRICS; i++) {
        if (strcmp(metrics[i].name, name) == 0)
            return metrics[i].unit;
    }
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++) {
        if (strcmp(simsm_counters[i].name, name) == 0)
            return simsm_counters[i].unit;
    }
    return NULL;
}
