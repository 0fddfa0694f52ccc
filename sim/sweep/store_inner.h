/* Shared by the files of the store. */
#ifndef SIM_SWEEP_STORE_INNER_H
#define SIM_SWEEP_STORE_INNER_H

#include "sweep/store.h"

enum store_statement {
#define STATEMENT(id, sql) STORE_##id,
#include "sweep/store_statements.def"
#undef STATEMENT
    STORE_STATEMENTS
};

enum { STORE_PATH = 4096 };

struct store {
    sqlite3 *database;
    sqlite3_stmt *statement[STORE_STATEMENTS]; /* prepared when first needed */
    int lock;                                  /* file descriptor; -1: opened for reading */
    int64_t metric[SIMSM_COUNTER_COUNT +
                   OUTCOME_METRICS]; /* rows of counters and metrics; 0: not looked up */
    char path[STORE_PATH], lock_path[STORE_PATH + 8];
};

/* Returns a statement, reset and ready for values. NULL if it cannot be prepared; store_fail() then
 * reports why. */
sqlite3_stmt *store_statement(struct store *store, enum store_statement which);

/* Executes SQL that returns no rows. */
enum simsm_status store_run(struct store *store, const char *sql, struct simsm_error *error);

#endif
