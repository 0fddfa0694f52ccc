#include "calibrate/fit_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/rewrite.h"
#include "config/sources.h"

enum { COMMENT = 500 };

static const struct fit_row *fitted_row(const struct fit *fit, int key)
{
    for (uint32_t i = 0; i < fit->rows; i++)
        if (fit->row[i].key == key && fit->row[i].fact)
            return &fit->row[i];
    return NULL;
}

/* Returns the rank of a fitted value: a measured value is `measured`, a value calculated from it
 * `derived`. */
static int row_rank(const struct fit_row *row)
{
    const bool itself = row->rule->how == FIT_BY_VALUE && row->rule->scale == 1.0;
    return sources_rank(itself ? "measured" : "derived");
}

/* The text of a comment under construction. */
struct comment {
    char text[COMMENT];
    size_t used;
    int rank; /* rank of the least trusted source */
};

static void add(struct comment *c, const char *separator, const char *text)
{
    int length = snprintf(c->text + c->used, sizeof c->text - c->used, "%s%s",
                          c->used ? separator : "", text);
    if (length > 0)
        c->used += (size_t)length;
    c->used = c->used < sizeof c->text ? c->used : sizeof c->text - 1;
}

static void add_point(struct comment *c, const char *separator, const char *name,
                      const struct fact *fact)
{
    char values[100];
    const char *format =
        fabs(fact->value) >= 1000.0 ? ": %.0f (%.0f to %.0f)" : ": %.4g (%.4g to %.4g)";
    (void)snprintf(values, sizeof values, format, fact->value, fact->min, fact->max);
    add(c, separator, name);
    add(c, "", values);
}

static void add_row(struct comment *c, const struct fit_row *row, const char *last_table)
{
    char name[COMMENT];
    const bool same = last_table && strcmp(last_table, row->rule->table) == 0;
    (void)snprintf(name, sizeof name, "%s%s%s%s", same ? "" : "calib/",
                   same ? "" : row->rule->table, same ? "" : " ", row->rule->point);
    add_point(c, ", ", name, row->fact);
    if (row->other)
        add_point(c, " less ", row->rule->other, row->other);
    add(c, "", row->rule->how == FIT_BY_SOLVE ? " solved" : "");
    add(c, "", row->out_of_range ? ", not reached" : "");
    if (row_rank(row) > c->rank)
        c->rank = row_rank(row);
}

/* Adds the part of an old comment that no fit has written, and its rank. */
static void add_old(struct comment *c, const char *old)
{
    const char *trust;
    old = sources_text(old, &trust);
    if (trust[0] && sources_rank(trust) > c->rank)
        c->rank = sources_rank(trust);
    while (*old) {
        const char *next = strstr(old, "; ");
        size_t length = next ? (size_t)(next - old) : strlen(old);
        char part[COMMENT];
        (void)snprintf(part, sizeof part, "%.*s", (int)length, old);
        if (strncmp(part, "calib/", 6) != 0)
            add(c, "; ", part);
        old = next ? next + 2 : old + length;
    }
}

static bool on_line(const struct rewrite *r, int key, uint32_t line)
{
    return r->origins.at[key].file == 1 && r->origins.at[key].line == line;
}

/* Writes the comment of the line that has the key of `row`, for all fitted keys on that line. */
static enum simsm_status comment_line(struct rewrite *r, const struct fit *fit, int key,
                                      const char *origin, struct simsm_error *error)
{
    const uint32_t line = r->origins.at[key].line;
    const char *table = NULL;
    bool others = false;
    char old[COMMENT], whole[COMMENT + 40];
    struct comment c = {.used = 0};
    for (int id = 0; id < SCHEMA_ROWS; id++) {
        const struct fit_row *row = on_line(r, id, line) ? fitted_row(fit, id) : NULL;
        if (row) {
            add_row(&c, row, table);
            table = row->rule->table;
        }
        others |= !row && on_line(r, id, line) && schema_rows[id].type != SCHEMA_ENUM;
    }
    add(&c, ", ", origin);
    rewrite_old_comment(r, line, old, sizeof old);
    if (others)
        add_old(&c, old);
    (void)snprintf(whole, sizeof whole, "[%s] %s", sources_trusts[c.rank].name, c.text);
    return rewrite_comment(r, line, whole, error);
}

enum simsm_status fit_write(const struct fit *fit, const char *path, const char *origin,
                            char **text, size_t *size, struct simsm_error *error)
{
    struct rewrite r;
    *text = NULL;
    enum simsm_status status = rewrite_open(&r, path, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < fit->rows; i++)
        if (fit->row[i].fact)
            status = rewrite_value(&r, fit->row[i].key, fit->row[i].after, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < fit->rows; i++)
        if (fit->row[i].fact)
            status = comment_line(&r, fit, fit->row[i].key, origin, error);
    if (status == SIMSM_OK) {
        *text = r.text;
        *size = r.size;
        r.text = NULL;
    }
    rewrite_free(&r);
    return status;
}
