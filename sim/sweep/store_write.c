/* Writes rows of the file of results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "sweep/store_inner.h"

static const char failed[] = "the results cannot be written";

/* Binds a text to parameter `place` of a statement; NULL binds NULL. The text must live until the
 * statement has been stepped. */
static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    (void)sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

static enum simsm_status step_done(struct store *store, sqlite3_stmt *statement,
                                   struct simsm_error *error)
{
    return statement && sqlite3_step(statement) == SQLITE_DONE ? SIMSM_OK
                                                               : store_fail(store, failed, error);
}

/* Reads the first column of the row that the statement finds into *number. Returns a failure if
 * there is no row. */
static enum simsm_status read_number(struct store *store, sqlite3_stmt *statement, int64_t *number,
                                     struct simsm_error *error)
{
    if (!statement || sqlite3_step(statement) != SQLITE_ROW)
        return store_fail(store, failed, error);
    *number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_reset(statement);
    return SIMSM_OK;
}

enum simsm_status store_config(struct store *store, const char *hash, const char *text,
                               int64_t *number, struct simsm_error *error)
{
    sqlite3_stmt *add = store_statement(store, STORE_ADD_CONFIG);
    bind_text(add, 1, hash);
    bind_text(add, 2, text);
    enum simsm_status status = step_done(store, add, error);
    if (status != SIMSM_OK)
        return status;
    sqlite3_stmt *find = store_statement(store, STORE_FIND_CONFIG);
    bind_text(find, 1, hash);
    return read_number(store, find, number, error);
}

static enum simsm_status add_input(struct store *store, int64_t point,
                                   const struct store_input *input, struct simsm_error *error)
{
    int64_t number = 0;
    sqlite3_stmt *add = store_statement(store, STORE_ADD_INPUT);
    bind_text(add, 1, input->path);
    bind_text(add, 2, input->hash);
    (void)sqlite3_bind_int64(add, 3, (int64_t)input->bytes);
    enum simsm_status status = step_done(store, add, error);
    if (status != SIMSM_OK)
        return status;
    sqlite3_stmt *find = store_statement(store, STORE_FIND_INPUT);
    bind_text(find, 1, input->path);
    bind_text(find, 2, input->hash);
    status = read_number(store, find, &number, error);
    if (status != SIMSM_OK)
        return status;
    sqlite3_stmt *join = store_statement(store, STORE_ADD_POINT_INPUT);
    (void)sqlite3_bind_int64(join, 1, point);
    bind_text(join, 2, input->role);
    (void)sqlite3_bind_int64(join, 3, number);
    return step_done(store, join, error);
}

static enum store_state state_named(const char *name)
{
    for (unsigned i = STORE_WAITING; i <= STORE_FAILED; i++) {
        if (name && strcmp(name, store_states[i]) == 0)
            return (enum store_state)i;
    }
    return STORE_WAITING;
}

enum simsm_status store_point(struct store *store, const struct store_point *point, int64_t *number,
                              enum store_state *state, struct simsm_error *error)
{
    sqlite3_stmt *find = store_statement(store, STORE_FIND_POINT);
    bind_text(find, 1, point->identity);
    if (find && sqlite3_step(find) == SQLITE_ROW) {
        *number = sqlite3_column_int64(find, 0);
        *state = state_named((const char *)sqlite3_column_text(find, 1));
        (void)sqlite3_reset(find);
        return SIMSM_OK;
    }
    sqlite3_stmt *add = store_statement(store, STORE_ADD_POINT);
    bind_text(add, 1, point->identity);
    bind_text(add, 2, point->version);
    bind_text(add, 3, point->kind);
    (void)sqlite3_bind_int64(add, 4, point->config);
    (void)sqlite3_bind_int64(add, 5, point->launch);
    bind_text(add, 6, point->arguments);
    bind_text(add, 7, point->folder);
    enum simsm_status status = step_done(store, add, error);
    *number = sqlite3_last_insert_rowid(store->database);
    *state = STORE_WAITING;
    for (uint32_t i = 0; i < point->inputs && status == SIMSM_OK; i++)
        status = add_input(store, *number, &point->input[i], error);
    return status;
}

enum simsm_status store_sweep(struct store *store, const char *name, const char *spec,
                              const char *text, int64_t *number, struct simsm_error *error)
{
    sqlite3_stmt *add = store_statement(store, STORE_ADD_SWEEP);
    bind_text(add, 1, name);
    bind_text(add, 2, spec);
    bind_text(add, 3, text);
    enum simsm_status status = step_done(store, add, error);
    if (status == SIMSM_OK) {
        sqlite3_stmt *find = store_statement(store, STORE_FIND_SWEEP);
        bind_text(find, 1, name);
        status = read_number(store, find, number, error);
    }
    static const enum store_statement forget[] = {STORE_FORGET_SETTINGS, STORE_FORGET_MEMBERS};
    for (size_t i = 0; i < 2 && status == SIMSM_OK; i++) {
        sqlite3_stmt *statement = store_statement(store, forget[i]);
        (void)sqlite3_bind_int64(statement, 1, *number);
        status = step_done(store, statement, error);
    }
    return status;
}

