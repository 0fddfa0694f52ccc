#include "cli/why_words.h"

#include <string.h>

void why_words(FILE *file, unsigned indent, unsigned width, const char *first, const char *text)
{
    unsigned column = 0;
    const char *parts[] = {first, text};
    if (!*first && !*text)
        return;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        const char *at = parts[part] + strspn(parts[part], " ");
        while (*at) {
            const unsigned length = (unsigned)strcspn(at, " ");
            if (column && column + 1 + length > width) {
                (void)fputc('\n', file);
                column = 0;
            }
            if (!column)
                column = (unsigned)fprintf(file, "%*s", (int)indent, "");
            else
                column += (unsigned)fprintf(file, " ");
            column += (unsigned)fprintf(file, "%.*s", (int)length, at);
            at += length;
            at += strspn(at, " ");
        }
    }
    (void)fputc('\n', file);
}
