#include "calibrate/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/absolute.h"
#include "base/err.h"
#include "base/infile.h"
#include "config/sources.h"

enum { COMMENT_COLUMN = 35, LINE_TEXT = 600 };

static enum simsm_status parse(struct rewrite *r, struct simsm_error *error)
{
    return config_parse_origins(r->text, r->size, r->path, &r->origins, error);
}

enum simsm_status rewrite_open(struct rewrite *rewrite, const char *path, struct simsm_error *error)
{
    *rewrite = (struct rewrite){.path = path};
    enum simsm_status status =
        infile_read(path, "configuration", CONFIG_LIMIT, &rewrite->text, &rewrite->size, error);
    return status == SIMSM_OK ? parse(rewrite, error) : status;
}

void rewrite_free(struct rewrite *rewrite)
{
    free(rewrite->text);
    rewrite->text = NULL;
}

/* Replaces bytes begin .. end by `with`, and parses the text again. */
static enum simsm_status replace(struct rewrite *r, size_t begin, size_t end, const char *with,
                                 struct simsm_error *error)
{
    const size_t length = strlen(with), size = r->size - (end - begin) + length;
    char *text = malloc(size + 1);
    if (!text)
        return err_no_memory(error);
    memcpy(text, r->text, begin);
    memcpy(text + begin, with, length);
    memcpy(text + begin + length, r->text + end, r->size - end + 1);
    free(r->text);
    r->text = text;
    r->size = size;
    return parse(r, error);
}

static size_t line_begin(const struct rewrite *r, uint32_t line)
{
    const char *at = r->text;
    for (uint32_t i = 1; i < line; i++) {
        const char *newline = strchr(at, '\n');
        at = newline ? newline + 1 : r->text + r->size;
    }
    return (size_t)(at - r->text);
}

static size_t line_end(const struct rewrite *r, size_t begin)
{
    return begin + strcspn(r->text + begin, "\r\n");
}

/* Returns the column, from 1, of the # of a line; 0 if the line has no comment. */
static int comment_column(const struct rewrite *r, uint32_t line)
{
    const size_t begin = line_begin(r, line);
    const char *at = sources_comment(r->text + begin, r->text + line_end(r, begin));
    return at ? (int)(at - (r->text + begin)) + 1 : 0;
}

/* Writes a comment whose # is in `column`, or behind the text of the line if that is longer. */
static enum simsm_status set_comment(struct rewrite *r, uint32_t line, const char *comment,
                                     int column, struct simsm_error *error)
{
    const size_t begin = line_begin(r, line), end = line_end(r, begin);
    const char *old = sources_comment(r->text + begin, r->text + end);
    size_t code = old ? (size_t)(old - r->text) : end;
    char text[LINE_TEXT];
    while (code > begin && r->text[code - 1] == ' ')
        code--;
    const int pad = column - 1 - (int)(code - begin);
    (void)snprintf(text, sizeof text, "%*s# %s", pad > 0 ? pad : 1, "", comment);
    return replace(r, code, end, text, error);
}

/* Replaces bytes begin .. end of a line by `with`; the line's comment stays in its column. */
static enum simsm_status replace_in_line(struct rewrite *r, uint32_t line, size_t begin, size_t end,
                                         const char *with, struct simsm_error *error)
{
    char comment[LINE_TEXT];
    const int column = comment_column(r, line);
    rewrite_old_comment(r, line, comment, sizeof comment);
    enum simsm_status status = replace(r, begin, end, with, error);
    return status == SIMSM_OK && column ? set_comment(r, line, comment, column, error) : status;
}

static bool is_here(const struct rewrite *r, int key)
{
    return r->origins.at[key].file == 1;
}

/* Replaces the value behind the key. A number ends as in block and flow mappings. */
static enum simsm_status replace_here(struct rewrite *r, int key, const char *value,
                                      struct simsm_error *error)
{
    const struct config_origin *origin = &r->origins.at[key];
    size_t begin = line_begin(r, origin->line) + origin->column - 1;
    begin += strcspn(r->text + begin, ":\n");
    begin += r->text[begin] == ':';
    begin += strspn(r->text + begin, " ");
    const size_t end = begin + strcspn(r->text + begin, ",} \r\n");
    return replace_in_line(r, origin->line, begin, end, value, error);
}

/* Returns another key of the same opcode class that this file has, or -1. */
static int same_group(const struct rewrite *r, int key)
{
    const struct schema_row *row = &schema_rows[key];
    for (int id = 0; row->group && id < SCHEMA_ROWS; id++)
        if (is_here(r, id) && schema_rows[id].group &&
            strcmp(schema_rows[id].section, row->section) == 0 &&
            strcmp(schema_rows[id].group, row->group) == 0)
            return id;
    return -1;
}

/* Returns a key of the same section that this file has in braces behind the section's name, or -1.
 */
static int same_braces(const struct rewrite *r, int key)
{
    const char *section = schema_rows[key].section;
    for (int id = 0; id < SCHEMA_ROWS; id++)
        if (is_here(r, id) && strcmp(schema_rows[id].section, section) == 0 &&
            r->text[line_begin(r, r->origins.at[id].line)] == section[0])
            return id;
    return -1;
}

