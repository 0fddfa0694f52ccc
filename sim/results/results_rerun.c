/* Writes the commands and the configuration that repeat a point. */
#include "results/results_rerun.h"

#include <string.h>

#include "base/err.h"
#include "results/results_query.h"
#include "sweep/hash.h"
#include "sweep/version.h"

static const char point_sql[] =
    "SELECT c.text, c.hash, p.version, p.kind, p.arguments, p.state, p.launch, p.folder, p.reason"
    " FROM point p JOIN config c ON c.id = p.config WHERE p.id = ?1";

enum { TEXT, HASH, VERSION, KIND, ARGUMENTS, STATE, LAUNCH, FOLDER, REASON };

/* Returns the row of a point. NULL and *error if there is none, or its configuration is damaged.
 * sqlite3_finalize() frees it. */
static sqlite3_stmt *find(struct store *store, const char *path, int64_t point,
                          struct simsm_error *error)
{
    sqlite3_stmt *statement = results_query(store, point_sql, error);
    enum simsm_status status = SIMSM_OK;
    if (!statement)
        return NULL;
    (void)sqlite3_bind_int64(statement, 1, point);
    const bool found = results_query_row(store, statement, STATE + 1, &status, error);
    if (found && results_query_check_hash(store, statement, error))
        return statement;
    (void)sqlite3_finalize(statement);
    if (status == SIMSM_OK && !found)
        (void)err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "has no point %lld", (long long)point);
    return NULL;
}

static const char *text_of(sqlite3_stmt *statement, int column)
{
    return (const char *)sqlite3_column_text(statement, column);
}

/* Writes a word of `length` characters, quoted if a shell needs it. */
static void quote(FILE *file, const char *word, size_t length)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%";
    if (length && strspn(word, plain) >= length) {
        (void)fwrite(word, 1, length, file);
        return;
    }
    (void)fputc('\'', file);
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\'')
            (void)fputs("'\\'", file);
        (void)fputc(word[i], file);
    }
    (void)fputc('\'', file);
}

/* Returns whether the point stands for all launches (`sample` in the spec). */
static bool is_sample(sqlite3_stmt *row)
{
    const char *arguments = text_of(row, ARGUMENTS), *line = strstr(arguments, "sample all\n");
    return line && (line == arguments || line[-1] == '\n');
}

/* Writes the lines of `arguments` that begin with `what`, each preceded by `option`. */
static void write_arguments(FILE *file, const char *arguments, const char *what, const char *option)
{
    const size_t head = strlen(what);
    while (*arguments) {
        const size_t length = strcspn(arguments, "\n");
        if (strncmp(arguments, what, head) == 0 && arguments[head] == ' ') {
            (void)fprintf(file, " %s%s", option, *option ? " " : "");
            quote(file, arguments + head + 1, length - head - 1);
        }
        arguments += length + (arguments[length] != '\0');
    }
}

/* Writes the path of the point's input with this role into `path`; "" if it has none. */
static enum simsm_status input_path(struct store *store, int64_t point, const char *role,
                                    char path[4096], struct simsm_error *error)
{
    sqlite3_stmt *statement =
        results_query(store,
                      "SELECT i.path FROM point_input p JOIN input i ON i.id = p.input"
                      " WHERE p.point = ?1 AND p.role = ?2",
                      error);
    enum simsm_status status = statement ? SIMSM_OK : error->status;
    (void)sqlite3_bind_int64(statement, 1, point);
    (void)sqlite3_bind_text(statement, 2, role, -1, SQLITE_STATIC);
    const bool found = results_query_row(store, statement, 1, &status, error);
    (void)snprintf(path, 4096, "%s", found ? text_of(statement, 0) : "");
    (void)sqlite3_finalize(statement);
    return status;
}

/* Writes a comment for each input that has changed since the point was simulated. */
static enum simsm_status warn_inputs(FILE *file, struct store *store, int64_t point,
                                     struct simsm_error *error)
{
    sqlite3_stmt *statement =
        results_query(store,
                      "SELECT i.path, i.hash FROM point_input p JOIN input i ON i.id ="
                      " p.input WHERE p.point = ?1",
                      error);
    enum simsm_status status = statement ? SIMSM_OK : error->status;
    (void)sqlite3_bind_int64(statement, 1, point);
    while (results_query_row(store, statement, 2, &status, error)) {
        char hash[HASH_TEXT];
        uint64_t bytes;
        struct simsm_error unread;
        const bool same = hash_file(text_of(statement, 0), hash, &bytes, &unread) == SIMSM_OK &&
                          strcmp(hash, text_of(statement, 1)) == 0;
        if (!same)
            (void)fprintf(file, "# changed since: %s (SHA-256 was %s)\n", text_of(statement, 0),
                          text_of(statement, 1));
    }
    (void)sqlite3_finalize(statement);
    return status;
}

