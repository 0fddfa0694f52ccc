/* The points of a sweep as rows, with the values of the varied keys and of chosen metrics. */
#ifndef SIM_RESULTS_RESULTS_H
#define SIM_RESULTS_RESULTS_H

#include <stdbool.h>

#include "simsm/config.h"
#include "sweep/store.h"
#include "sweep/texts.h"

/* A point as a member of the sweep. */
struct results_row {
    int64_t point, config_number;
    char *config, *kernel, *state, *reason, *function, *version; /* reason, function: may be NULL */
    char *identity, *kind, *finished, *grid,
        *block;      /* grid: "40,1,1"; finished, grid, block: may be NULL */
    uint32_t launch; /* from 1; 0: the file has one launch */
    double wall_seconds, cpu_seconds, peak_bytes;
    struct texts settings; /* "key=value": varied and set keys */
    double *value;         /* [results.metrics.count]; NaN: none */
};

/* A configuration of some rows, with its number in the file. */
struct results_config {
    int64_t number;
    struct simsm_config config;
};

/* The points of a sweep. Begins with results_open(); results_close() ends it. */
struct results {
    struct store *store;
    char *sweep;             /* name of the sweep that is read */
    struct texts varied;     /* varied keys, in the order of the spec */
    struct texts metrics;    /* names of the chosen metrics */
    struct results_row *row; /* [rows] */
    uint32_t rows;
    struct results_config *config; /* [configs] those read so far */
    uint32_t configs;
    struct simsm_error damage; /* damage found while configurations were read; SIMSM_OK: none */
    char text[512];            /* memory of results_field() */
};

/*
 * Opens the file and reads the points of `sweep` with the metrics of these names. `sweep` NULL: the
 * only sweep of the file. Returns SIMSM_BAD_INPUT if the sweep or a metric is unknown. Call
 * results_close() whatever it returns.
 */
enum simsm_status results_open(struct results *results, const char *path, const char *sweep,
                               const struct texts *metrics, struct simsm_error *error);

/* Frees the rows and closes the file. */
void results_close(struct results *results);

/*
 * Returns the value of a row under a key: config, kernel, launch, state, function, version, kind,
 * point, a key of the sweep, or any key of the complete configuration. NULL if the row has no such
 * value. Valid until the next call.
 */
const char *results_field(struct results *results, const struct results_row *row, const char *key);

/* Returns whether results_field() has met damage so far; then *error describes it. Needed because
 * results_field() returns NULL for a damaged value as well. */
enum simsm_status results_check_damage(const struct results *results, struct simsm_error *error);

/* Returns whether some row has a value under the key. */
bool results_has(struct results *results, const char *key);

/* Keeps the rows whose `key` has one of the values in "key=a,b,c", and frees the others. Several
 * calls combine. Returns SIMSM_BAD_INPUT if the key is unknown or no row matches. */
enum simsm_status results_where(struct results *results, const char *condition,
                                struct simsm_error *error);

/* Returns the index of a metric in results.metrics; -1 if it was not chosen. */
int results_metric(const struct results *results, const char *name);

/* Adds the names of all metrics and counters in the file to *names. */
enum simsm_status results_all_metrics(const char *path, struct texts *names,
                                      struct simsm_error *error);

#endif
