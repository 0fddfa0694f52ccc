/* Reads the points of a sweep from the file of results, and selects among them. */
#include "results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/config_parse.h"
#include "config/suggest.h"
#include "config/value.h"
#include "results/results_query.h"
#include "sweep/titles.h"

/*
 * Returns a copy of a column; NULL if the column is NULL. Sets *good to false if memory runs out.
 */
static char *column(sqlite3_stmt *statement, int number, bool *good)
{
    const char *text = (const char *)sqlite3_column_text(statement, number);
    char *copy = text ? text_copy(text, strlen(text)) : NULL;
    *good &= !text || copy;
    return copy;
}

static enum simsm_status choose_sweep(struct results *results, const char *path, const char *wanted,
                                      int64_t *number, struct simsm_error *error)
{
    char names[512] = "";
    size_t used = 0;
    uint32_t count = 0;
    bool good = true;
    sqlite3_stmt *statement =
        results_query(results->store, "SELECT name, id FROM sweep ORDER BY id", error);
    enum simsm_status status = statement ? SIMSM_OK : error->status;
    while (results_query_row(results->store, statement, 1, &status, error)) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        if (wanted && strcmp(wanted, name) != 0)
            continue;
        count++;
        *number = sqlite3_column_int64(statement, 1);
        free(results->sweep);
        results->sweep = column(statement, 0, &good);
        if (used < sizeof names - 80)
            used += (size_t)snprintf(names + used, 80, "%s%.60s", used ? ", " : "", name);
    }
    (void)sqlite3_finalize(statement);
    if (status != SIMSM_OK)
        return status;
    if (count == 1)
        return good ? SIMSM_OK : err_no_memory(error);
    if (!count)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "holds no sweep%s%s",
                      wanted ? " of the name " : "", wanted ? wanted : "");
    return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                  "holds several sweeps; choose one with --sweep: %s", names);
}

/* Column order: text columns first; among them, the columns that are never NULL first. */
static const char rows_sql[] =
    "SELECT m.config, m.kernel, p.state, p.version, p.identity, p.kind, p.reason, p.function,"
    " p.finished, p.grid, p.block, p.launch, p.wall_seconds, p.cpu_seconds, p.peak_bytes, p.id,"
    " p.config, m.id FROM member m JOIN point p ON p.id = m.point WHERE m.sweep = ?1 ORDER BY m.id";

enum {
    ROW_NEEDED = 6,
    ROW_LAUNCH = 11,
    ROW_WALL,
    ROW_CPU,
    ROW_PEAK,
    ROW_POINT,
    ROW_CONFIG,
    ROW_MEMBER
};

static bool read_row(sqlite3_stmt *statement, struct results_row *row, uint32_t metrics)
{
    bool good = true;
    char **const texts[] = {&row->config,   &row->kernel, &row->state,  &row->version,
                            &row->identity, &row->kind,   &row->reason, &row->function,
                            &row->finished, &row->grid,   &row->block};
    *row = (struct results_row){.point = sqlite3_column_int64(statement, ROW_POINT),
                                .config_number = sqlite3_column_int64(statement, ROW_CONFIG),
                                .launch = (uint32_t)sqlite3_column_int64(statement, ROW_LAUNCH),
                                .wall_seconds = sqlite3_column_double(statement, ROW_WALL),
                                .cpu_seconds = sqlite3_column_double(statement, ROW_CPU),
                                .peak_bytes = sqlite3_column_double(statement, ROW_PEAK)};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = column(statement, (int)i, &good);
    row->value = calloc(metrics ? metrics : 1, sizeof *row->value);
    for (uint32_t i = 0; row->value && i < metrics; i++)
        row->value[i] = NAN;
    return good && row->value;
}

