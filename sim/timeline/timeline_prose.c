/* Wraps text at words; Chinese, which has no blanks, at characters. */
#include "timeline/timeline_prose.h"

#include <stdbool.h>
#include <string.h>

/* Returns whether the character at `text` is one of those that are two columns wide. */
static bool is_wide(const char *text)
{
    return (unsigned char)*text >= 0xe3;
}

/* Returns whether the character at `text` may not begin a line. */
static bool is_closing(const char *text)
{
    static const char *const closing[] = {"\u201d", "\u3001", "\u3002", "\uff01", "\uff09",
                                          "\uff0c", "\uff1a", "\uff1b", "\uff1f"};
    for (size_t i = 0; i < sizeof closing / sizeof closing[0]; i++)
        if (strncmp(text, closing[i], strlen(closing[i])) == 0)
            return true;
    return false;
}

/* Returns whether the character before `text` may not end a line. */
static bool is_behind_opening(const char *text, uint32_t bytes)
{
    return bytes >= 3 && strncmp(text - 3, "\uff08", 3) == 0;
}

/* Returns the bytes, and sets the columns, of what may not be divided at the beginning of `text`.
 */
static uint32_t first_word(const char *text, uint32_t *columns)
{
    uint32_t bytes = 0;
    *columns = 0;
    while (text[bytes] && text[bytes] != ' ') {
        const bool wide = is_wide(text + bytes);
        *columns += wide ? 2 : 1;
        do
            bytes++;
        while (((unsigned char)text[bytes] & 0xc0) == 0x80);
        if ((wide || is_wide(text + bytes)) && !is_closing(text + bytes) &&
            !is_behind_opening(text + bytes, bytes))
            break;
    }
    return bytes;
}

void prose_wrap(FILE *file, const char *text, uint32_t at, uint32_t indent, uint32_t width)
{
    uint32_t column = at, blanks = 0;
    while (*text) {
        uint32_t columns;
        const uint32_t word = first_word(text, &columns);
        if (column > indent && column + blanks + columns > width) {
            (void)fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        } else {
            (void)fprintf(file, "%*s", (int)blanks, "");
            column += blanks;
        }
        (void)fwrite(text, 1, word, file);
        column += columns;
        text += word;
        blanks = (uint32_t)strspn(text, " ");
        text += blanks;
    }
    (void)fputc('\n', file);
}
