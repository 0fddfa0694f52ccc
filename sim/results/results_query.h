/* Questions to a file of results. What is damaged is an answer, too, wherever it shows. */
#ifndef SIM_RESULTS_RESULTS_QUERY_H
#define SIM_RESULTS_RESULTS_QUERY_H

#include <stdbool.h>

#include "sweep/store.h"

/* Prepares a question, which sqlite3_finalize ends; NULL: it failed, and *error says why. */
sqlite3_stmt *results_query(struct store *store, const char *sql, struct simsm_error *error);

/*
 * Whether the answer has another row, whose first `texts` columns are texts then. A file that turns
 * out to be damaged makes *status a failure; where it is one, nothing is asked.
 */
bool results_query_row(struct store *store, sqlite3_stmt *statement, int texts,
                       enum simsm_status *status, struct simsm_error *error);

/* Whether the text in the first column has the hash in the second; otherwise *error says that it is
 * damaged. */
bool results_query_check_hash(struct store *store, sqlite3_stmt *statement,
                              struct simsm_error *error);

#endif
