/* A GPU's configuration as plain data. Its fields come from defs/config_fields.def. */
#ifndef SIMSM_CONFIG_H
#define SIMSM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "simsm/error.h"
#include "simsm/names.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CHOICES(table)                                                                             \
    enum simsm_##table                                                                             \
    {
#define CHOICE(table, id, ...) SIMSM_##id##_##table,
#define CHOICES_END(table)                                                                         \
    SIMSM_COUNT_##table                                                                            \
    }                                                                                              \
    ;
#include "simsm/defs/config_enums.def"
#undef CHOICES
#undef CHOICE
#undef CHOICES_END

/* Timing of one opcode class. */
struct simsm_op_timing {
    uint32_t pipe;     /* enum simsm_pipe */
    uint32_t latency;  /* cycles from issue to a dependent issue */
    uint32_t interval; /* cycles for which one warp instruction holds the pipe */
};

/* Units and meaning of each field: defs/config_fields.def. */
struct simsm_config {
#define SECTION(section, meaning)
#define UINT(section, key, ...)        uint32_t section##_##key;
#define VERSION(section, key, ...)     uint32_t section##_##key;
#define REAL(section, key, ...)        double section##_##key;
#define BOOL(section, key, ...)        bool section##_##key;
#define ENUM(section, key, table, ...) enum simsm_##table section##_##key;
#define TEXT(section, key, size, ...)  char section##_##key[size];
#define LIST(section, key, count, ...) uint32_t section##_##key[count], section##_##key##_count;
#define MAP(section, key, size, ...)   char section##_##key[size];
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
    bool pipe_shared[SIMSM_PIPE_COUNT]; /* true: the SM has one such pipe; false: each
                                           sub-partition has one */
    struct simsm_op_timing ops[SIMSM_OP_COUNT];
};

/*
 * Reads and checks a configuration file. `name` is a path, or a bare name such as "t4", which is
 * looked up as ./configs/<name>.yaml and then in the installed data folder. On success fills
 * *config completely and returns SIMSM_OK. On failure fills *error (not NULL) and returns its
 * status; the content of *config is then undefined.
 */
enum simsm_status simsm_config_load(struct simsm_config *config, const char *name,
                                    struct simsm_error *error);

/*
 * Sets one field from text such as "sm.scheduler=gto" or "ops.fp32.latency=4". Checks only that
 * value; call simsm_config_check after the last assignment.
 */
enum simsm_status simsm_config_set(struct simsm_config *config, const char *assignment,
                                   struct simsm_error *error);

/* Returns SIMSM_BAD_INPUT if fields contradict each other; *error names them. */
enum simsm_status simsm_config_check(const struct simsm_config *config, struct simsm_error *error);

/* Writes a YAML file that simsm_config_load reads back to the same configuration. */
enum simsm_status simsm_config_dump(const struct simsm_config *config, FILE *file,
                                    struct simsm_error *error);

#ifdef __cplusplus
}
#endif

#endif
