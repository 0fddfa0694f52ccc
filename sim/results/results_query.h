/* SQL queries on a file of results. Damage in the file becomes an error. */
#ifndef SIM_RESULTS_RESULTS_QUERY_H
#define SIM_RESULTS_RESULTS_QUERY_H

#include <stdbool.h>

#include "sweep/store.h"

/* Prepares a query. sqlite3_finalize() ends it. Returns NULL and fills *error if that fails. */
sqlite3_stmt *results_query(struct store *store, const char *sql, struct simsm_error *error);

/*
 * Steps to the next row of the query and returns whether there is one. The first `texts` columns of
 * a row are never NULL. Sets *status and *error if the file turns out to be damaged. Returns false
 * at once if *status is a failure.
 */
bool results_query_row(struct store *store, sqlite3_stmt *statement, int texts,
                       enum simsm_status *status, struct simsm_error *error);

/* Returns whether the text in column 0 has the SHA-256 in column 1. If not, fills *error: the file
 * is damaged. */
bool results_query_check_hash(struct store *store, sqlite3_stmt *statement,
                              struct simsm_error *error);

#endif
