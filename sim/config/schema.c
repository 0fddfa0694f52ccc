#include "config/schema.h"

#include <stdio.h>
#include <string.h>

#define CHOICES(table)                                                                             \
    _Static_assert(sizeof(enum simsm_##table) == 4, "kept as uint32_t");                           \
    static const struct schema_choice choices_##table[] = {
#define CHOICE(table, id, name, meaning) {name, meaning},
#define CHOICES_END(table)                                                                         \
    {                                                                                              \
        NULL, NULL                                                                                 \
    }                                                                                              \
    }                                                                                              \
    ;
#include "simsm/defs/config_enums.def"
#undef CHOICES
#undef CHOICE
#undef CHOICES_END

static const struct schema_choice choices_pipe[] = {
#define PIPE(id, name, meaning) {name, meaning},
#include "simsm/defs/pipes.def"
#undef PIPE
    {NULL, NULL},
};

const struct schema_section schema_sections[] = {
#define SECTION(section, meaning) {#section, meaning, false},
#define UINT(...)
#define VERSION(...)
#define REAL(...)
#define BOOL(...)
#define ENUM(...)
#define TEXT(...)
#define LIST(...)
#define MAP(...)
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
    {"pipes", "execution pipes", true},
    {"ops", "opcode classes: how instructions of a class are executed", true},
    {NULL, NULL, false},
};

/* The default of a key that has none: below every minimum. */
#define REQUIRED              (-1)
#define FIELD(section_, key_) offsetof(struct simsm_config, section_##_##key_)
#define OP_FIELD(id, key_)                                                                         \
    (offsetof(struct simsm_config, ops) + SIMSM_OP_##id * sizeof(struct simsm_op_timing) +         \
     offsetof(struct simsm_op_timing, key_))
#define NUMBER(type_, section_, key_, value_, min_, max_, unit_, meaning_)                         \
    [SCHEMA_##section_##_##key_] = {.section = #section_,                                          \
                                    .key = #key_,                                                  \
                                    .type = (type_),                                               \
                                    .offset = FIELD(section_, key_),                               \
                                    .value = (value_),                                             \
                                    .required = (value_) == REQUIRED,                              \
                                    .min = (min_),                                                 \
                                    .max = (max_),                                                 \
                                    .unit = (unit_),                                               \
                                    .meaning = (meaning_)},

const struct schema_row schema_rows[SCHEMA_ROWS] = {
#define SECTION(section, meaning)
#define UINT(section_, key_, ...)    NUMBER(SCHEMA_UINT, section_, key_, __VA_ARGS__)
#define VERSION(section_, key_, ...) NUMBER(SCHEMA_VERSION, section_, key_, __VA_ARGS__)
#define REAL(section_, key_, ...)    NUMBER(SCHEMA_REAL, section_, key_, __VA_ARGS__)
#define BOOL(section_, key_, value_, meaning_)                                                     \
    NUMBER(SCHEMA_BOOL, section_, key_, value_, 0, 1, "", meaning_)
#define ENUM(section_, key_, table_, value_, meaning_)                                             \
    [SCHEMA_##section_##_##key_] = {.section = #section_,                                          \
                                    .key = #key_,                                                  \
                                    .type = SCHEMA_ENUM,                                           \
                                    .offset = FIELD(section_, key_),                               \
                                    .value = SIMSM_##value_##_##table_,                            \
                                    .choices = choices_##table_,                                   \
                                    .unit = "",                                                    \
                                    .meaning = (meaning_)},
#define TEXT(section_, key_, size_, text_, meaning_)                                               \
    [SCHEMA_##section_##_##key_] = {.section = #section_,                                          \
                                    .key = #key_,                                                  \
                                    .type = SCHEMA_TEXT,                                           \
                                    .offset = FIELD(section_, key_),                               \
                                    .text = (text_),                                               \
                                    .size = (size_),                                               \
                                    .unit = "",                                                    \
                                    .meaning = (meaning_)},
#define LIST(section_, key_, size_, unit_, meaning_)                                               \
    [SCHEMA_##section_##_##key_] = {.section = #section_,                                          \
                                    .key = #key_,                                                  \
                                    .type = SCHEMA_LIST,                                           \
                                    .offset = FIELD(section_, key_),                               \
                                    .count_offset = FIELD(section_, key_##_count),                 \
                                    .size = (size_),                                               \
                                    .max = UINT32_MAX,                                             \
                                    .unit = (unit_),                                               \
                                    .meaning = (meaning_)},
#define MAP(section_, key_, size_, meaning_)                                                       \
    [SCHEMA_##section_##_##key_] = {.section = #section_,                                          \
                                    .key = #key_,                                                  \
                                    .type = SCHEMA_MAP,                                            \
                                    .offset = FIELD(section_, key_),                               \
                                    .size = (size_),                                               \
                                    .unit = "",                                                    \
                                    .meaning = (meaning_)},
#include "simsm/defs/config_fields.def"
#define PIPE(id, name_, meaning_)                                                                  \
    [SCHEMA_pipes_##id##_shared] = {.section = "pipes",                                            \
                                    .group = (name_),                                              \
                                    .key = "shared",                                               \
                                    .type = SCHEMA_BOOL,                                           \
                                    .offset = offsetof(struct simsm_config, pipe_shared) +         \
                                              SIMSM_PIPE_##id * sizeof(bool),                      \
                                    .max = 1,                                                      \
                                    .unit = "",                                                    \
                                    .meaning = (meaning_)},
#include "simsm/defs/pipes.def"
#define OP_CYCLES(id, name_, key_, value_, min_, meaning_)                                         \
    [SCHEMA_ops_##id##_##key_] = {.section = "ops",                                                \
                                  .group = (name_),                                                \
                                  .key = #key_,                                                    \
                                  .type = SCHEMA_UINT,                                             \
                                  .offset = OP_FIELD(id, key_),                                    \
                                  .value = (value_),                                               \
                                  .min = (min_),                                                   \
                                  .max = 10000,                                                    \
                                  .unit = "cycle",                                                 \
                                  .meaning = (meaning_)},
#define OP_CLASS(id, name_, pipe_, route_, latency_, interval_, meaning_)                          \
    [SCHEMA_ops_##id##_pipe] = {.section = "ops",                                                  \
                                .group = (name_),                                                  \
                                .key = "pipe",                                                     \
                                .type = SCHEMA_ENUM,                                               \
                                .offset = OP_FIELD(id, pipe),                                      \
                                .value = SIMSM_PIPE_##pipe_,                                       \
                                .choices = choices_pipe,                                           \
                                .unit = "",                                                        \
                                .meaning = (meaning_)},                                            \
    OP_CYCLES(id, name_, latency, latency_, 0, meaning_)                                           \
        OP_CYCLES(id, name_, interval, interval_, 1, meaning_)
#include "simsm/defs/op_classes.def"
};

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

int schema_find(const char *section, const char *group, const char *key)
{
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        const struct schema_row *row = &schema_rows[i];
        if (same(row->section, section) && same(row->group, group) && same(row->key, key))
            return i;
    }
    return -1;
}

int schema_first(const char *section, const char *group)
{
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        const struct schema_row *row = &schema_rows[i];
        if (same(row->section, section) && (!group || same(row->group, group)))
            return i;
    }
    return -1;
}