static enum simsm_status read_settings(struct results *results, sqlite3_stmt *statement,
                                       int64_t member, struct results_row *row,
                                       struct simsm_error *error)
{
    bool good = true;
    (void)sqlite3_reset(statement);
    (void)sqlite3_bind_int64(statement, 1, member);
    enum simsm_status status = SIMSM_OK;
    while (good && results_query_row(results->store, statement, 2, &status, error)) {
        const char *key = (const char *)sqlite3_column_text(statement, 0);
        const char *value = (const char *)sqlite3_column_text(statement, 1);
        char *text = text_format("%s=%s", key, value);
        good = text && texts_add(&row->settings, text, 0, 0);
        free(text);
        if (good && sqlite3_column_int(statement, 2) && !texts_find(&results->varied, key))
            good = texts_add(&results->varied, key, 0, 0);
    }
    return good ? status : err_no_memory(error);
}

static enum simsm_status read_values(struct results *results, sqlite3_stmt *statement,
                                     struct results_row *row, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < results->metrics.count && status == SIMSM_OK; i++) {
        (void)sqlite3_reset(statement);
        (void)sqlite3_bind_int64(statement, 1, row->point);
        (void)sqlite3_bind_text(statement, 2, results->metrics.item[i].text, -1, SQLITE_STATIC);
        if (results_query_row(results->store, statement, 0, &status, error))
            row->value[i] = sqlite3_column_double(statement, 0);
    }
    return status;
}

static enum simsm_status read_rows(struct results *results, int64_t sweep,
                                   struct simsm_error *error)
{
    sqlite3_stmt *rows = results_query(results->store, rows_sql, error);
    sqlite3_stmt *settings = results_query(
        results->store, "SELECT key, value, varied FROM setting WHERE member = ?1 ORDER BY place",
        error);
    sqlite3_stmt *values =
        results_query(results->store,
                      "SELECT v.value FROM value v JOIN metric m ON m.id = v.metric"
                      " WHERE v.point = ?1 AND m.name = ?2",
                      error);
    enum simsm_status status = rows && settings && values ? SIMSM_OK : error->status;
    uint32_t room = 0;
    (void)sqlite3_bind_int64(rows, 1, sweep);
    while (results_query_row(results->store, rows, ROW_NEEDED, &status, error)) {
        if (results->rows == room) {
            room = room ? room * 2 : 64;
            struct results_row *grown = realloc(results->row, room * sizeof *grown);
            if (!grown) {
                status = err_no_memory(error);
                break;
            }
            results->row = grown;
        }
        struct results_row *row = &results->row[results->rows++];
        if (!read_row(rows, row, results->metrics.count))
            status = err_no_memory(error);
        if (status == SIMSM_OK)
            status = read_settings(results, settings, sqlite3_column_int64(rows, ROW_MEMBER), row,
                                   error);
        if (status == SIMSM_OK)
            status = read_values(results, values, row, error);
    }
    (void)sqlite3_finalize(rows);
    (void)sqlite3_finalize(settings);
    (void)sqlite3_finalize(values);
    return status;
}

