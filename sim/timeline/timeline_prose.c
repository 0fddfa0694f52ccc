/* Wraps text at words. */
#include "timeline/timeline_prose.h"

#include <string.h>

void prose_wrap(FILE *file, const char *text, uint32_t at, uint32_t indent, uint32_t width)
{
    uint32_t column = at, blanks = 0;
    while (*text) {
        uint32_t word = (uint32_t)strcspn(text, " ");
        if (column > indent && column + blanks + word > width) {
            (void)fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        } else {
            (void)fprintf(file, "%*s", (int)blanks, "");
            column += blanks;
        }
        (void)fwrite(text, 1, word, file);
        column += word;
        text += word;
        blanks = (uint32_t)strspn(text, " ");
        text += blanks;
    }
    (void)fputc('\n', file);
}
