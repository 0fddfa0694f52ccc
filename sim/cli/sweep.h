/* A sweep: one trace under every combination of some keys' values. */
#ifndef SIM_CLI_SWEEP_H
#define SIM_CLI_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/metrics.h"
#include "simsm/simsm.h"

enum { SWEEP_MAX_KEYS = 8, SWEEP_MAX_PARAMS = 64, SWEEP_MAX_POINTS = 100000 };

/* A key and the values that it takes. "param.NAME" is a parameter of the trace. */
struct sweep_key {
    char *text; /* "key\0a\0b\0c\0", owned */
    const char *name;
    const char **value; /* [count], into text; owned array */
    uint32_t count;
};

struct sweep_point {
    enum simsm_status status;
    struct simsm_error error; /* where status is not SIMSM_OK */
    struct simsm_metric metric[METRIC_COUNT];
};

struct sweep {
    const struct simsm_config *config;
    const char *trace;
    const char *const *params; /* [param_count] "name=value" for all points */
    size_t param_count;
    uint64_t max_cycles;
    struct sweep_key key[SWEEP_MAX_KEYS];
    uint32_t keys;
    struct sweep_point *point; /* [points], owned; the last key varies fastest */
    uint32_t points;
};

/* Adds "key=a,b,c" or "key=from:to:step" (both ends included). */
enum simsm_status sweep_vary(struct sweep *sweep, const char *text, struct simsm_error *error);

/* The value of key `key` at point `point`. */
const char *sweep_value(const struct sweep *sweep, uint32_t point, uint32_t key);

/*
 * Checks every value before anything runs: a value that its key cannot take, or a trace that no
 * point can open, is an error here. Sets `points`.
 */
enum simsm_status sweep_prepare(struct sweep *sweep, struct simsm_error *error);

/*
 * Runs all points on `jobs` threads, after sweep_prepare. Each point is a simulation of its own, so
 * the results do not depend on their number. A point that fails keeps its error; the status is the
 * first one's. `on_point` is called after each, from one thread at a time, with the number
 * finished.
 */
enum simsm_status sweep_run(struct sweep *sweep, uint32_t jobs,
                            void (*on_point)(const struct sweep *sweep, uint32_t finished),
                            struct simsm_error *error);

void sweep_free(struct sweep *sweep);

#endif
