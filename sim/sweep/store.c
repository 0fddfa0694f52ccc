/* Opens, creates, checks and locks the file of results. */
#include "sweep/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "sweep/store_inner.h"
#include "sweep/store_schema.h"

const char *const store_states[] = {"waiting", "done", "failed"};

/* BUSY_MS: milliseconds to wait for another connection. DATABASE_HEAD: bytes of the head of an
 * SQLite file. */
enum { BUSY_MS = 20000, DATABASE_HEAD = 100 };

sqlite3 *store_database(struct store *store)
{
    return store->database;
}

enum simsm_status store_damaged(const struct store *store, const char *what,
                                struct simsm_error *error)
{
    return err_at(error, SIMSM_FAILED, store->path, 0, 0, "the file is damaged: %s", what);
}

static bool is_damaged(struct store *store)
{
    const int code = sqlite3_errcode(store->database);
    return code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
}

enum simsm_status store_fail(struct store *store, const char *what, struct simsm_error *error)
{
    const char *why = store->database ? sqlite3_errmsg(store->database) : "out of memory";
    if (store->database && is_damaged(store))
        return store_damaged(store, why, error);
    return err_at(error, SIMSM_FAILED, store->path, 0, 0, "%s: %s", what, why);
}

enum simsm_status store_run(struct store *store, const char *sql, struct simsm_error *error)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK
               ? SIMSM_OK
               : store_fail(store, "the results cannot be written", error);
}

sqlite3_stmt *store_statement(struct store *store, enum store_statement which)
{
    static const char *const texts[STORE_STATEMENTS] = {
#define STATEMENT(id, sql) (sql),
#include "sweep/store_statements.def"
#undef STATEMENT
    };
    sqlite3_stmt **statement = &store->statement[which];
    if (!*statement)
        (void)sqlite3_prepare_v3(store->database, texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                 statement, NULL);
    else
        (void)sqlite3_reset(*statement);
    return *statement;
}

/* Returns the number that a PRAGMA or query gives; -1 if it fails. */
static int64_t pragma(struct store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return number;
}

/* Locks the results for this writer, with a lock on the file "RESULTS.lock". The kernel releases
 * the lock when the process ends. Returns SIMSM_FAILED if another process holds it. */
static enum simsm_status lock(struct store *store, struct simsm_error *error)
{
    (void)snprintf(store->lock_path, sizeof store->lock_path, "%s.lock", store->path);
    for (;;) {
        struct stat open_file, named;
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (store->lock < 0)
            return err_at(error, SIMSM_BAD_INPUT, store->lock_path, 0, 0, "cannot be written: %s",
                          strerror(errno));
        if (fcntl(store->lock, F_SETLK, &whole) != 0) {
            (void)close(store->lock);
            store->lock = -1;
            return err_at(error, SIMSM_FAILED, store->path, 0, 0,
                          "another sweep is writing these results; wait for its end, or name "
                          "another file of results");
        }
        /* The previous holder may have removed the file after open(). */
        if (fstat(store->lock, &open_file) == 0 && stat(store->lock_path, &named) == 0 &&
            open_file.st_ino == named.st_ino)
            return SIMSM_OK;
        (void)close(store->lock);
    }
}

static enum simsm_status create(struct store *store, struct simsm_error *error)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                   STORE_APPLICATION, STORE_SCHEMA);
    enum simsm_status status = store_run(store, "BEGIN IMMEDIATE", error);
    if (status == SIMSM_OK)
        status = store_run(store, store_schema, error);
    if (status == SIMSM_OK)
        status = store_run(store, sql, error);
    return status == SIMSM_OK ? store_run(store, "COMMIT", error) : status;
}

/* Returns how many bytes of the head of an SQLite database the file has, at most DATABASE_HEAD; 0
 * if it is another file. */
static size_t database_head(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char head[DATABASE_HEAD];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        (void)fclose(file);
    return memcmp(head, magic, size < sizeof magic ? size : sizeof magic) == 0 ? size : 0;
}

/* Fills *error after SQLite could not read the head of the file. */
static enum simsm_status fail_kind(struct store *store, struct simsm_error *error)
{
    if (sqlite3_errcode(store->database) == SQLITE_NOTADB && !database_head(store->path))
        return err_at(error, SIMSM_BAD_INPUT, store->path, 0, 0,
                      "is not a file of results of `simsm sweep`");
    return store_fail(store, "the results cannot be read", error);
}

static enum simsm_status check_kind(struct store *store, struct simsm_error *error)
{
    const int64_t application = pragma(store, "PRAGMA application_id");
    if (application < 0)
        return fail_kind(store, error);
    const int64_t version = pragma(store, "PRAGMA user_version");
    const size_t head = database_head(store->path);
    if (head && head < DATABASE_HEAD)
        return store_damaged(store, "it is cut off after its first bytes", error);
    if (application != STORE_APPLICATION)
        return err_at(error, SIMSM_BAD_INPUT, store->path, 0, 0,
                      "is not a file of results of `simsm sweep`");
    if (version != STORE_SCHEMA)
        return err_at(error, SIMSM_BAD_INPUT, store->path, 0, 0,
                      "has tables of version %lld; this simsm reads version %d", (long long)version,
                      STORE_SCHEMA);
    return SIMSM_OK;
}

static enum simsm_status open_file(struct store *store, const char *path, int flags,
                                   struct simsm_error *error)
{
    if (sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK)
        return SIMSM_OK;
    (void)store_fail(store, "cannot be opened", error);
    return error->status = SIMSM_BAD_INPUT;
}

/* Creates new results under another name and renames them: a reader, or a sweep after a crash,
 * finds all tables or no file. */