static void write_program(FILE *file, sqlite3_stmt *row, const char *program, int64_t point)
{
    const char *folder = text_of(row, FOLDER);
    const int launch = sqlite3_column_int(row, LAUNCH);
    (void)fprintf(file, "(cd ");
    quote(file, folder ? folder : ".", strlen(folder ? folder : "."));
    (void)fprintf(file, " && env");
    write_arguments(file, text_of(row, ARGUMENTS), "env", "");
    (void)fprintf(file, " simsm run \"$OLDPWD\"/point-%lld.yaml", (long long)point);
    if (is_sample(row))
        (void)fprintf(file, " --sample");
    else if (launch)
        (void)fprintf(file, " --launches %d:%d", launch, launch + 1);
    (void)fprintf(file, " -- ");
    quote(file, program, strlen(program));
    write_arguments(file, text_of(row, ARGUMENTS), "argument", "");
    (void)fprintf(file, ")\n");
}

static void write_trace(FILE *file, sqlite3_stmt *row, const char *trace, const char *launch_file,
                        int64_t point)
{
    (void)fprintf(file, "simsm point-%lld.yaml ", (long long)point);
    quote(file, trace, strlen(trace));
    if (*launch_file) {
        (void)fprintf(file, " --launch ");
        quote(file, launch_file, strlen(launch_file));
    } else if (is_sample(row)) {
        (void)fprintf(file, " --sample");
    } else if (sqlite3_column_int(row, LAUNCH)) {
        (void)fprintf(file, " --launch-number %d", sqlite3_column_int(row, LAUNCH));
    }
    write_arguments(file, text_of(row, ARGUMENTS), "param", "--param");
    (void)fputc('\n', file);
}

static enum simsm_status write_command(FILE *file, struct store *store, const char *path,
                                       sqlite3_stmt *row, int64_t point, struct simsm_error *error)
{
    char input[4096], launch_file[4096];
    const char *kind = text_of(row, KIND);
    enum simsm_status status = input_path(store, point, kind, input, error);
    if (status == SIMSM_OK)
        status = input_path(store, point, "launch_file", launch_file, error);
    if (status != SIMSM_OK)
        return status;
    (void)fprintf(file, "# Point %lld: %s%s%s\n", (long long)point, text_of(row, STATE),
                  text_of(row, REASON) ? ": " : "",
                  text_of(row, REASON) ? text_of(row, REASON) : "");
    if (strcmp(text_of(row, VERSION), sweep_version) != 0)
        (void)fprintf(file, "# version of simsm: then %s, now %s\n", text_of(row, VERSION),
                      sweep_version);
    status = warn_inputs(file, store, point, error);
    if (status != SIMSM_OK)
        return status;
    (void)fprintf(file, "simsm results ");
    quote(file, path, strlen(path));
    (void)fprintf(file, " --config %lld >point-%lld.yaml\n", (long long)point, (long long)point);
    if (strcmp(kind, "program") == 0)
        write_program(file, row, input, point);
    else
        write_trace(file, row, input, launch_file, point);
    return SIMSM_OK;
}

enum simsm_status rerun_command(FILE *file, const char *path, int64_t point,
                                struct simsm_error *error)
{
    struct store *store;
    enum simsm_status status = store_read(&store, path, error);
    sqlite3_stmt *row = status == SIMSM_OK ? find(store, path, point, error) : NULL;
    status = row ? write_command(file, store, path, row, point, error) : error->status;
    (void)sqlite3_finalize(row);
    store_close(store);
    return status;
}

enum simsm_status rerun_config(FILE *file, const char *path, int64_t point,
                               struct simsm_error *error)
{
    struct store *store;
    enum simsm_status status = store_read(&store, path, error);
    sqlite3_stmt *row = status == SIMSM_OK ? find(store, path, point, error) : NULL;
    if (row)
        (void)fputs(text_of(row, TEXT), file);
    else
        status = error->status;
    (void)sqlite3_finalize(row);
    store_close(store);
    return status;
}
