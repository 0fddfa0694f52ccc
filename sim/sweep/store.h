/*
 * The results of sweeps in one SQLite file (docs/sweeps.md has its tables). One process writes;
 * any number may read meanwhile. All functions fill *error and return its status on failure.
 */
#ifndef SIM_SWEEP_STORE_H
#define SIM_SWEEP_STORE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"
#include "sweep/sweep_outcome.h"
#include "sweep/texts.h"

enum { STORE_SCHEMA = 1 };

struct store;

/*
 * Opens the file for writing, and makes it if it is not there. Another process that writes to the
 * same file is a failure. Call store_close.
 */
enum simsm_status store_open(struct store **store, const char *path, struct simsm_error *error);

/* The same for a disk that is another machine's: without write-ahead mode, for which all readers
 * need memory in common. */
enum simsm_status store_open_shared(struct store **store, const char *path,
                                    struct simsm_error *error);

/* Tables in memory alone. */
enum simsm_status store_open_memory(struct store **store, struct simsm_error *error);

/* Opens a file that is there, to read only. */
enum simsm_status store_read(struct store **store, const char *path, struct simsm_error *error);

/* NULL is allowed. What is not committed is lost. */
void store_close(struct store *store);

/* Fails if the file is damaged. */
enum simsm_status store_check(struct store *store, struct simsm_error *error);

enum simsm_status store_begin(struct store *store, struct simsm_error *error);
enum simsm_status store_commit(struct store *store, struct simsm_error *error);

/* A file that points are computed from. */
struct store_input {
    const char *role, *path, *hash; /* path: absolute */
    uint64_t bytes;
};

/* What makes a point what it is; the same identity is the same point. */
struct store_point {
    const char *identity;            /* SHA-256 */
    const char *version;             /* of simsm */
    const char *kind;                /* "trace", "code" or "program" */
    int64_t config;                  /* store_config */
    uint32_t launch;                 /* from 1; 0: there is one */
    const char *arguments;           /* parameters or arguments and environment, one a line */
    const char *folder;              /* in which a program runs, absolute; NULL: it is none */
    const struct store_input *input; /* [inputs] */
    uint32_t inputs;
};

enum store_state { STORE_WAITING, STORE_DONE, STORE_FAILED };

extern const char *const store_states[];

/* The number of a complete configuration. */
enum simsm_status store_config(struct store *store, const char *hash, const char *text,
                               int64_t *number, struct simsm_error *error);

/* The number of a point and what has become of it; a new one waits. */
enum simsm_status store_point(struct store *store, const struct store_point *point, int64_t *number,
                              enum store_state *state, struct simsm_error *error);

/* A sweep of that name begins anew: it has no members. */
enum simsm_status store_sweep(struct store *store, const char *name, const char *spec,
                              const char *text, int64_t *number, struct simsm_error *error);

/* How a sweep calls one of its points. */
struct store_member {
    int64_t sweep, point;
    const char *config, *kernel;
    const struct texts *varied, *set; /* "key=value" */
};

enum simsm_status store_member(struct store *store, const struct store_member *member,
                               struct simsm_error *error);

/* The point has been simulated to its end, or (reason not NULL) has failed. */
enum simsm_status store_outcome(struct store *store, int64_t point,
                                const struct sweep_outcome *outcome, const char *reason,
                                struct simsm_error *error);

/* The point waits again. */
enum simsm_status store_set_waiting(struct store *store, int64_t point, struct simsm_error *error);

/* The connection, for those who ask questions of their own. */
sqlite3 *store_database(struct store *store);

/* A failure of SQLite, with what it was about; returns SIMSM_FAILED. */
enum simsm_status store_fail(struct store *store, const char *what, struct simsm_error *error);

/* What is in the file cannot be; returns SIMSM_FAILED. */
enum simsm_status store_damaged(const struct store *store, const char *what,
                                struct simsm_error *error);

#endif