static enum simsm_status add_settings(struct store *store, int64_t member,
                                      const struct texts *settings, bool varied,
                                      struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < settings->count && status == SIMSM_OK; i++) {
        const char *text = settings->item[i].text, *equals = strchr(text, '=');
        SIMSM_CHECK(equals != NULL, "setting %u of %u is '%s', without '='", i, settings->count,
                    text);
        sqlite3_stmt *add = store_statement(store, STORE_ADD_SETTING);
        (void)sqlite3_bind_int64(add, 1, member);
        (void)sqlite3_bind_text(add, 2, text, (int)(equals - text), SQLITE_STATIC);
        bind_text(add, 3, equals + 1);
        (void)sqlite3_bind_int(add, 4, varied);
        (void)sqlite3_bind_int64(add, 5, i);
        status = step_done(store, add, error);
    }
    return status;
}

enum simsm_status store_member(struct store *store, const struct store_member *member,
                               struct simsm_error *error)
{
    sqlite3_stmt *add = store_statement(store, STORE_ADD_MEMBER);
    (void)sqlite3_bind_int64(add, 1, member->sweep);
    (void)sqlite3_bind_int64(add, 2, member->point);
    bind_text(add, 3, member->config);
    bind_text(add, 4, member->kernel);
    enum simsm_status status = step_done(store, add, error);
    const int64_t number = sqlite3_last_insert_rowid(store->database);
    if (status == SIMSM_OK)
        status = add_settings(store, number, member->set, false, error);
    return status == SIMSM_OK ? add_settings(store, number, member->varied, true, error) : status;
}

/* Adds all counters and metrics to the file and looks up the numbers of their rows. */
static enum simsm_status number_metrics(struct store *store, struct simsm_error *error)
{
    struct simsm_metric metrics[OUTCOME_METRICS];
    outcome_describe(metrics);
    enum simsm_status status = SIMSM_OK;
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT + OUTCOME_METRICS && status == SIMSM_OK; i++) {
        const bool counter = i < SIMSM_COUNTER_COUNT;
        const unsigned m = counter ? 0 : i - SIMSM_COUNTER_COUNT;
        const char *name = counter ? simsm_counters[i].name : metrics[m].name;
        sqlite3_stmt *add = store_statement(store, STORE_ADD_METRIC);
        bind_text(add, 1, name);
        bind_text(add, 2, counter ? simsm_counters[i].unit : metrics[m].unit);
        bind_text(add, 3, counter ? simsm_counters[i].meaning : metrics[m].meaning);
        status = step_done(store, add, error);
        if (status != SIMSM_OK)
            return status;
        sqlite3_stmt *find = store_statement(store, STORE_FIND_METRIC);
        bind_text(find, 1, name);
        status = read_number(store, find, &store->metric[i], error);
    }
    return status;
}

static enum simsm_status add_value(struct store *store, int64_t point, unsigned metric,
                                   const uint64_t *whole, double real, struct simsm_error *error)
{
    sqlite3_stmt *add = store_statement(store, STORE_ADD_VALUE);
    (void)sqlite3_bind_int64(add, 1, point);
    (void)sqlite3_bind_int64(add, 2, store->metric[metric]);
    (void)(whole ? sqlite3_bind_int64(add, 3, (int64_t)*whole) : sqlite3_bind_double(add, 3, real));
    return step_done(store, add, error);
}

static enum simsm_status add_values(struct store *store, int64_t point,
                                    const struct sweep_outcome *outcome, struct simsm_error *error)
{
    enum simsm_status status = store->metric[0] ? SIMSM_OK : number_metrics(store, error);
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT && status == SIMSM_OK; i++)
        status = add_value(store, point, i, &outcome->counter[i], 0, error);
    for (unsigned i = 0; i < OUTCOME_METRICS && status == SIMSM_OK; i++) {
        if (isfinite(outcome->metric[i]))
            status =
                add_value(store, point, SIMSM_COUNTER_COUNT + i, NULL, outcome->metric[i], error);
    }
    return status;
}

enum simsm_status store_set_waiting(struct store *store, int64_t point, struct simsm_error *error)
{
    sqlite3_stmt *set = store_statement(store, STORE_SET_WAITING);
    (void)sqlite3_bind_int64(set, 1, point);
    return step_done(store, set, error);
}

static const char *size_text(const uint32_t size[3], char text[48])
{
    (void)snprintf(text, 48, "%u,%u,%u", size[0], size[1], size[2]);
    return text;
}

enum simsm_status store_outcome(struct store *store, int64_t point,
                                const struct sweep_outcome *outcome, const char *reason,
                                struct simsm_error *error)
{
    char grid[48], block[48];
    sqlite3_stmt *set = store_statement(store, STORE_SET_OUTCOME);
    const bool known = outcome->kernel[0] != '\0', alike = known && outcome->grid[0];
    (void)sqlite3_bind_int64(set, 1, point);
    bind_text(set, 2, store_states[reason ? STORE_FAILED : STORE_DONE]);
    bind_text(set, 3, reason);
    bind_text(set, 4, known ? outcome->kernel : NULL);
    bind_text(set, 5, alike ? size_text(outcome->grid, grid) : NULL);
    bind_text(set, 6, alike ? size_text(outcome->block, block) : NULL);
    (void)sqlite3_bind_double(set, 7, outcome->wall_seconds);
    (void)sqlite3_bind_double(set, 8, outcome->cpu_seconds);
    (void)sqlite3_bind_int64(set, 9, (int64_t)outcome->peak_bytes);
    enum simsm_status status = step_done(store, set, error);
    if (status != SIMSM_OK)
        return status;
    sqlite3_stmt *forget = store_statement(store, STORE_FORGET_VALUES);
    (void)sqlite3_bind_int64(forget, 1, point);
    status = step_done(store, forget, error);
    return status == SIMSM_OK && !reason ? add_values(store, point, outcome, error) : status;
}
