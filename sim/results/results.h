/*
 * What a file of results holds, as rows: one for each point of a sweep, with the values of what was
 * varied and of chosen metrics.
 */
#ifndef SIM_RESULTS_RESULTS_H
#define SIM_RESULTS_RESULTS_H

#include <stdbool.h>

#include "simsm/config.h"
#include "sweep/store.h"
#include "sweep/texts.h"

struct results_row {
    int64_t point, config_number;
    char *config, *kernel, *state, *reason, *function, *version; /* reason, function: or NULL */
    char *identity, *kind, *finished, *grid, *block; /* "40,1,1"; finished to block: or NULL */
    uint32_t launch;                                 /* from 1; 0: there is one */
    double wall_seconds, cpu_seconds, peak_bytes;
    struct texts settings; /* "key=value", varied and set */
    double *value;         /* [metrics] NaN: none */
};

/* A configuration that a row was simulated under. */
struct results_config {
    int64_t number;
    struct simsm_config config;
};

struct results {
    struct store *store;
    char *sweep;             /* the name of the one that is shown */
    struct texts varied;     /* keys, in the order of the spec */
    struct texts metrics;    /* names of chosen ones */
    struct results_row *row; /* [rows] */
    uint32_t rows;
    struct results_config *config; /* [configs] read so far */
    uint32_t configs;
    struct simsm_error damage; /* found while the configurations were read; status SIMSM_OK: none */
    char text[512];            /* of results_field */
};

/*
 * Reads the points of `sweep` (NULL: the only one) with the metrics of these names. Call
 * results_close whatever it returns.
 */
enum simsm_status results_open(struct results *results, const char *path, const char *sweep,
                               const struct texts *metrics, struct simsm_error *error);
void results_close(struct results *results);

/*
 * What a row has under a key: config, kernel, launch, state, function, version, point, a key of the
 * sweep, or any key of the complete configuration. NULL: nothing. Valid until the next call.
 */
const char *results_field(struct results *results, const struct results_row *row, const char *key);

/* Whether what results_field has read was whole: what it had nothing of may be damaged. */
enum simsm_status results_check_damage(const struct results *results, struct simsm_error *error);

/* Whether some row has the key. */
bool results_has(struct results *results, const char *key);

/* Keeps the rows whose `key` has one of the values in "key=a,b,c"; several calls combine. */
enum simsm_status results_where(struct results *results, const char *condition,
                                struct simsm_error *error);

/* The number of the metric of that name; -1: it was not chosen. */
int results_metric(const struct results *results, const char *name);

/* All metrics and counters that the file has, into *names. */
enum simsm_status results_all_metrics(const char *path, struct texts *names,
                                      struct simsm_error *error);

#endif
