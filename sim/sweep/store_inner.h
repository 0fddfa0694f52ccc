/* What the files of the store share. */
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
    sqlite3_stmt *statement[STORE_STATEMENTS]; /* made when they are first needed */
    int lock;                                  /* file; -1: reads only */
    int64_t
        metric[SIMSM_COUNTER_COUNT + OUTCOME_METRICS]; /* numbers of their rows; 0: not yet known */
    char path[STORE_PATH], lock_path[STORE_PATH + 8];
};

/* Ready to be bound and stepped; NULL: it cannot be made, which store_fail explains. */
sqlite3_stmt *store_statement(struct store *store, enum store_statement which);

enum simsm_status store_run(struct store *store, const char *sql, struct simsm_error *error);

#endif
