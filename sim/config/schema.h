/*
 * The configuration's keys as one table, made from the tables in include/simsm/defs. Parser,
 * checks, dump, `simsm config` and the documentation all read it.
 */
#ifndef SIM_CONFIG_SCHEMA_H
#define SIM_CONFIG_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/config.h"

/* SCHEMA_sm_warp_slots, SCHEMA_pipes_FP64_shared, SCHEMA_ops_FP32_latency, ... */
enum schema_id {
#define SECTION(section, meaning)
#define UINT(section, key, ...)    SCHEMA_##section##_##key,
#define VERSION(section, key, ...) SCHEMA_##section##_##key,
#define REAL(section, key, ...)    SCHEMA_##section##_##key,
#define BOOL(section, key, ...)    SCHEMA_##section##_##key,
#define ENUM(section, key, ...)    SCHEMA_##section##_##key,
#define TEXT(section, key, ...)    SCHEMA_##section##_##key,
#define LIST(section, key, ...)    SCHEMA_##section##_##key,
#define MAP(section, key, ...)     SCHEMA_##section##_##key,
#include "simsm/defs/config_fields.def"
#undef SECTION
#undef UINT
#undef VERSION
#undef REAL
#undef BOOL
#undef ENUM
#undef TEXT
#undef LIST
#undef MAP
#define PIPE(id, ...) SCHEMA_pipes_##id##_shared,
#include "simsm/defs/pipes.def"
#undef PIPE
#define OP_CLASS(id, ...)                                                                          \
    SCHEMA_ops_##id##_pipe, SCHEMA_ops_##id##_latency, SCHEMA_ops_##id##_interval,
#include "simsm/defs/op_classes.def"
#undef OP_CLASS
    SCHEMA_ROWS
};

enum schema_type {
    SCHEMA_UINT,    /* uint32_t */
    SCHEMA_VERSION, /* uint32_t, 10 x major + minor; written as in 7.5 */
    SCHEMA_REAL,    /* double */
    SCHEMA_BOOL,    /* bool */
    SCHEMA_ENUM,    /* uint32_t or an enum of that size; written by name */
    SCHEMA_TEXT,    /* char[size] */
    SCHEMA_LIST,    /* uint32_t[size], none below the one before, and a count */
    SCHEMA_MAP,     /* char[size]: "name=value name=value", by name */
};

struct schema_choice {
    const char *name, *meaning;
};

struct schema_row {
    const char *section;
    const char *group; /* the pipe or opcode class in `pipes` and `ops`; else NULL */
    const char *key;
    const char *unit, *meaning;
    size_t offset;                       /* in struct simsm_config */
    size_t count_offset;                 /* LIST: of its count */
    double value;                        /* default; BOOL: 0 or 1, ENUM: the value */
    double min, max;                     /* UINT, REAL */
    const char *text;                    /* TEXT: default */
    const struct schema_choice *choices; /* ENUM; a choice without a name ends them */
    uint32_t size;                       /* TEXT, MAP: bytes with terminator; LIST: most items */
    enum schema_type type;
    bool required; /* a file must give it; there is no default */
};

struct schema_section {
    const char *name, *meaning;
    bool grouped; /* its keys lie one level deeper */
};

extern const struct schema_row schema_rows[SCHEMA_ROWS];
/* In the order of the file; a section without a name ends the table. */
extern const struct schema_section schema_sections[];

/* The row of a key, -1 if there is none; `group` may be NULL. */
int schema_find(const char *section, const char *group, const char *key);

/* The row of a path as schema_path() writes it, -1 if there is none. */
int schema_find_path(const char *path);

/* The first row of a section (group NULL) or of a group, -1 if there is none. */
int schema_first(const char *section, const char *group);

/* Longest "section.group.key", with terminator. */
enum { SCHEMA_PATH = 64 };

/* Writes "section.key" or "section.group.key" into `path`, which it returns. */
const char *schema_path(const struct schema_row *row, char path[SCHEMA_PATH]);

/* Returns the name of a value of the ENUM row `id`. */
const char *schema_choice_name(enum schema_id id, uint32_t value);

/* Whether the value is a size in bytes, for which 64KB and the like are understood. */
bool schema_is_bytes(const struct schema_row *row);

/* Fills *config with the defaults; required fields with 0. */
void schema_defaults(struct simsm_config *config);

#endif
