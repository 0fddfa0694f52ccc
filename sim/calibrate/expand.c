#include "calibrate/expand.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

enum { DEPTH = 32 }; /* depth of nested parentheses */

struct expander {
    const char *at, *end;
    const struct expand_values *values;
    const char *file;
    uint32_t line;
    struct simsm_error *error;
    FILE *out;
    const char *wrong; /* what is wrong with the formula; NULL: nothing */
    int depth;
};

static size_t name_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
        length++;
    return length;
}

static const char *value_of(const struct expander *e, const char *name, size_t length)
{
    for (uint32_t i = 0; i < e->values->count; i++)
        if (strlen(e->values->key[i]) == length && memcmp(e->values->key[i], name, length) == 0)
            return e->values->value[i];
    return NULL;
}

static enum simsm_status unknown(const struct expander *e, const char *name, size_t length)
{
    char list[EXPAND_KEYS * EXPAND_TEXT] = "";
    for (uint32_t i = 0; i < e->values->count; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", e->values->key[i]);
    }
    return err_at(e->error, SIMSM_BAD_INPUT, e->file, e->line, 0,
                  "there is no '%.*s' in this point's `each`, which has %s", (int)length, name,
                  e->values->count ? list : "nothing");
}

static void blanks(struct expander *e)
{
    while (e->at < e->end && *e->at == ' ')
        e->at++;
}

static int64_t sum(struct expander *e);

static int64_t wrong(struct expander *e, const char *why)
{
    e->wrong = e->wrong ? e->wrong : why;
    return 0;
}

/* Reads an operand: a number, a name, -x or (x). */
static int64_t operand(struct expander *e)
{
    blanks(e);
    if (e->at == e->end || e->wrong)
        return wrong(e, "it ends too early");
    char c = *e->at;
    if (c == '(' || c == '-') {
        if (++e->depth > DEPTH)
            return wrong(e, "it is nested too deeply");
        e->at++;
        int64_t value = c == '(' ? sum(e) : -operand(e);
        e->depth--;
        blanks(e);
        if (c == '(' && (e->at == e->end || *e->at++ != ')'))
            return wrong(e, "a ')' is missing");
        return value;
    }
    size_t length = name_length(e->at, e->end);
    char word[EXPAND_TEXT], *end;
    if (!length || length >= sizeof word)
        return wrong(e, "a number or a name is expected");
    const char *value = isdigit((unsigned char)c) ? NULL : value_of(e, e->at, length);
    if (!isdigit((unsigned char)c) && !value)
        return wrong(e, "it has a name that is not in `each`");
    (void)snprintf(word, sizeof word, "%.*s", value ? (int)strlen(value) : (int)length,
                   value ? value : e->at);
    e->at += length;
    errno = 0;
    long long number = strtoll(word, &end, 0);
    if (*end || end == word || errno || number > INT32_MAX || number < INT32_MIN)
        return wrong(e, "it has a value that is no whole number, or too large a one");
    return number;
}

/* Returns the value if it fits into 48 bits, so that no sum overflows. */
static int64_t bounded(struct expander *e, int64_t value)
{
    const int64_t most = INT64_C(1) << 48;
    return value > most || value < -most ? wrong(e, "its value is too large") : value;
}

static int64_t times(struct expander *e, int64_t a, int64_t b)
{
    const int64_t most = INT64_C(1) << 48;
    if (a && (llabs(b) > most / llabs(a)))
        return wrong(e, "its value is too large");
    return a * b;
}

static int64_t product(struct expander *e)
{
    int64_t value = operand(e);
    for (blanks(e); e->at < e->end && !e->wrong && strchr("*/%", *e->at); blanks(e)) {
        char op = *e->at++;
        int64_t other = operand(e);
        if (op != '*' && !other)
            return wrong(e, "it divides by 0");
        value = op == '*' ? times(e, value, other) : op == '/' ? value / other : value % other;
    }
    return value;
}

static int64_t sum(struct expander *e)
{
    int64_t value = product(e);
    for (blanks(e); e->at < e->end && !e->wrong && (*e->at == '+' || *e->at == '-'); blanks(e)) {
        char op = *e->at++;
        int64_t other = product(e);
        value = bounded(e, op == '+' ? value + other : value - other);
    }
    return value;
}

/* Replaces the name or formula behind a '$'. */
static enum simsm_status replace(struct expander *e)
{
    if (e->at < e->end && *e->at == '(') {
        const char *begin = e->at;
        e->wrong = NULL;
        e->depth = 0;
        int64_t value = operand(e);
        if (e->wrong)
            return err_at(e->error, SIMSM_BAD_INPUT, e->file, e->line, 0,
                          "'$%.*s' is no formula of whole numbers: %s", (int)strcspn(begin, "\n"),
                          begin, e->wrong);
        (void)fprintf(e->out, "%lld", (long long)value);
        return SIMSM_OK;
    }
    size_t length = name_length(e->at, e->end);
    const char *value = value_of(e, e->at, length);
    if (!value)
        return unknown(e, e->at, length);
    (void)fputs(value, e->out);
    e->at += length;
    return SIMSM_OK;
}

static enum simsm_status copy(struct expander *e)
{
    bool comment = false;
    for (char before = '\n'; e->at < e->end;) {
        char c = *e->at++;
        comment = c == '\n' ? false : comment || (c == '#' && strchr(" \n", before));
        e->line += c == '\n';
        before = c;
        if (c != '$' || comment) {
            (void)fputc(c, e->out);
            continue;
        }
        enum simsm_status status = replace(e);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}

enum simsm_status expand(const char *text, size_t size, const struct expand_values *values,
                         const char *file, uint32_t line, char **expanded, size_t *length,
                         struct simsm_error *error)
{
    struct expander e = {.at = text,
                         .end = text + size,
                         .values = values,
                         .file = file,
                         .line = line,
                         .error = error};
    *expanded = NULL;
    e.out = open_memstream(expanded, length);
    if (!e.out)
        return err_no_memory(error);
    enum simsm_status status = copy(&e);
    bool failed = ferror(e.out) != 0;
    failed |= fclose(e.out) != 0;
    if (status == SIMSM_OK && failed)
        status = err_no_memory(error);
    if (status != SIMSM_OK) {
        free(*expanded);
        *expanded = NULL;
    }
    return status;
}
