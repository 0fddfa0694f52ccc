/* Reads numbers and words from a line. */
#include "accelsim/scan.h"

#include <string.h>

static const char *skip(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

bool scan_decimal(const char **at, uint64_t *value)
{
    const char *c = skip(*at);
    uint64_t sum = digit(*c);
    if (sum >= 10)
        return false;
    for (unsigned d; (d = digit(*++c)) < 10;) {
        if (sum > (UINT64_MAX - d) / 10)
            return false;
        sum = sum * 10 + d;
    }
    *value = sum;
    *at = c;
    return true;
}

bool scan_signed(const char **at, int64_t *value)
{
    const char *c = skip(*at);
    bool negative = *c == '-';
    uint64_t size;
    c += negative;
    if (digit(*c) >= 10 || !scan_decimal(&c, &size) || size > INT64_MAX)
        return false;
    *value = negative ? -(int64_t)size : (int64_t)size;
    *at = c;
    return true;
}

bool scan_hex(const char **at, uint64_t *value)
{
    const char *c = skip(*at);
    if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
        c += 2;
    uint64_t sum = digit(*c);
    if (sum >= 16)
        return false;
    for (unsigned d; (d = digit(*++c)) < 16;) {
        if (sum >> 60)
            return false;
        sum = sum << 4 | d;
    }
    *value = sum;
    *at = c;
    return true;
}

bool scan_word(const char **at, const char **word, size_t *length)
{
    const char *c = skip(*at);
    *word = c;
    while (*c && *c != ' ' && *c != '\t')
        c++;
    *length = (size_t)(c - *word);
    *at = c;
    return *length > 0;
}

bool scan_text(const char **at, const char *text)
{
    const char *c = skip(*at);
    size_t length = strlen(text);
    if (strncmp(c, text, length) != 0)
        return false;
    *at = c + length;
    return true;
}

bool scan_end(const char *at)
{
    return *skip(at) == '\0';
}
