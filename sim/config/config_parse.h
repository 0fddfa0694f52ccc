/*
 * Parses a YAML configuration: sections of keys as in the schema. A file may build on another one
 * by `base: FILE` as its first key.
 */
#ifndef SIM_CONFIG_CONFIG_PARSE_H
#define SIM_CONFIG_CONFIG_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "config/schema.h"
#include "simsm/config.h"
#include "simsm/error.h"

enum {
    CONFIG_CHAIN = 8,       /* longest chain of `base:` files */
    CONFIG_PATH = 1024,     /* longest path, with terminator */
    CONFIG_LIMIT = 1 << 20, /* bytes of a file */
};

/* Where each field got its value. */
struct config_origins {
    char files[CONFIG_CHAIN + 1][CONFIG_PATH];
    uint32_t file_count;
    struct config_origin {
        uint32_t file;         /* index into `files` + 1; 0: the field has its default */
        uint32_t line, column; /* line of the key, from 1 */
    } at[SCHEMA_ROWS];
};

/*
 * Parses `size` bytes of `text` and checks the result. `file` names the text in messages, and
 * `base:` is relative to its folder; if it is NULL, `base:` is refused and no file is read. On
 * failure the content of *config is undefined.
 */
enum simsm_status config_parse(const char *text, size_t size, const char *file,
                               struct simsm_config *config, struct simsm_error *error);

/* Like config_parse, but fills *origins and does not check that fields fit together. */
enum simsm_status config_parse_origins(const char *text, size_t size, const char *file,
                                       struct config_origins *origins, struct simsm_error *error);

/* Parses and checks the file at `path`. Fills *origins (not NULL). */
enum simsm_status config_parse_file(const char *path, struct simsm_config *config,
                                    struct config_origins *origins, struct simsm_error *error);

#endif
