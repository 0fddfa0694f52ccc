/* The table of options (options.def) as arrays. */
#include "options/options.h"

#include <stddef.h>

const struct option_row option_rows[OPTION_COUNT] = {
#define GROUP(...)
#define SETTING(id, kind, variable, commands, name, letter, argument, group, help)                 \
    {OPTION_KIND_##kind,   variable, NULL, commands, name, letter, argument,                       \
     OPTION_GROUP_##group, help},
#define OPTION(id, kind, prefix, commands, name, letter, argument, group, help)                    \
    {OPTION_KIND_##kind,   NULL, prefix, commands, name, letter, argument,                         \
     OPTION_GROUP_##group, help},
#include "options/options.def"
};

const char *const option_group_titles[OPTION_GROUP_COUNT] = {
#define GROUP(id, title) [OPTION_GROUP_##id] = (title),
#define SETTING(...)
#define OPTION(...)
#include "options/options.def"
};
