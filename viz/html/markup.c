/* Escapes texts and encodes bytes for a page. */
#include "html/markup.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

/*
 * Returns a copy of `text` with '?' for what cannot be shown; the caller frees it. NULL if memory
 * runs out.
 */
static char *clean(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? printable(text, copy, size) : NULL;
}

void markup_text(FILE *file, const char *text)
{
    char *copy = clean(text);
    for (const char *c = copy; c && *c; c++)
        switch (*c) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        case '\'':
            fputs("&#39;", file);
            break;
        default:
            fputc(*c, file);
        }
    free(copy);
}

void markup_json(FILE *file, const char *text)
{
    char *copy = clean(text);
    fputc('"', file);
    for (const char *c = copy; c && *c; c++)
        if (strchr("\"\\<>&", *c)) /* "</script" and "<!--" would end the script */
            fprintf(file, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, file);
    fputc('"', file);
    free(copy);
}

void markup_base64(FILE *file, const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16;
        bits |= i + 1 < size ? (uint32_t)data[i + 1] << 8 : 0;
        bits |= i + 2 < size ? data[i + 2] : 0;
        char out[5] = {digits[bits >> 18], digits[bits >> 12 & 63],
                       i + 1 < size ? digits[bits >> 6 & 63] : '=',
                       i + 2 < size ? digits[bits & 63] : '=', '\0'};
        fputs(out, file);
    }
}

void markup_link(FILE *file, const char *name)
{
    static const char plain_signs[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    for (; *name; name++) {
        const bool plain = strchr(plain_signs, *name);
        fprintf(file, plain ? "%c" : "%%%02X", (unsigned char)*name);
    }
}
