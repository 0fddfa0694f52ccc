/* The table of options: what the commands, the runtime library and the completions know of them. */
#ifndef SIM_OPTIONS_OPTIONS_H
#define SIM_OPTIONS_OPTIONS_H

/* The commands that take rows of the table. SIMULATE is `simsm CONFIG TRACE`, RECORD_PROGRAM is
 * `simsm record CONFIG -- PROGRAM`. */
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
    OF_TIMELINE = 1 << 10
};

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

enum option_group {
    OPTION_GROUP_NONE,
#define GROUP(id, title) OPTION_GROUP_##id,
#define SETTING(...)
#define OPTION(...)
#include "options/options.def"
    OPTION_GROUP_COUNT
};

/* The rows SETTING, which are the first of the table. */
enum setting_id {
#define GROUP(...)
#define SETTING(id, ...) SETTING_ID_##id,
#define OPTION(...)
#include "options/options.def"
    SETTING_ID_COUNT
};

/* All rows; OPTION_x equals SETTING_ID_x where both are. */
enum option_id {
#define GROUP(...)
#define SETTING(id, ...) OPTION_##id,
#define OPTION(id, ...)  OPTION_##id,
#include "options/options.def"
    OPTION_COUNT
};

struct option_row {
    enum option_kind kind;
    const char *variable; /* of the environment; NULL: not a setting */
    const char *prefix;   /* before the value of ASSIGN and PARAMETER; NULL: nothing */
    unsigned commands;    /* enum option_commands */
    const char *option;   /* without "--"; NULL: no command has it */
    char letter;          /* or 0 */
    const char *argument; /* NULL: none */
    enum option_group group;
    const char *help;
};

extern const struct option_row option_rows[OPTION_COUNT];
extern const char *const option_group_titles[OPTION_GROUP_COUNT];

#endif
