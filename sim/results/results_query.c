/* SQL queries on the file of results, with checks for damage. */
#include "results/results_query.h"

#include <string.h>

#include "sweep/hash.h"

sqlite3_stmt *results_query(struct store *store, const char *sql, struct simsm_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store_database(store), sql, -1, &statement, NULL) != SQLITE_OK)
        (void)store_fail(store, "the results cannot be read", error);
    return statement;
}

bool results_query_row(struct store *store, sqlite3_stmt *statement, int texts,
                       enum simsm_status *status, struct simsm_error *error)
{
    if (*status != SIMSM_OK)
        return false;
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE)
        return false;
    if (code != SQLITE_ROW) {
        *status = store_fail(store, "the results cannot be read", error);
        return false;
    }
    /* The schema forbids NULL in these columns, but a damaged byte can make one. */
    for (int i = 0; i < texts && *status == SIMSM_OK; i++) {
        if (!sqlite3_column_text(statement, i))
            *status = store_damaged(store, "a row lacks a text", error);
    }
    return *status == SIMSM_OK;
}

bool results_query_check_hash(struct store *store, sqlite3_stmt *statement,
                              struct simsm_error *error)
{
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    const char *hash = (const char *)sqlite3_column_text(statement, 1);
    char is[HASH_TEXT];
    hash_bytes(text, strlen(text), is);
    if (strcmp(is, hash) == 0)
        return true;
    (void)store_damaged(store, "a configuration differs from what was written", error);
    return false;
}
