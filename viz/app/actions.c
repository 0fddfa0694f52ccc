#include <string.h>

#include "app/app.h"

const struct action_info actions[ACTION_COUNT] = {
#define ACTION(id, section_, keys_, meaning_, run, with)                                           \
    [ACTION_##id] = {.section = (section_), .keys = (keys_), .meaning = (meaning_)},
#include "app/actions.def"
#undef ACTION
};

enum action action_of(const char *key)
{
    size_t length = strlen(key);
    for (uint32_t i = 0; i < ACTION_COUNT; i++)
        for (const char *at = actions[i].keys; *at;) {
            size_t size = strcspn(at, " ");
            if (size == length && memcmp(at, key, size) == 0)
                return (enum action)i;
            at += size + strspn(at + size, " ");
        }
    return ACTION_COUNT;
}