static enum simsm_status check_metric(struct results *results, const char *name,
                                      struct simsm_error *error)
{
    char question[SUGGEST_QUESTION];
    sqlite3_stmt *statement =
        results_query(results->store, "SELECT 1 FROM metric WHERE name = ?1", error);
    enum simsm_status status = statement ? SIMSM_OK : error->status;
    (void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    const bool found = results_query_row(results->store, statement, 0, &status, error);
    (void)sqlite3_finalize(statement);
    if (status != SIMSM_OK)
        return status;
    if (found || !results->rows)
        return SIMSM_OK;
    for (uint32_t i = 0; i < results->rows; i++) {
        if (strcmp(results->row[i].state, "done") == 0)
            return err_set(error, SIMSM_BAD_INPUT,
                           "'%s': the results have no such metric; `simsm metrics` lists them%s",
                           name, suggest_question(titles_nearest(name), question));
    }
    return SIMSM_OK; /* no point is done, so no metric is known */
}

enum simsm_status results_open(struct results *results, const char *path, const char *sweep,
                               const struct texts *metrics, struct simsm_error *error)
{
    int64_t number = 0;
    *results = (struct results){0};
    enum simsm_status status = store_read(&results->store, path, error);
    if (status == SIMSM_OK)
        status = choose_sweep(results, path, sweep, &number, error);
    for (uint32_t i = 0; i < metrics->count && status == SIMSM_OK; i++) {
        if (!texts_add(&results->metrics, metrics->item[i].text, 0, 0))
            status = err_no_memory(error);
    }
    if (status == SIMSM_OK)
        status = read_rows(results, number, error);
    for (uint32_t i = 0; i < metrics->count && status == SIMSM_OK; i++)
        status = check_metric(results, metrics->item[i].text, error);
    return status;
}

static void free_row(struct results_row *row)
{
    free(row->config);
    free(row->kernel);
    free(row->state);
    free(row->reason);
    free(row->function);
    free(row->version);
    free(row->identity);
    free(row->kind);
    free(row->finished);
    free(row->grid);
    free(row->block);
    free(row->value);
    texts_free(&row->settings);
}

void results_close(struct results *results)
{
    for (uint32_t i = 0; i < results->rows; i++)
        free_row(&results->row[i]);
    free(results->row);
    free(results->config);
    free(results->sweep);
    texts_free(&results->varied);
    texts_free(&results->metrics);
    store_close(results->store);
    *results = (struct results){0};
}

/* Reads a configuration by its number. Returns false if it is damaged (then results->damage says
 * so), or if this version of simsm cannot read it. */
static bool read_config(struct results *results, int64_t number, struct simsm_config *config)
{
    struct simsm_error unread, *error = &results->damage;
    enum simsm_status status = SIMSM_OK;
    sqlite3_stmt *statement =
        results_query(results->store, "SELECT text, hash FROM config WHERE id = ?1", error);
    (void)sqlite3_bind_int64(statement, 1, number);
    bool good = statement && results_query_row(results->store, statement, 2, &status, error) &&
                results_query_check_hash(results->store, statement, error);
    if (good) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        good = config_parse(text, strlen(text), NULL, config, &unread) == SIMSM_OK;
    }
    (void)sqlite3_finalize(statement);
    return good;
}

/* Returns the complete configuration of a row; NULL if it cannot be read. A configuration that
 * contradicts itself is returned too: its point has failed. */
