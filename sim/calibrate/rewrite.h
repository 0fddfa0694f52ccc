/* Changes values in the text of a configuration; everything else stays as it is. */
#ifndef SIM_CALIBRATE_REWRITE_H
#define SIM_CALIBRATE_REWRITE_H

#include <stddef.h>
#include <stdint.h>

#include "config/config_parse.h"

/* A configuration's file under change. */
struct rewrite {
    const char *path;
    char *text; /* owned */
    size_t size;
    struct config_origins origins; /* places of the keys; file 1 is the text itself */
};

/* Reads the file. `path` must outlive *rewrite. The caller calls rewrite_free() whatever the
 * result. */
enum simsm_status rewrite_open(struct rewrite *rewrite, const char *path,
                               struct simsm_error *error);
void rewrite_free(struct rewrite *rewrite);

/* Sets the key with this index in schema_rows to the number `value`: in the line that has the
 * key or, if only a base file has it, in a new line at the end of its section. */
enum simsm_status rewrite_value(struct rewrite *rewrite, int key, const char *value,
                                struct simsm_error *error);

/* Makes the text fit for the file `output`: a `base:` that does not name the same file from the
 * folder of `output` gets the whole path. Fails if the base cannot be found there all the same. */
enum simsm_status rewrite_base(struct rewrite *rewrite, const char *output,
                               struct simsm_error *error);

/* Replaces the comment of a line, counted from 1, by `comment` (without #). */
enum simsm_status rewrite_comment(struct rewrite *rewrite, uint32_t line, const char *comment,
                                  struct simsm_error *error);

/* Copies the comment of a line, without # and surrounding blanks, cut to `size` bytes including
 * the terminator. */
void rewrite_old_comment(const struct rewrite *rewrite, uint32_t line, char *comment, size_t size);

#endif
