/* JSON strings from text that may be no UTF-8. */
#include "export/json_text.h"

#include <stdint.h>

/*
 * Returns the length of the UTF-8 sequence at `at`, or 0 if there is none. Overlong sequences and
 * surrogates are none.
 */
static int sequence(const uint8_t *at)
{
    static const struct {
        uint8_t mask, head;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (int length = 1; length <= 4; length++) {
        if ((at[0] & forms[length - 1].mask) != forms[length - 1].head)
            continue;
        uint32_t value = at[0] & (uint8_t)~forms[length - 1].mask;
        for (int i = 1; i < length; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            value = value << 6 | (at[i] & 0x3fu);
        }
        return value < forms[length - 1].least || value > 0x10ffff ||
                       (value >= 0xd800 && value < 0xe000)
                   ? 0
                   : length;
    }
    return 0;
}

void json_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        int length = sequence(at);
        if (!length) {
            (void)fputc('?', file);
            at++;
            continue;
        }
        if (*at == '"' || *at == '\\')
            (void)fputc('\\', file);
        if (*at < 0x20)
            (void)fprintf(file, "\\u%04x", *at);
        else
            (void)fwrite(at, 1, (size_t)length, file);
        at += length;
    }
    (void)fputc('"', file);
}
