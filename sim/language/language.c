/*
 * Looks up translations in compiled catalogues (.mo), which the build makes from the .po files of
 * this folder. gettext() of the C library is no use: it needs files in place and the system's
 * locale for the language, and says English without them.
 */
#include "language/language.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "language/catalogues.h"

/* Where a catalogue has what: the format is described in the manual of gettext. */
enum { AT_COUNT = 8, AT_ENGLISH = 12, AT_TRANSLATED = 16, ENTRY = 8, ENTRY_OFFSET = 4 };

static const struct catalogue *chosen; /* NULL: English */

static uint32_t number_at(size_t at)
{
    const unsigned char *byte = chosen->bytes + at;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

/* Returns text `index` of the table whose offset is stored at `table`. */
static const char *text_at(size_t table, uint32_t index)
{
    const size_t entry = number_at(table) + (size_t)index * ENTRY;
    return (const char *)chosen->bytes + number_at(entry + ENTRY_OFFSET);
}

/* Returns the language of the environment, by the order of POSIX; "": none. */
static const char *from_environment(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value && value[0])
            return value;
    }
    return "";
}

bool language_choose(const char *name)
{
    const bool asked = name != NULL;
    name = asked ? name : from_environment();
    for (const struct catalogue *c = catalogues; c->name; c++) {
        const size_t length = strlen(c->name);
        if (asked ? strcmp(name, c->name) == 0 : strncmp(name, c->name, length) == 0) {
            chosen = c;
            return true;
        }
    }
    if (asked && strcmp(name, "en") != 0)
        return false;
    chosen = NULL;
    return true;
}

const char *language_names(void)
{
    return catalogues->name ? "en or zh" : "en; zh needs a simsm that was built with gettext";
}

const char *language_translated(uint32_t index)
{
    return catalogues[index].name;
}

const char *language_name(void)
{
    return chosen ? chosen->name : "en";
}

const char *translate(const char *english)
{
    if (!chosen || !english[0]) /* the translation of "" is the head of the catalogue */
        return english;
    uint32_t low = 0, high = number_at(AT_COUNT);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(english, text_at(AT_ENGLISH, middle));
        if (order == 0)
            return text_at(AT_TRANSLATED, middle);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return english;
}
