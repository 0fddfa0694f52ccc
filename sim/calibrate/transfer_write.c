#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/rewrite.h"
#include "calibrate/transfer.h"

enum { COMMENT = 500 };

static bool is_here(const struct rewrite *r, int key)
{
    return r->origins.at[key].file == 1;
}

static const struct transfer_row *row_of(const struct transfer *transfer, int key)
{
    for (uint32_t i = 0; i < transfer->rows; i++)
        if (transfer->row[i].key == key)
            return &transfer->row[i];
    return NULL;
}

/* Returns whether the text has `part` between separators. */
static bool has_part(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        if ((at == text || at[-1] == ' ') && strchr(",;", at[length]))
            return true; /* strchr also finds the end of the text */
    return false;
}

/* Adds `part` to the text of a comment, unless it has it. */
static void add(char text[COMMENT], const char *separator, const char *part)
{
    const size_t used = strlen(text);
    separator = used ? separator : "";
    const size_t more = strlen(separator) + strlen(part);
    if (!has_part(text, part) && used + more < COMMENT)
        (void)snprintf(text + used, more + 1, "%s%s", separator, part);
}

/* Adds the parts of an old comment that no transfer from this GPU has written. */
static void add_old(char text[COMMENT], const char *old, const char *from)
{
    char origin[80], part[COMMENT];
    (void)snprintf(origin, sizeof origin, ": %.70s ", from);
    while (*old) {
        const char *next = strstr(old, "; ");
        const size_t length = next ? (size_t)(next - old) : strlen(old);
        (void)snprintf(part, sizeof part, "%.*s", (int)length, old);
        if (!strstr(part, origin))
            add(text, "; ", part);
        old = next ? next + 2 : old + length;
    }
}

/* Returns the less trusted of two tags. */
static const char *weaker(const char *one, const char *other)
{
    return sources_rank(one) >= sources_rank(other) ? one : other;
}

/* Writes the comment of a line. It names the origin of each key that is taken over; if the line has
 * further keys, the parts of the old comment that come from no transfer stay. */
static enum simsm_status comment_line(struct rewrite *r, const struct transfer *transfer,
                                      uint32_t line, struct simsm_error *error)
{
    char old[COMMENT], text[COMMENT] = "", whole[2 * COMMENT];
    const char *trust = "measured", *old_trust;
    bool others = false;
    rewrite_old_comment(r, line, old, sizeof old);
    for (int key = 0; key < SCHEMA_ROWS; key++) {
        if (!is_here(r, key) || r->origins.at[key].line != line)
            continue;
        const struct transfer_row *row = row_of(transfer, key);
        others |= !row && schema_rows[key].type != SCHEMA_ENUM;
        if (!row)
            continue;
        trust = weaker(trust, row->trust);
        add(text, ", ", row->comment);
    }
    const char *rest = sources_text(old, &old_trust);
    if (others && old_trust[0]) {
        trust = weaker(trust, old_trust);
        add_old(text, rest, transfer->from);
    }
    (void)snprintf(whole, sizeof whole, "[%s] %s", trust, text);
    return rewrite_comment(r, line, whole, error);
}

enum simsm_status transfer_write(const struct transfer *transfer, const char *path, char **text,
                                 size_t *size, struct simsm_error *error)
{
    struct rewrite r;
    *text = NULL;
    enum simsm_status status = rewrite_open(&r, path, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < transfer->rows; i++)
        if (strcmp(transfer->row[i].before, transfer->row[i].after) != 0)
            status = rewrite_value(&r, transfer->row[i].key, transfer->row[i].after, error);
    uint32_t done = 0;
    for (uint32_t i = 0; status == SIMSM_OK && i < transfer->rows; i++) {
        const struct config_origin *at = &r.origins.at[transfer->row[i].key];
        if (at->file == 1 && at->line != done)
            status = comment_line(&r, transfer, done = at->line, error);
    }
    if (status == SIMSM_OK) {
        *text = r.text;
        *size = r.size;
        r.text = NULL;
    }
    rewrite_free(&r);
    return status;
}