const char *schema_path(const struct schema_row *row, char path[SCHEMA_PATH])
{
    (void)snprintf(path, SCHEMA_PATH, "%s.%s%s%s", row->section, row->group ? row->group : "",
                   row->group ? "." : "", row->key);
    return path;
}

int schema_find_path(const char *path)
{
    char text[SCHEMA_PATH];
    for (int id = 0; id < SCHEMA_ROWS; id++)
        if (strcmp(schema_path(&schema_rows[id], text), path) == 0)
            return id;
    return -1;
}

const char *schema_choice_name(enum schema_id id, uint32_t value)
{
    return schema_rows[id].choices[value].name;
}

bool schema_is_bytes(const struct schema_row *row)
{
    return strcmp(row->unit, "byte") == 0;
}

void schema_defaults(struct simsm_config *config)
{
    memset(
        config, 0,
        sizeof *config); /* clears the padding too, so that equal configurations have equal bytes */
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        const struct schema_row *row = &schema_rows[i];
        char *field = (char *)config + row->offset;
        uint32_t number = row->required ? 0 : (uint32_t)row->value;
        bool flag = number != 0;
        double real = row->required ? 0 : row->value;
        switch (row->type) {
        case SCHEMA_UINT:
        case SCHEMA_VERSION:
        case SCHEMA_ENUM:
            memcpy(field, &number, sizeof number);
            break;
        case SCHEMA_REAL:
            memcpy(field, &real, sizeof real);
            break;
        case SCHEMA_BOOL:
            memcpy(field, &flag, sizeof flag);
            break;
        case SCHEMA_TEXT:
            (void)snprintf(field, row->size, "%s", row->text);
            break;
        case SCHEMA_LIST:
        case SCHEMA_MAP:
            break;
        }
    }
}
