/* The short form of a sweep: one trace under every combination of some keys' values, kept in
 * memory. */
#ifndef SIM_SWEEP_VARIANTS_H
#define SIM_SWEEP_VARIANTS_H

#include "sweep/space.h"
#include "sweep/sweep_outcome.h"

enum { VARIANTS_KEYS = 8, VARIANTS_PARAMS = 64, VARIANTS_POINTS = 100000 };

struct variants_point {
    enum simsm_status status;
    struct simsm_error error; /* where status is not SIMSM_OK; no message: it was not begun */
    double metric[METRIC_COUNT];
};

/* Begins as {0} with `config`, `trace`, `params` and `max_cycles` set; variants_free ends it. */
struct variants {
    const struct simsm_config *config;
    const char *trace;
    const char *const *params; /* [param_count] "name=value" for all points */
    size_t param_count;
    uint64_t max_cycles;
    struct sweep_axes axes;
    struct variants_point *point; /* [points]; the last axis varies fastest */
    uint32_t points;
};

/* Adds "key=a,b,c" or "key=from:to:step" (both ends included). */
enum simsm_status variants_add(struct variants *variants, const char *text,
                               struct simsm_error *error);

/* The value of axis `axis` at point `point`. */
const char *variants_value(const struct variants *variants, uint32_t point, uint32_t axis);

/*
 * Checks every value before anything runs: a value that its key cannot take, or a trace that no
 * point can open, is an error here. Sets `points`.
 */
enum simsm_status variants_prepare(struct variants *variants, struct simsm_error *error);

struct variants_workers {
    uint32_t jobs;
    int (*stop)(void); /* as workers.stop */
    /* After each point, with the number that have ended. NULL: nobody wants it. */
    void (*ended)(const struct variants *variants, uint32_t ended);
};

/*
 * Runs all points, each in a process of its own, after variants_prepare. A point that fails keeps
 * its error; the status is the first one's. SIMSM_INTERRUPTED: stopped, and some points with it.
 */
enum simsm_status variants_run(struct variants *variants, const struct variants_workers *workers,
                               struct simsm_error *error);

void variants_free(struct variants *variants);

#endif
