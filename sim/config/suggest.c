#include "config/suggest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/schema.h"
#include "config/value.h"

enum { LONGEST = 40 }; /* longer than any name; further letters of a longer name count one each */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t n = least(strlen(a), LONGEST), m = least(strlen(b), LONGEST);
    size_t rows[3][LONGEST + 1]; /* distances for the letter of `a` two before, the one before, and
                                    this one */
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= m; j++)
        now[j] = before[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return now[m] + (strlen(a) - n) + (strlen(b) - m);
}

bool suggest_is_near(const char *wanted, size_t distance)
{
    size_t length = strlen(wanted);
    return distance <= (length < 6 ? 1 : length / 3);
}

/* Returns the nearest of the names that a section, or the top level (NULL), may have. */
struct nearest_word {
    const char *name;
    size_t distance;
};

static void consider(struct nearest_word *nearest, const char *wanted, const char *name)
{
    size_t distance = strcasecmp(wanted, name) == 0 ? 0 : suggest_distance(wanted, name);
    if (nearest->name && nearest->distance <= distance)
        return;
    *nearest = (struct nearest_word){name, distance};
}

const char *suggest_nearest(const char *wanted, const char *const *names, size_t count)
{
    struct nearest_word nearest = {NULL, 0};
    for (size_t i = 0; i < count; i++)
        consider(&nearest, wanted, names[i]);
    return nearest.name && suggest_is_near(wanted, nearest.distance) ? nearest.name : NULL;
}

const char *suggest_question(const char *name, char text[SUGGEST_QUESTION])
{
    text[0] = '\0';
    if (name)
        (void)snprintf(text, SUGGEST_QUESTION, "; did you mean '%.120s'?", name);
    return text;
}

/* Writes the sections that have a key `name`, as "a, b or c". Returns their number. */
static unsigned homes(const char *name, char *text, size_t size)
{
    const struct schema_row *found[SCHEMA_ROWS];
    unsigned count = 0;
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        if (!schema_rows[i].group && strcmp(schema_rows[i].key, name) == 0)
            found[count++] = &schema_rows[i];
    }
    size_t n = 0;
    for (unsigned i = 0; i < count && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s",
                              i == 0           ? ""
                              : i + 1 == count ? " or "
                                               : ", ",
                              found[i]->section);
    return count;
}

static const char *at_the_top(const char *name, char text[SUGGEST_TEXT])
{
    char where[160], shown[VALUE_SHOWN];
    value_shown(name, shown);
    if (homes(name, where, sizeof where)) {
        (void)snprintf(text, SUGGEST_TEXT, "%s: this key belongs in the section %s", shown, where);
        return text;
    }
    struct nearest_word nearest = {NULL, 0};
    for (const struct schema_section *s = schema_sections; s->name; s++)
        consider(&nearest, name, s->name);
    consider(&nearest, name, "base");
    if (suggest_is_near(name, nearest.distance))
        (void)snprintf(text, SUGGEST_TEXT, "%s: unknown section; the nearest known one is %s",
                       shown, nearest.name);
    else
        (void)snprintf(text, SUGGEST_TEXT,
                       "%s%sunknown section; `simsm config keys` lists what there is", shown,
                       *shown ? ": " : "");
    return text;
}

static bool is_section(const char *name)
{
    return schema_first(name, NULL) >= 0;
}

/* Explains an unknown key in a section without groups: a key of another section, or a mistyped one.
 */
static const char *in_section(const char *section, const char *name, char text[SUGGEST_TEXT])
{
    char where[160], shown[VALUE_SHOWN], path[SCHEMA_PATH];
    value_shown(name, shown);
    if (is_section(name)) {
        (void)snprintf(text, SUGGEST_TEXT,
                       "%s.%s: %s is a section of its own; begin it at the left margin", section,
                       shown, shown);
        return text;
    }
    const struct schema_row *best = NULL;
    size_t cost = SIZE_MAX;
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        const struct schema_row *row = &schema_rows[i];
        if (row->group)
            continue;
        size_t here = 2 * suggest_distance(name, row->key) + (strcmp(row->section, section) != 0);
        if (here < cost) {
            cost = here;
            best = row;
        }
    }
    if (homes(name, where, sizeof where))
        (void)snprintf(text, SUGGEST_TEXT, "%s.%s: this key belongs in the section %s", section,
                       shown, where);
    else if (best && suggest_is_near(name, cost / 2))
        (void)snprintf(text, SUGGEST_TEXT, "%s.%s: unknown key; the nearest known one is %s",
                       section, shown, schema_path(best, path));
    else
        (void)snprintf(text, SUGGEST_TEXT,
                       "%s.%s: unknown key; `simsm config keys` lists what there is", section,
                       shown);
    return text;
}

const char *suggest_for(const char *section, const char *group, const char *name,
                        char text[SUGGEST_TEXT])
{
    if (!section)
        return at_the_top(name, text);
    int first = schema_first(section, group);
    if (first < 0 || !schema_rows[first].group)
        return in_section(section, name, text);
    char shown[VALUE_SHOWN];
    struct nearest_word nearest = {NULL, 0};
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        const struct schema_row *row = &schema_rows[i];
        if (strcmp(row->section, section) == 0 && (!group || strcmp(row->group, group) == 0))
            consider(&nearest, name, group ? row->key : row->group);
    }
    size_t used = (size_t)snprintf(text, SUGGEST_TEXT, "%s.%s%s%s: unknown %s", section,
                                   group ? group : "", group ? "." : "", value_shown(name, shown),
                                   group                           ? "key"
                                   : strcmp(section, "pipes") == 0 ? "pipe"
                                                                   : "opcode class");
    if (used < SUGGEST_TEXT && suggest_is_near(name, nearest.distance))
        (void)snprintf(text + used, SUGGEST_TEXT - used, "; the nearest known one is %s",
                       nearest.name);
    else if (used < SUGGEST_TEXT)
        (void)snprintf(text + used, SUGGEST_TEXT - used,
                       "; `simsm config keys` lists what there is");
    return text;
}
