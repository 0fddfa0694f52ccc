/*
 * The file of results: an SQLite database (its tables are in docs/sweeps.md). One process writes;
 * any number of processes may read meanwhile. On failure the functions fill *error and return its
 * status.
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

/* Opens the file for writing and creates it if it does not exist. Returns SIMSM_FAILED if another
 * process writes to it. Call store_close(). */
enum simsm_status store_open(struct store **store, const char *path, struct simsm_error *error);

/* Does the same for a file on a disk that other machines use. Avoids the write-ahead mode, in which
 * all readers need shared memory. */
enum simsm_status store_open_shared(struct store **store, const char *path,
                                    struct simsm_error *error);

/* Creates the tables in memory only. */
enum simsm_status store_open_memory(struct store **store, struct simsm_error *error);

/* Opens an existing file for reading. */
enum simsm_status store_read(struct store **store, const char *path, struct simsm_error *error);

/* Closes the store; NULL is allowed. An open transaction is lost. */
void store_close(struct store *store);

/* Returns SIMSM_FAILED if the file is damaged. */
enum simsm_status store_check(struct store *store, struct simsm_error *error);

/* Begins a transaction. */
enum simsm_status store_begin(struct store *store, struct simsm_error *error);

/* Commits the transaction. */
enum simsm_status store_commit(struct store *store, struct simsm_error *error);

/* An input file of a point. */
struct store_input {
    const char *role, *path, *hash; /* path: absolute; hash: SHA-256 */
    uint64_t bytes;
};

/* What identifies a point. Two points with the same identity are the same point. */
struct store_point {
    const char *identity;            /* SHA-256 of the others, without `folder` */
    const char *version;             /* sweep_version */
    const char *kind;                /* "trace", "code" or "program" */
    int64_t config;                  /* from store_config() */
    uint32_t launch;                 /* from 1; 0: a file with one launch */
    const char *arguments;           /* parameters, or arguments and environment, one per line */
    const char *folder;              /* where a program runs, absolute; NULL: no program */
    const struct store_input *input; /* [inputs] */
    uint32_t inputs;
};

/* The state of a point. */
enum store_state { STORE_WAITING, STORE_DONE, STORE_FAILED };

/* The names of the states in the file, by enum store_state. */
extern const char *const store_states[];

/* Sets *number to the row of a complete configuration; adds it if it is new. */
enum simsm_status store_config(struct store *store, const char *hash, const char *text,
                               int64_t *number, struct simsm_error *error);

/* Sets *number to the row of a point and *state to its state. Adds a new point, which waits. */
enum simsm_status store_point(struct store *store, const struct store_point *point, int64_t *number,
                              enum store_state *state, struct simsm_error *error);

/* Adds a sweep, or begins an existing sweep of this name again: it then has no members. Sets
 * *number to its row. */
enum simsm_status store_sweep(struct store *store, const char *name, const char *spec,
                              const char *text, int64_t *number, struct simsm_error *error);

/* A point as a member of a sweep, with the names that the sweep uses. */
struct store_member {
    int64_t sweep, point;
    const char *config, *kernel;
    const struct texts *varied, *set; /* "key=value" */
};

/* Adds a member to a sweep. */
enum simsm_status store_member(struct store *store, const struct store_member *member,
                               struct simsm_error *error);

/* Stores the result of a point: done if `reason` is NULL, otherwise failed. */
enum simsm_status store_outcome(struct store *store, int64_t point,
                                const struct sweep_outcome *outcome, const char *reason,
                                struct simsm_error *error);

/* Sets the state of a point to waiting. */
enum simsm_status store_set_waiting(struct store *store, int64_t point, struct simsm_error *error);

/* Returns the database connection, for queries. */
sqlite3 *store_database(struct store *store);

/* Fills *error with the last failure of SQLite; `what` begins the message. Returns SIMSM_FAILED. */
enum simsm_status store_fail(struct store *store, const char *what, struct simsm_error *error);

/* Fills *error with a message that the file is damaged; `what` says how. Returns SIMSM_FAILED. */
enum simsm_status store_damaged(const struct store *store, const char *what,
                                struct simsm_error *error);

#endif
