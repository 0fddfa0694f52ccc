/* The short form of a sweep: one trace under every combination of the values of some keys. The
 * results stay in memory. */
#ifndef SIM_SWEEP_VARIANTS_H
#define SIM_SWEEP_VARIANTS_H

#include "sweep/space.h"
#include "sweep/sweep_outcome.h"

enum { VARIANTS_KEYS = 8, VARIANTS_PARAMS = 64, VARIANTS_POINTS = 100000 };

/* The result of a point. */
struct variants_point {
    enum simsm_status status;
    struct simsm_error error; /* if status is not SIMSM_OK; without a message: not begun */
    double metric[METRIC_COUNT];
};

/* Begins as {0} with `config`, `trace`, `params` and `max_cycles` set; variants_free() ends it. */
struct variants {
    const struct simsm_config *config;
    const char *trace;
    const char *const *params; /* [param_count] "name=value", for all points */
    size_t param_count;
    uint64_t max_cycles;
    struct sweep_axes axes;
    struct variants_point *point; /* [points] the last axis varies fastest */
    uint32_t points;
};

/* Adds an axis from "key=a,b,c" or "key=from:to:step" (both ends included). Returns SIMSM_BAD_INPUT
 * if the text is wrong or the key is given twice. */
enum simsm_status variants_add(struct variants *variants, const char *text,
                               struct simsm_error *error);

/* Returns the value of axis `axis` at point `point`. */
const char *variants_value(const struct variants *variants, uint32_t point, uint32_t axis);

/* Checks all values before anything runs and sets `points`. Returns SIMSM_BAD_INPUT if a key cannot
 * take a value or no point can open the trace. */
enum simsm_status variants_prepare(struct variants *variants, struct simsm_error *error);

/* How the points are simulated. */
struct variants_workers {
    uint32_t jobs;
    int (*stop)(void); /* as in struct workers */
    /* Called after each point with the number of ended points. NULL: not called. */
    void (*ended)(const struct variants *variants, uint32_t ended);
};

/*
 * Simulates all points, each in a process of its own. Call variants_prepare() before. A failed
 * point keeps its error, and the first failure is returned. Returns SIMSM_INTERRUPTED if the run
 * was stopped.
 */
enum simsm_status variants_run(struct variants *variants, const struct variants_workers *workers,
                               struct simsm_error *error);

void variants_free(struct variants *variants);

#endif