static enum simsm_status begin_beside(struct store *store, struct simsm_error *error)
{
    struct stat known;
    char path[sizeof store->path + 8], journal[sizeof path + 8];
    if (stat(store->path, &known) == 0 && known.st_size > 0)
        return SIMSM_OK;
    (void)snprintf(path, sizeof path, "%s.new", store->path);
    (void)snprintf(journal, sizeof journal, "%s-journal", path);
    (void)unlink(path);
    (void)unlink(journal);
    enum simsm_status status =
        open_file(store, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    if (status == SIMSM_OK)
        status = create(store, error);
    (void)sqlite3_close(store->database);
    store->database = NULL;
    if (status == SIMSM_OK && rename(path, store->path) != 0)
        status = err_at(error, SIMSM_BAD_INPUT, store->path, 0, 0, "cannot be written: %s",
                        strerror(errno));
    if (status != SIMSM_OK)
        (void)unlink(path);
    return status;
}

static enum simsm_status connect_to(struct store *store, const char *path, int flags,
                                    struct simsm_error *error)
{
    store->lock = -1;
    if ((size_t)snprintf(store->path, sizeof store->path, "%s", path) >= sizeof store->path)
        return err_set(error, SIMSM_BAD_INPUT, "the file name of the results is too long");
    struct stat known;
    if (stat(path, &known) == 0 && !S_ISREG(known.st_mode))
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      S_ISDIR(known.st_mode) ? "is a directory, not a file of results"
                                             : "is not a regular file, as results must be");
    if (flags & SQLITE_OPEN_CREATE) {
        enum simsm_status status = lock(store, error);
        if (status == SIMSM_OK)
            status = begin_beside(store, error);
        if (status != SIMSM_OK)
            return status;
    }
    enum simsm_status status = open_file(store, path, flags, error);
    if (status == SIMSM_OK)
        (void)sqlite3_busy_timeout(store->database, BUSY_MS);
    return status;
}

/* Prepares an open connection for writing. `journal` sets its journal mode. */
static enum simsm_status prepare(struct store *store, const char *journal,
                                 struct simsm_error *error)
{
    const bool is_new = pragma(store, "SELECT count(*) FROM sqlite_master") == 0;
    enum simsm_status status = is_new ? SIMSM_OK : check_kind(store, error);
    if (status == SIMSM_OK)
        status = store_run(store, journal, error);
    if (is_new && status == SIMSM_OK)
        status = create(store, error);
    /* synchronous = FULL: committed results survive a power failure */
    return status == SIMSM_OK
               ? store_run(store, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", error)
               : status;
}

/* Sets *result to the store if `status` is SIMSM_OK; otherwise closes the store. */
static enum simsm_status finish_open(struct store **result, struct store *store,
                                     enum simsm_status status)
{
    if (status == SIMSM_OK)
        *result = store;
    else
        store_close(store);
    return status;
}

static enum simsm_status open_with(struct store **result, const char *path, int flags,
                                   const char *journal, struct simsm_error *error)
{
    struct store *store = calloc(1, sizeof *store);
    *result = NULL;
    if (!store)
        return err_no_memory(error);
    enum simsm_status status = connect_to(store, path, flags, error);
    if (status == SIMSM_OK)
        status = prepare(store, journal, error);
    return finish_open(result, store, status);
}

enum simsm_status store_open(struct store **result, const char *path, struct simsm_error *error)
{
    return open_with(result, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                     "PRAGMA journal_mode = WAL", error);
}

enum simsm_status store_open_shared(struct store **result, const char *path,
                                    struct simsm_error *error)
{
    return open_with(result, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                     "PRAGMA journal_mode = DELETE", error);
}

enum simsm_status store_open_memory(struct store **result, struct simsm_error *error)
{
    return open_with(result, ":memory:", SQLITE_OPEN_READWRITE, "PRAGMA journal_mode = MEMORY",
                     error);
}

enum simsm_status store_read(struct store **result, const char *path, struct simsm_error *error)
{
    *result = NULL;
    if (access(path, R_OK) != 0)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be read: %s", strerror(errno));
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return err_no_memory(error);
    enum simsm_status status = connect_to(store, path, SQLITE_OPEN_READONLY, error);
    if (status == SIMSM_OK)
        status = check_kind(store, error);
    return finish_open(result, store, status);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    for (unsigned i = 0; i < STORE_STATEMENTS; i++)
        (void)sqlite3_finalize(store->statement[i]);
    /* Leaves the write-ahead mode, so that the results are one file that can be read on a read-only
     * disk. Fails, which does no harm, while another process reads. */
    if (store->lock >= 0 && store->database) {
        (void)sqlite3_busy_timeout(store->database, 0);
        (void)sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    (void)sqlite3_close(store->database);
    if (store->lock >= 0) {
        (void)unlink(store->lock_path);
        (void)close(store->lock);
    }
    free(store);
}

enum simsm_status store_check(struct store *store, struct simsm_error *error)
{
    sqlite3_stmt *statement = NULL;
    const char *found = NULL;
    enum simsm_status status = SIMSM_OK;
    if (sqlite3_prepare_v2(store->database, "PRAGMA integrity_check", -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        found = (const char *)sqlite3_column_text(statement, 0);
    if (!found || strcmp(found, "ok") != 0)
        status = store_damaged(store, found ? found : sqlite3_errmsg(store->database), error);
    (void)sqlite3_finalize(statement);
    return status;
}

enum simsm_status store_begin(struct store *store, struct simsm_error *error)
{
    return store_run(store, "BEGIN IMMEDIATE", error);
}

enum simsm_status store_commit(struct store *store, struct simsm_error *error)
{
    return store_run(store, "COMMIT", error);
}
