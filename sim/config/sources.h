/*
 * Reads the sources of the numbers of a configuration. In the shipped files each line with a value
 * ends in a comment: `# [trust] source in a few words`.
 */
#ifndef SIM_CONFIG_SOURCES_H
#define SIM_CONFIG_SOURCES_H

#include "config/config_parse.h"

struct sources_trust {
    const char *name, *meaning;
};

/* The tags, from the most to the least trusted. A tag without a name ends the table. */
extern const struct sources_trust sources_trusts[];

/* Returns the rank of a tag: 0 for the most trusted tag, the last rank for any other text. */
int sources_rank(const char *tag);

/* Returns the text of a comment (without #) behind its tag, and stores the tag in *trust: a name of
 * the table, or "" if the comment has no tag. */
const char *sources_text(const char *comment, const char **trust);

struct source {
    const char
        *trust; /* a tag of the table; "default": no file has the field; "": the line has no tag */
    char text[200]; /* the comment behind the tag, or the whole comment without a tag */
};

/* Returns the comment of the line from `line` to `end`, which begins with a # outside quotes, at
 * the start of the line or behind a blank. Returns NULL if there is none. */
const char *sources_comment(const char *line, const char *end);

/* Fills source[SCHEMA_ROWS] from the lines of the files that `origins` names. */
enum simsm_status sources_read(const struct config_origins *origins, struct source *source,
                               struct simsm_error *error);

#endif
