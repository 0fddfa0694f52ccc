/* Changing values in the text of a configuration, everything else staying as it is. */
#ifndef SIM_CALIBRATE_REWRITE_H
#define SIM_CALIBRATE_REWRITE_H

#include <stddef.h>
#include <stdint.h>

#include "config/config_parse.h"

/* A configuration's file while it is being changed. */
struct rewrite {
    const char *path;
    char *text; /* owned */
    size_t size;
    struct config_origins origins; /* of the text; file 1 is the text itself */
};

/* Reads the file. rewrite_free must be called whatever it returns; `path` must outlive it. */
enum simsm_status rewrite_open(struct rewrite *rewrite, const char *path,
                               struct simsm_error *error);
void rewrite_free(struct rewrite *rewrite);

/*
 * Gives the key with this index of schema_rows the value `value`, a number: in the line that has
 * it, or, if a file has it that this one builds on, in a new line at the end of its section.
 */
enum simsm_status rewrite_value(struct rewrite *rewrite, int key, const char *value,
                                struct simsm_error *error);

/* Gives a line, from 1, the comment `comment` (without #) in place of the one that it has. */
enum simsm_status rewrite_comment(struct rewrite *rewrite, uint32_t line, const char *comment,
                                  struct simsm_error *error);

/* The comment of a line, without # and blanks around it, cut to `size` bytes with its terminator.
 */
void rewrite_old_comment(const struct rewrite *rewrite, uint32_t line, char *comment, size_t size);

#endif
