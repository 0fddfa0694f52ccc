#include "base/printable.h"

#include <stdint.h>

/* Returns the bytes of the UTF-8 character at `text`; 0 for a control character and for invalid
 * UTF-8. */
static size_t character(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = text[0];
    if (first < 0x80)
        return first >= 0x20 && first != 0x7f;
    size_t length = first >= 0xf0 && first < 0xf8   ? 4
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xc0 && first < 0xe0 ? 2
                                                    : 0;
    if (!length)
        return 0;
    uint32_t code = first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
        (code >= 0x80 && code < 0xa0)) /* C1 control characters begin escape sequences, like ESC */
        return 0;
    return length;
}

char *printable(const char *text, char *to, size_t size)
{
    size_t n = 0;
    while (*text) {
        size_t length = character((const unsigned char *)text), bytes = length ? length : 1;
        if (n + bytes >= size)
            break;
        for (size_t i = 0; i < bytes; i++, n++)
            to[n] = length ? text[i] : '?';
        text += bytes;
    }
    to[n] = '\0';
    return to;
}
