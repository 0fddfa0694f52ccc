/* Replaces the colours of two pictures by variables. */
#include "html/recolour.h"

#include <stdlib.h>
#include <string.h>

enum { COLOUR_TEXT = 7 }; /* "#rrggbb" */

/* Reads the colour at `at`, behind a quotation mark. Returns false if there is none. */
static bool colour_at(const char *at, uint32_t *colour)
{
    char digits[COLOUR_TEXT];
    if (*at != '#' || strspn(at + 1, "0123456789abcdef") < COLOUR_TEXT - 1)
        return false;
    memcpy(digits, at + 1, COLOUR_TEXT - 1);
    digits[COLOUR_TEXT - 1] = '\0';
    *colour = (uint32_t)strtoul(digits, NULL, 16);
    return true;
}

static unsigned number_of(struct recolour *colours, uint32_t light, uint32_t dark)
{
    unsigned i = 0;
    while (i < colours->count && (colours->light[i] != light || colours->dark[i] != dark))
        i++;
    if (i == colours->count && i < RECOLOUR_MOST) {
        colours->light[i] = light;
        colours->dark[i] = dark;
        colours->count++;
    }
    return i;
}

static bool ends_with(const char *begin, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - begin) >= length && memcmp(end - length, word, length) == 0;
}

/* Walks through both pictures. Without a file only checks that they differ in colours alone. */
static bool walk(struct recolour *colours, const char *light, const char *dark, const char *ids,
                 FILE *file)
{
    const char *begin = light;
    bool inside = false; /* inside a tag; texts are copied unchanged */
    for (; *light && *light == *dark; light++, dark++) {
        uint32_t a, b;
        if (inside && ends_with(begin, light, "\"") && colour_at(light, &a) &&
            colour_at(dark, &b)) {
            unsigned number = number_of(colours, a, b);
            if (number == RECOLOUR_MOST)
                return false;
            if (file)
                fprintf(file, "var(--c%u)", number);
            light += COLOUR_TEXT - 1;
            dark += COLOUR_TEXT - 1;
            continue;
        }
        if (file && inside &&
            (ends_with(begin, light, " id=\"") || ends_with(begin, light, "url(#")))
            fputs(ids, file);
        if (file)
            fputc(*light, file);
        inside = *light == '<' || (inside && *light != '>');
    }
    return *light == *dark;
}

void recolour_write(struct recolour *colours, const char *light, const char *dark, const char *ids,
                    FILE *file)
{
    if (!walk(colours, light, dark, ids, NULL))
        dark = light;
    (void)walk(colours, light, dark, ids, file);
}

void recolour_variables(const struct recolour *colours, bool dark, FILE *file)
{
    for (unsigned i = 0; i < colours->count; i++)
        fprintf(file, "--c%u:#%06x;", i, (unsigned)(dark ? colours->dark : colours->light)[i]);
}
