#include "config/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/infile.h"
#include "config/value.h"

const struct sources_trust sources_trusts[] = {
    {"measured", "measured on hardware, by this project or in published raw results"},
    {"vendor", "taken from documents and headers of NVIDIA"},
    {"paper", "taken from a publication or from its simulator"},
    {"derived", "calculated from measured, vendor or published values"},
    {"recalled", "published, but the source was not read again for this file"},
    {"transferred", "carried over from a measured GPU by a rule (`simsm calibrate --from`)"},
    {"estimate", "guessed or chosen"},
    {NULL, NULL},
};

const char *sources_comment(const char *line, const char *end)
{
    char quote = '\0';
    for (const char *at = line; at < end; at++) {
        if (quote) {
            if (*at == '\\' && quote == '"')
                at++;
            else if (*at == quote)
                quote = '\0';
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '#' && (at == line || at[-1] == ' ' || at[-1] == '\t')) {
            return at;
        }
    }
    return NULL;
}

int sources_rank(const char *tag)
{
    int rank = 0;
    while (sources_trusts[rank].name && strcmp(sources_trusts[rank].name, tag) != 0)
        rank++;
    return sources_trusts[rank].name ? rank : rank - 1;
}

const char *sources_text(const char *comment, const char **trust)
{
    *trust = "";
    for (const struct sources_trust *row = sources_trusts; row->name; row++) {
        const size_t length = strlen(row->name);
        if (comment[0] != '[' || strncmp(comment + 1, row->name, length) != 0 ||
            comment[length + 1] != ']')
            continue;
        *trust = row->name;
        comment += length + 2;
        return comment + strspn(comment, " ");
    }
    return comment;
}

static void read_comment(const char *line, const char *end, struct source *source)
{
    char comment[sizeof source->text + 20];
    const char *at = sources_comment(line, end);
    if (!at)
        return;
    for (at++; at < end && *at == ' ';)
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    (void)snprintf(comment, sizeof comment, "%.*s", (int)(end - at), at);
    (void)snprintf(source->text, sizeof source->text, "%s", sources_text(comment, &source->trust));
    for (char *c = source->text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    }
}

/* Reads the lines of file number `file` (from 1) and fills the sources of its fields. */
static enum simsm_status read_lines(const struct config_origins *origins, uint32_t file,
                                    struct source *source, struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum simsm_status status =
        infile_read(origins->files[file - 1], "configuration", CONFIG_LIMIT, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    const char *line = text, *last = text + size;
    for (uint32_t number = 1; line < last; number++) {
        const char *end = memchr(line, '\n', (size_t)(last - line));
        if (!end)
            end = last;
        for (int id = 0; id < SCHEMA_ROWS; id++) {
            if (origins->at[id].file == file && origins->at[id].line == number)
                read_comment(line, end, &source[id]);
        }
        line = end < last ? end + 1 : last;
    }
    free(text);
    return SIMSM_OK;
}

enum simsm_status sources_read(const struct config_origins *origins, struct source *source,
                               struct simsm_error *error)
{
    for (int id = 0; id < SCHEMA_ROWS; id++) {
        source[id] = (struct source){.trust = origins->at[id].file ? "" : "default"};
    }
    for (uint32_t file = 1; file <= origins->file_count; file++) {
        enum simsm_status status = read_lines(origins, file, source, error);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}