/* Returns the last line of this file that has a key of the section, or 0. */
static uint32_t last_line(const struct rewrite *r, const char *section)
{
    uint32_t line = 0;
    for (int id = 0; id < SCHEMA_ROWS; id++)
        if (is_here(r, id) && strcmp(schema_rows[id].section, section) == 0 &&
            r->origins.at[id].line > line)
            line = r->origins.at[id].line;
    return line;
}

/* Adds the key to the flow mapping in which the file has another key. */
static enum simsm_status insert_beside(struct rewrite *r, int other, int key, const char *value,
                                       struct simsm_error *error)
{
    const struct schema_row *row = &schema_rows[key];
    const uint32_t line = r->origins.at[other].line;
    char text[LINE_TEXT];
    size_t at = line_begin(r, line);
    at += strcspn(r->text + at, "}\n");
    (void)snprintf(text, sizeof text, ", %s: %s", row->key, value);
    if (r->text[at] == '}')
        return replace_in_line(r, line, at, at, text, error);
    return err_at(error, SIMSM_BAD_INPUT, r->path, line, 0,
                  "a mapping in braces on one line is expected, to put %s of %s into it", row->key,
                  row->group ? row->group : row->section);
}

/* Adds a line behind the last line of the section, or a new section at the end. */
static enum simsm_status insert_line(struct rewrite *r, int key, const char *value,
                                     struct simsm_error *error)
{
    const struct schema_row *row = &schema_rows[key];
    const uint32_t last = last_line(r, row->section);
    const size_t at = last ? line_begin(r, last + 1) : r->size;
    const bool open = at && r->text[at - 1] != '\n'; /* the previous line has no newline */
    char head[LINE_TEXT / 4] = "", text[LINE_TEXT];
    if (!last)
        (void)snprintf(head, sizeof head, "\n%s:\n", row->section);
    if (row->group)
        (void)snprintf(text, sizeof text, "%s%s  %s: {%s: %s}\n", open ? "\n" : "", head,
                       row->group, row->key, value);
    else
        (void)snprintf(text, sizeof text, "%s%s  %s: %s\n", open ? "\n" : "", head, row->key,
                       value);
    return replace(r, at, at, text, error);
}

enum simsm_status rewrite_value(struct rewrite *rewrite, int key, const char *value,
                                struct simsm_error *error)
{
    if (is_here(rewrite, key))
        return replace_here(rewrite, key, value, error);
    const int other = schema_rows[key].group ? same_group(rewrite, key) : same_braces(rewrite, key);
    return other >= 0 ? insert_beside(rewrite, other, key, value, error)
                      : insert_line(rewrite, key, value, error);
}

void rewrite_old_comment(const struct rewrite *rewrite, uint32_t line, char *comment, size_t size)
{
    const size_t begin = line_begin(rewrite, line), end = line_end(rewrite, begin);
    const char *at = sources_comment(rewrite->text + begin, rewrite->text + end);
    const char *last = rewrite->text + end;
    comment[0] = '\0';
    if (!at)
        return;
    for (at++; at < last && *at == ' ';)
        at++;
    while (last > at && last[-1] == ' ')
        last--;
    (void)snprintf(comment, size, "%.*s", (int)(last - at), at);
}

enum simsm_status rewrite_comment(struct rewrite *rewrite, uint32_t line, const char *comment,
                                  struct simsm_error *error)
{
    const int column = comment_column(rewrite, line);
    return set_comment(rewrite, line, comment, column ? column : COMMENT_COLUMN, error);
}

/* Returns the line of `base:`, from 1; 0 if no line begins with it. */
static uint32_t base_line(const struct rewrite *r)
{
    uint32_t line = 1;
    for (const char *at = r->text; at; line++) {
        if (strncmp(at, "base:", 5) == 0)
            return line;
        at = strchr(at, '\n');
        at += at != NULL;
    }
    return 0;
}

enum simsm_status rewrite_base(struct rewrite *rewrite, const char *output,
                               struct simsm_error *error)
{
    struct config_origins there;
    char path[CONFIG_PATH], value[CONFIG_PATH + 4];
    enum simsm_status status = parse(rewrite, error);
    if (status != SIMSM_OK || rewrite->origins.file_count < 2)
        return status;
    const char *base = rewrite->origins.files[1];
    if (config_parse_origins(rewrite->text, rewrite->size, output, &there, error) == SIMSM_OK &&
        absolute_same_file(there.files[1], base))
        return SIMSM_OK;
    (void)snprintf(path, sizeof path, "%s", base);
    const uint32_t line = base_line(rewrite);
    if (line && absolute_path(path, sizeof path, NULL)) {
        (void)snprintf(value, sizeof value, " \"%s\"", path);
        const size_t begin = line_begin(rewrite, line) + 5, end = line_end(rewrite, begin);
        const char *comment = sources_comment(rewrite->text + begin, rewrite->text + end);
        status = replace_in_line(rewrite, line, begin,
                                 comment ? (size_t)(comment - rewrite->text) : end, value, error);
    }
    return status == SIMSM_OK
               ? config_parse_origins(rewrite->text, rewrite->size, output, &there, error)
               : status;
}
