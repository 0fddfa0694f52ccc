#include "draw/label.h"

#include <math.h>
#include <stdbool.h>

/* Returns the length of the UTF-8 character at `s` in bytes, or 0 if it is malformed. */
static unsigned utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    unsigned length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Overlong forms, surrogates, and what lies beyond the last code point. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* Advances to the next character. Returns whether the character is printable: not a C0 or C1
 * control, DEL, or a malformed byte. */
static bool next(const char **text, const char **character, unsigned *length)
{
    const unsigned char *s = (const unsigned char *)*text;
    unsigned bytes = utf8_length(s);
    bool control = s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0) ||
                   (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
    *character = *text;
    *length = bytes ? bytes : 1;
    *text += *length;
    return bytes != 0 && !control;
}

unsigned label_width(const char *text)
{
    unsigned width = 0, length;
    const char *character;
    for (; text && *text; width++)
        (void)next(&text, &character, &length);
    return width;
}

void label_pad(FILE *file, const char *text, unsigned width)
{
    unsigned length;
    const char *character;
    for (; text && *text && width; width--) {
        if (next(&text, &character, &length))
            (void)fwrite(character, 1, length, file);
        else
            (void)fputc('?', file);
    }
    (void)fprintf(file, "%*s", (int)width, "");
}

void label_xml(FILE *file, const char *text)
{
    unsigned length;
    const char *character;
    while (text && *text) {
        if (!next(&text, &character, &length))
            (void)fputc('?', file);
        else if (*character == '&')
            (void)fputs("&amp;", file);
        else if (*character == '<')
            (void)fputs("&lt;", file);
        else if (*character == '>')
            (void)fputs("&gt;", file);
        else if (*character == '"')
            (void)fputs("&quot;", file);
        else
            (void)fwrite(character, 1, length, file);
    }
}

const char *label_number(double value, char *text, size_t size)
{
    double size_of = fabs(value);
    if (size_of < 1e7 && (size_of >= 1e4 || value == floor(value)))
        (void)snprintf(text, size, "%.0f", value == 0 ? 0.0 : value);
    else
        (void)snprintf(text, size, "%.4g", value);
    return text;
}

const char *label_short(double value, int digits, char *text, size_t size)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    const size_t most = sizeof prefixes / sizeof *prefixes - 1;
    size_t prefix = 0;
    if (fabs(value) >= 9999.5) {
        for (; fabs(value) >= 999.5 && prefix < most; prefix++)
            value /= 1000;
    }
    if (fabs(value) >= 999.5 && fabs(value) < 1e6)
        (void)snprintf(text, size, "%.0f%s", value, prefixes[prefix]);
    else
        (void)snprintf(text, size, "%.*g%s", digits, value == 0 ? 0.0 : value, prefixes[prefix]);
    return text;
}