static const struct simsm_config *config_of(struct results *results, const struct results_row *row)
{
    for (uint32_t i = 0; i < results->configs; i++) {
        if (results->config[i].number == row->config_number)
            return &results->config[i].config;
    }
    struct results_config *grown = realloc(results->config, (results->configs + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    results->config = grown;
    struct results_config *added = &grown[results->configs];
    added->number = row->config_number;
    if (!read_config(results, row->config_number, &added->config))
        return NULL;
    results->configs++;
    return &added->config;
}

enum simsm_status results_check_damage(const struct results *results, struct simsm_error *error)
{
    if (results->damage.status != SIMSM_OK)
        *error = results->damage;
    return results->damage.status;
}

static const char *config_value(struct results *results, const struct results_row *row,
                                const char *key)
{
    const int id = schema_find_path(key);
    const struct simsm_config *config = id >= 0 ? config_of(results, row) : NULL;
    if (!config)
        return NULL;
    char text[VALUE_TEXT];
    (void)value_text(config, &schema_rows[id], text);
    const size_t length = strlen(text);
    const bool quoted = length > 1 && text[0] == '"';
    (void)snprintf(results->text, sizeof results->text, "%.*s", (int)(quoted ? length - 2 : length),
                   text + quoted);
    return results->text;
}

static const char *setting(const struct results_row *row, const char *key)
{
    const size_t length = strlen(key);
    for (uint32_t i = 0; i < row->settings.count; i++) {
        const char *text = row->settings.item[i].text;
        if (strncmp(text, key, length) == 0 && text[length] == '=')
            return text + length + 1;
    }
    return NULL;
}

const char *results_field(struct results *results, const struct results_row *row, const char *key)
{
    const struct {
        const char *key, *value;
    } texts[] = {{"config", row->config},     {"kernel", row->kernel},   {"state", row->state},
                 {"function", row->function}, {"version", row->version}, {"kind", row->kind}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(texts[i].key, key) == 0)
            return texts[i].value;
    }
    if (strcmp(key, "launch") == 0 || strcmp(key, "point") == 0) {
        (void)snprintf(results->text, sizeof results->text, "%lld",
                       key[0] == 'l' ? (long long)row->launch : (long long)row->point);
        return results->text;
    }
    const char *value = setting(row, key);
    return value ? value : config_value(results, row, key);
}

bool results_has(struct results *results, const char *key)
{
    for (uint32_t i = 0; i < results->rows; i++) {
        if (results_field(results, &results->row[i], key))
            return true;
    }
    return false;
}

/* Returns whether `value` is an item of the list "a,b,c". */
static bool is_one_of(const char *value, const char *list)
{
    const size_t length = strlen(value);
    for (;;) {
        const size_t item = strcspn(list, ",");
        if (item == length && memcmp(list, value, length) == 0)
            return true;
        if (!list[item])
            return false;
        list += item + 1;
    }
}

static bool is_state(const char *value)
{
    return strcmp(value, "waiting") == 0 || strcmp(value, "done") == 0 ||
           strcmp(value, "failed") == 0;
}

/* Returns SIMSM_BAD_INPUT if no row has a wanted value. The message lists the values that exist. */
static enum simsm_status check_match(struct results *results, const char *key, const char *wanted,
                                     struct simsm_error *error)
{
    struct texts seen = {0};
    char known[400] = "";
    size_t used = 0;
    bool found = !results->rows || (strcmp(key, "state") == 0 && is_state(wanted));
    for (uint32_t i = 0; i < results->rows && !found; i++) {
        const char *value = results_field(results, &results->row[i], key);
        found = value && is_one_of(value, wanted);
        if (!value || found || used >= sizeof known - 64 || texts_find(&seen, value))
            continue;
        used += (size_t)snprintf(known + used, 60, "%s%.50s", used ? ", " : "", value);
        if (used >= sizeof known - 64)
            (void)snprintf(known + used, sizeof known - used, ", ...");
        found = !texts_add(&seen, value, 0, 0); /* out of memory: no message */
    }
    texts_free(&seen);
    return found ? SIMSM_OK
                 : err_set(error, SIMSM_BAD_INPUT, "--where %s=%.100s: nothing matches; %s is %s",
                           key, wanted, key, known);
}

enum simsm_status results_where(struct results *results, const char *condition,
                                struct simsm_error *error)
{
    const char *equals = strchr(condition, '=');
    if (!equals || equals == condition)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--where '%s': expected KEY=VALUE or KEY=A,B,C, such as kernel=scan",
                       condition);
    char *key = text_copy(condition, (size_t)(equals - condition));
    if (!key)
        return err_no_memory(error);
    enum simsm_status status = SIMSM_OK;
    if (results->rows && !results_has(results, key))
        status = err_set(error, SIMSM_BAD_INPUT,
                         "--where %s: no point has this key; expected config, kernel, launch, "
                         "state, a varied key or a key of the configuration",
                         key);
    if (status == SIMSM_OK)
        status = check_match(results, key, equals + 1, error);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < results->rows && status == SIMSM_OK; i++) {
        const char *value = results_field(results, &results->row[i], key);
        if (value && is_one_of(value, equals + 1))
            results->row[kept++] = results->row[i];
        else
            free_row(&results->row[i]);
    }
    if (status == SIMSM_OK)
        results->rows = kept;
    free(key);
    return results->damage.status == SIMSM_OK ? status : results_check_damage(results, error);
}

int results_metric(const struct results *results, const char *name)
{
    for (uint32_t i = 0; i < results->metrics.count; i++) {
        if (strcmp(results->metrics.item[i].text, name) == 0)
            return (int)i;
    }
    return -1;
}

enum simsm_status results_all_metrics(const char *path, struct texts *names,
                                      struct simsm_error *error)
{
    struct store *store;
    bool good = true;
    enum simsm_status status = store_read(&store, path, error);
    if (status != SIMSM_OK)
        return status;
    sqlite3_stmt *statement = results_query(store, "SELECT name FROM metric ORDER BY id", error);
    status = statement ? SIMSM_OK : error->status;
    while (good && results_query_row(store, statement, 1, &status, error))
        good = texts_add(names, (const char *)sqlite3_column_text(statement, 0), 0, 0);
    (void)sqlite3_finalize(statement);
    store_close(store);
    return good ? status : err_no_memory(error);
}
