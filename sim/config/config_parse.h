/*
 * YAML to struct simsm_config: sections of keys as in the schema, and `base: FILE` as the first
 * key for a file that builds on another one.
 */
#ifndef SIM_CONFIG_CONFIG_PARSE_H
#define SIM_CONFIG_CONFIG_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "config/schema.h"
#include "simsm/config.h"
#include "simsm/error.h"

enum {
    CONFIG_CHAIN = 8,       /* most files that a file may build on, one on another */
    CONFIG_PATH = 1024,     /* longest path, with terminator */
    CONFIG_LIMIT = 1 << 20, /* bytes of a file */
};

/* Where each field got its value. */
struct config_origins {
    char files[CONFIG_CHAIN + 1][CONFIG_PATH];
    uint32_t file_count;
    struct config_origin {
        uint32_t file; /* index into `files` + 1; 0: no file gave the field, it has its default */
        uint32_t line, column; /* of the key, from 1 */
    } at[SCHEMA_ROWS];
};

/*
 * Parses `size` bytes of `text` and checks the result. `file` names it in messages and is what a
 * `base:` is relative to; with NULL, `base:` is refused and no file is touched. On
 * failure *config is undefined.
 */
enum simsm_status config_parse(const char *text, size_t size, const char *file,
                               struct simsm_config *config, struct simsm_error *error);

/* Where each field of such a text has its value, whether they fit together or not. */
enum simsm_status config_parse_origins(const char *text, size_t size, const char *file,
                                       struct config_origins *origins, struct simsm_error *error);

/* As config_parse for the file at `path`, and fills *origins (may not be NULL). */
enum simsm_status config_parse_file(const char *path, struct simsm_config *config,
                                    struct config_origins *origins, struct simsm_error *error);

#endif
