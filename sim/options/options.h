/* The table of options, for the commands, the runtime library and the completions. */
#ifndef SIM_OPTIONS_OPTIONS_H
#define SIM_OPTIONS_OPTIONS_H

/* Sets of commands that take a row of the table. OF_SIMULATE is `simsm CONFIG TRACE`,
 * OF_RECORD_PROGRAM is `simsm record CONFIG -- PROGRAM`. */
enum option_commands {
    OF_SIMULATE = 1 << 0,
    OF_RUN = 1 << 1,
    OF_RECORD = 1 << 2,
    OF_RECORD_PROGRAM = 1 << 3,
    OF_REPEAT = 1 << 4,
    OF_SWEEP = 1 << 5,
    OF_TRACE = 1 << 6,
    OF_CLOSURE = 1 << 7,
    OF_CALIBRATE = 1 << 8,
    OF_OCCUPANCY = 1 << 9,
    OF_TIMELINE = 1 << 10,
    OF_CHECK = 1 << 11, /* `simsm check CONFIG -- PROGRAM` */
    OF_DIFF = 1 << 12,  /* the runs of `simsm diff` and `simsm check-speed` */
    OF_WHY = 1 << 13,
    OF_LANGUAGE = 1 << 14 /* commands whose texts are translated */
};

/* What the value of an option is (options.def explains each kind). */
enum option_kind {
    OPTION_KIND_TEXT,
    OPTION_KIND_PATH,
    OPTION_KIND_OPTIONAL_PATH,
    OPTION_KIND_FLAG,
    OPTION_KIND_COUNT,
    OPTION_KIND_SIZE,
    OPTION_KIND_ASSIGN,
    OPTION_KIND_PARAMETER,
    OPTION_KIND_POLICY
};

/* The groups of options in --help. */
enum option_group {
    OPTION_GROUP_NONE,
#define GROUP(id, title) OPTION_GROUP_##id,
#define SETTING(...)
#define OPTION(...)
#include "options/options.def"
    OPTION_GROUP_COUNT
};

/* The rows SETTING, at the beginning of the table. */
enum setting_id {
#define GROUP(...)
#define SETTING(id, ...) SETTING_ID_##id,
#define OPTION(...)
#include "options/options.def"
    SETTING_ID_COUNT
};

/* All rows. OPTION_x equals SETTING_ID_x for a row SETTING. */
enum option_id {
#define GROUP(...)
#define SETTING(id, ...) OPTION_##id,
#define OPTION(id, ...)  OPTION_##id,
#include "options/options.def"
    OPTION_COUNT
};

/* A row of the table. */
struct option_row {
    enum option_kind kind;
    const char *variable; /* environment variable; NULL: no setting */
    const char *prefix;   /* of an assignment or parameter; NULL: "" */
    unsigned commands;    /* set of enum option_commands */
    const char *option;   /* without "--"; NULL: not on a command line */
    char letter;          /* 0: none */
    const char *argument; /* name of the value in --help; NULL: no value */
    enum option_group group;
    const char *help;
};

/* The rows, by enum option_id. */
extern const struct option_row option_rows[OPTION_COUNT];

/* The titles of the groups in --help, by enum option_group; NULL for OPTION_GROUP_NONE. */
extern const char *const option_group_titles[OPTION_GROUP_COUNT];

#endif
