/*
 * Where the numbers of a configuration come from. In the shipped files each line that gives a value
 * ends in a comment: `# [trust] source in a few words`. This reads them back.
 */
#ifndef SIM_CONFIG_SOURCES_H
#define SIM_CONFIG_SOURCES_H

#include "config/config_parse.h"

struct sources_trust {
    const char *name, *meaning;
};

/* The tags, from the most to the least trusted; one without a name ends the table. */
extern const struct sources_trust sources_trusts[];

struct source {
    const char *trust; /* from the table; "default": no file gives it; "": the line has no tag */
    char text[200];    /* what follows the tag, or the whole comment where there is none */
};

/* The comment of the line from `line` to `end`: a # outside quotes, at its start or behind a blank.
 * NULL: it has none. */
const char *sources_comment(const char *line, const char *end);

/* Fills source[SCHEMA_ROWS] from the lines of the files that `origins` names. */
enum simsm_status sources_read(const struct config_origins *origins, struct source *source,
                               struct simsm_error *error);

#endif
