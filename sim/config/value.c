#include "config/value.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"

const char *value_shown(const char *text, char shown[VALUE_SHOWN])
{
    size_t most = VALUE_SHOWN - 12, i = 0;
    for (; i < most && text[i]; i++) {
        unsigned char c = (unsigned char)text[i];
        bool escape = c == 0xc2 && ((unsigned char)text[i + 1] & 0xe0) == 0x80; /* U+0080-U+009F */
        shown[i] = c < 0x20 || c == 0x7f || escape ? '?' : (char)c;
        if (escape)
            shown[++i] = '?';
    }
    if (text[i]) { /* cut between characters, not within one */
        while (i > 0 && ((unsigned char)text[i] & 0xc0) == 0x80)
            i--;
    }
    (void)snprintf(shown + i, VALUE_SHOWN - i, "%s", text[i] ? "..." : "");
    return shown;
}

static bool fail(char reason[VALUE_REASON], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(char reason[VALUE_REASON], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)vsnprintf(reason, VALUE_REASON, format, list);
    va_end(list);
    return false;
}

enum { MOST_CHOICES = 32 };

/* The question whether a choice of the key was meant; "" if none is near. */
static const char *nearest_choice(const struct schema_row *row, const char *text,
                                  char question[SUGGEST_QUESTION])
{
    const char *names[MOST_CHOICES];
    size_t count = 0;
    for (const struct schema_choice *c = row->choices; c && c->name && count < MOST_CHOICES; c++)
        names[count++] = c->name;
    return suggest_question(suggest_nearest(text, names, count), question);
}

static bool unexpected(const struct schema_row *row, const char *text, char reason[VALUE_REASON])
{
    char expected[VALUE_REASON], shown[VALUE_SHOWN], question[SUGGEST_QUESTION];
    value_expected(row, expected);
    if (!text[0])
        return fail(reason, "expects %.120s; nothing is given", expected);
    return fail(reason, "expects %.120s, found \"%s\"%s", expected, value_shown(text, shown),
                nearest_choice(row, text, question));
}

/* Digits to *number, saturating; returns what follows them, NULL if there are none. */
static const char *digits(const char *text, uint64_t *number)
{
    if (*text < '0' || *text > '9')
        return NULL;
    *number = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (*number < UINT64_C(1) << 40)
            *number = *number * 10 + (uint64_t)(*text - '0');
    }
    return text;
}

/* K, M and G are powers of 1024, with and without the i, as everywhere in CUDA's documents. */
static const struct {
    const char *suffix;
    unsigned shift;
} sizes[] = {{"", 0},    {"B", 0},    {"KB", 10}, {"KiB", 10},
             {"MB", 20}, {"MiB", 20}, {"GB", 30}, {"GiB", 30}};

static bool read_whole(const struct schema_row *row, const char *text, uint64_t *number)
{
    const char *rest = digits(text, number);
    if (!rest)
        return false;
    if (!schema_is_bytes(row))
        return !*rest;
    while (*rest == ' ')
        rest++;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (strcmp(rest, sizes[i].suffix) != 0)
            continue;
        *number = *number > UINT32_MAX ? *number : *number << sizes[i].shift;
        return true;
    }
    return false;
}

/* 7.5 to 75; one digit after the point. */
static bool read_version(const char *text, uint64_t *number)
{
    const char *rest = digits(text, number);
    if (!rest || rest[0] != '.' || rest[1] < '0' || rest[1] > '9' || rest[2])
        return false;
    *number = *number * 10 + (uint64_t)(rest[1] - '0');
    return true;
}

static bool in_range(const struct schema_row *row, double number, const char *text,
                     char reason[VALUE_REASON])
{
    char shown[VALUE_SHOWN];
    bool below = number < row->min;
    if (!below && number <= row->max)
        return true;
    double limit = below ? row->min : row->max;
    if (row->type == SCHEMA_VERSION)
        limit /= 10;
    return fail(reason, "%s is %s %.10g%s%s%s, the %s allowed", value_shown(text, shown),
                below ? "below" : "above", limit, row->unit[0] ? " (" : "", row->unit,
                row->unit[0] ? ")" : "", below ? "least" : "most");
}

static bool set_whole(char *field, const struct schema_row *row, const char *text,
                      char reason[VALUE_REASON])
{
    uint64_t number;
    bool read =
        row->type == SCHEMA_VERSION ? read_version(text, &number) : read_whole(row, text, &number);
    if (!read)
        return unexpected(row, text, reason);
    if (!in_range(row, (double)number, text, reason))
        return false;
    uint32_t value = (uint32_t)number;
    memcpy(field, &value, sizeof value);
    return true;
}

/* Numbers are written with a point whatever locale the calling program has set. */
static locale_t enter_c_locale(locale_t *before)
{
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    *before = c ? uselocale(c) : (locale_t)0;
    return c;
}

static void leave_c_locale(locale_t c, locale_t before)
{
    if (!c)
        return;
    (void)uselocale(before);
    freelocale(c);
}

static bool set_real(char *field, const struct schema_row *row, const char *text,
                     char reason[VALUE_REASON])
{
    if (!text[0] || strspn(text, "+-.0123456789eE") != strlen(text))
        return unexpected(row, text, reason);
    locale_t before, c = enter_c_locale(&before);
    char *end;
    double number = strtod(text, &end);
    leave_c_locale(c, before);
    if (*end)
        return unexpected(row, text, reason);
    if (!in_range(row, number, text, reason))
        return false;
    memcpy(field, &number, sizeof number);
    return true;
}

static bool set_bool(char *field, const struct schema_row *row, const char *text,
                     char reason[VALUE_REASON])
{
    bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0)
        return unexpected(row, text, reason);
    memcpy(field, &value, sizeof value);
    return true;
}

static bool set_enum(char *field, const struct schema_row *row, const char *text,
                     char reason[VALUE_REASON])
{
    for (uint32_t i = 0; row->choices[i].name; i++) {
        if (strcmp(text, row->choices[i].name) != 0)
            continue;
        memcpy(field, &i, sizeof i);
        return true;
    }
    return unexpected(row, text, reason);
}

static bool set_text(char *field, const struct schema_row *row, const char *text,
                     char reason[VALUE_REASON])
{
    size_t length = strlen(text);
    if (length >= row->size)
        return fail(reason, "is %zu bytes long; at most %u are allowed", length, row->size - 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e)
            return unexpected(row, text, reason);
    }
    memset(field, 0, row->size);
    (void)snprintf(field, row->size, "%s", text);
    return true;
}

static bool append(struct simsm_config *config, const struct schema_row *row, const char *text,
                   char reason[VALUE_REASON])
{
    uint32_t count, last;
    char *items = (char *)config + row->offset;
    memcpy(&count, (const char *)config + row->count_offset, sizeof count);
    if (count == row->size)
        return fail(reason, "has more than %u items, the most allowed", row->size);
    char item[sizeof last];
    uint32_t number;
    if (!set_whole(item, row, text, reason))
        return false;
    memcpy(&number, item, sizeof number);
    if (count > 0) {
        memcpy(&last, items + (count - 1) * sizeof last, sizeof last);
        if (number < last)
            return fail(reason, "expects ascending values, found %u after %u", number, last);
    }
    memcpy(items + count * sizeof number, &number, sizeof number);
    count++;
    memcpy((char *)config + row->count_offset, &count, sizeof count);
    return true;
}

/* Letters that need no quotes, neither in YAML nor in "name=value name=value". */
static bool is_plain(const char *text, const char *others)
{
    for (; *text; text++) {
        bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                      (*text >= '0' && *text <= '9');
        if (!letter && !strchr(others, *text))
            return false;
    }
    return true;
}

/* Where `name` stands, or would stand, in the alphabet of a MAP; *length of what is there. */
static char *place_of(char *map, const char *name, size_t *length)
{
    size_t letters = strlen(name);
    char *at = map;
    *length = 0;
    while (*at) {
        size_t word = strcspn(at, " "), with_blank = word + (at[word] == ' ');
        size_t its = strcspn(at, "=");
        int order = strncmp(at, name, its > letters ? its : letters);
        bool same = its == letters && strncmp(at, name, its) == 0;
        if (same)
            *length = with_blank;
        if (same || order > 0)
            break;
        at += with_blank;
    }
    return at;
}

bool value_set_named(struct simsm_config *config, const struct schema_row *row, const char *name,
                     const char *text, char reason[VALUE_REASON])
{
    char *map = (char *)config + row->offset, rest[VALUE_TEXT], shown[VALUE_SHOWN];
    if (!name[0] || !is_plain(name, "_"))
        return fail(reason, "expects names of letters, digits and _, found \"%s\"",
                    value_shown(name, shown));
    if (!text[0] || !is_plain(text, "_+-."))
        return fail(reason, "%.60s: expects a number or a word, found \"%s\"", name,
                    value_shown(text, shown));
    size_t length;
    char *at = place_of(map, name, &length);
    (void)snprintf(rest, sizeof rest, "%s", at + length);
    size_t before = (size_t)(at - map), room = row->size - before;
    if (strlen(name) + strlen(text) + strlen(rest) + 3 > room)
        return fail(reason, "names and values are longer than %u bytes together", row->size - 1);
    /* What is appended needs a blank in front, what is put before others one behind. */
    bool blank = before && map[before - 1] != ' ';
    int n = snprintf(at, room, "%s%s=%s%s%s", blank ? " " : "", name, text, *rest ? " " : "", rest);
    size_t used = before + (size_t)n;
    while (used && map[used - 1] == ' ')
        used--;
    memset(map + used, 0, row->size - used); /* equal configurations are equal bytes */
    return true;
}

/* "name=value name=value"; {} and commas are understood as well. */
static bool set_map(struct simsm_config *config, const struct schema_row *row, const char *text,
                    char reason[VALUE_REASON])
{
    static const char between[] = " ,{}\t";
    struct simsm_config changed; /* so that a bad one changes nothing */
    char shown[VALUE_SHOWN];
    memcpy(&changed, config, sizeof changed);
    value_clear(&changed, row);
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        char word[VALUE_REASON];
        size_t length = strcspn(text, between);
        (void)snprintf(word, sizeof word, "%.*s", length < 250 ? (int)length : 250, text);
        char *equals = strchr(word, '=');
        if (!equals)
            return fail(reason, "expects NAME=VALUE, found \"%s\"", value_shown(word, shown));
        *equals = '\0';
        if (!value_set_named(&changed, row, word, equals + 1, reason))
            return false;
        text += length;
    }
    memcpy(config, &changed, sizeof changed);
    return true;
}

bool value_set(struct simsm_config *config, const struct schema_row *row, const char *text,
               bool quoted, char reason[VALUE_REASON])
{
    char *field = (char *)config + row->offset;
    if (quoted && row->type != SCHEMA_TEXT && row->type != SCHEMA_ENUM) {
        char expected[VALUE_REASON];
        return fail(reason, "expects %.120s without quotes", value_expected(row, expected));
    }
    switch (row->type) {
    case SCHEMA_UINT:
    case SCHEMA_VERSION:
        return set_whole(field, row, text, reason);
    case SCHEMA_REAL:
        return set_real(field, row, text, reason);
    case SCHEMA_BOOL:
        return set_bool(field, row, text, reason);
    case SCHEMA_ENUM:
        return set_enum(field, row, text, reason);
    case SCHEMA_TEXT:
        return set_text(field, row, text, reason);
    case SCHEMA_LIST:
        return append(config, row, text, reason);
    case SCHEMA_MAP:
        return set_map(config, row, text, reason);
    }
    return false;
}

void value_clear(struct simsm_config *config, const struct schema_row *row)
{
    if (row->type == SCHEMA_MAP) {
        memset((char *)config + row->offset, 0, row->size);
        return;
    }
    memset((char *)config + row->offset, 0, row->size * sizeof(uint32_t));
    memset((char *)config + row->count_offset, 0, sizeof(uint32_t));
}

uint32_t value_uint(const struct simsm_config *config, const struct schema_row *row)
{
    uint32_t number;
    memcpy(&number, (const char *)config + row->offset, sizeof number);
    return number;
}

double value_number(const struct simsm_config *config, const struct schema_row *row)
{
    double real;
    if (row->type == SCHEMA_UINT)
        return value_uint(config, row);
    memcpy(&real, (const char *)config + row->offset, sizeof real);
    return real;
}

static void real_text(double number, char text[VALUE_TEXT])
{
    locale_t before, c = enter_c_locale(&before);
    for (int precision = 6; precision <= 17; precision++) { /* %g drops zeros at the end */
        (void)snprintf(text, VALUE_TEXT, "%.*g", precision, number);
        if (strtod(text, NULL) == number)
            break;
    }
    leave_c_locale(c, before);
}

static void quoted_text(const char *from, char text[VALUE_TEXT])
{
    size_t n = 0;
    text[n++] = '"';
    for (; *from && n < VALUE_TEXT - 4; from++) {
        if (*from == '"' || *from == '\\')
            text[n++] = '\\';
        text[n++] = *from;
    }
    text[n++] = '"';
    text[n] = '\0';
}

static void list_text(const struct simsm_config *config, const struct schema_row *row,
                      char text[VALUE_TEXT])
{
    uint32_t count;
    memcpy(&count, (const char *)config + row->count_offset, sizeof count);
    size_t n = (size_t)snprintf(text, VALUE_TEXT, "[");
    for (uint32_t i = 0; i < count && i < row->size; i++) {
        uint32_t item;
        memcpy(&item, (const char *)config + row->offset + i * sizeof item, sizeof item);
        n += (size_t)snprintf(text + n, VALUE_TEXT - n, "%s%u", i ? ", " : "", item);
    }
    (void)snprintf(text + n, VALUE_TEXT - n, "]");
}

/* {name: value, name: value} */
static void map_text(const char *map, char text[VALUE_TEXT])
{
    size_t n = (size_t)snprintf(text, VALUE_TEXT, "{");
    for (; *map && n < VALUE_TEXT - 4; map++) {
        const char *letters = *map == '=' ? ": " : *map == ' ' ? ", " : NULL;
        n += (size_t)(letters ? snprintf(text + n, VALUE_TEXT - n, "%s", letters)
                              : snprintf(text + n, VALUE_TEXT - n, "%c", *map));
    }
    (void)snprintf(text + n, VALUE_TEXT - n, "}");
}

const char *value_text(const struct simsm_config *config, const struct schema_row *row,
                       char text[VALUE_TEXT])
{
    const char *field = (const char *)config + row->offset;
    double real;
    bool flag;
    switch (row->type) {
    case SCHEMA_UINT:
        (void)snprintf(text, VALUE_TEXT, "%u", value_uint(config, row));
        break;
    case SCHEMA_VERSION:
        (void)snprintf(text, VALUE_TEXT, "%u.%u", value_uint(config, row) / 10,
                       value_uint(config, row) % 10);
        break;
    case SCHEMA_REAL:
        memcpy(&real, field, sizeof real);
        real_text(real, text);
        break;
    case SCHEMA_BOOL:
        memcpy(&flag, field, sizeof flag);
        (void)snprintf(text, VALUE_TEXT, "%s", flag ? "true" : "false");
        break;
    case SCHEMA_ENUM:
        (void)snprintf(text, VALUE_TEXT, "%s", row->choices[value_uint(config, row)].name);
        break;
    case SCHEMA_TEXT:
        quoted_text(field, text);
        break;
    case SCHEMA_LIST:
        list_text(config, row, text);
        break;
    case SCHEMA_MAP:
        map_text(field, text);
        break;
    }
    return text;
}

static void choices_text(const struct schema_row *row, char text[VALUE_REASON])
{
    size_t n = (size_t)snprintf(text, VALUE_REASON, "one of");
    for (uint32_t i = 0; row->choices[i].name && n < VALUE_REASON; i++)
        n += (size_t)snprintf(text + n, VALUE_REASON - n, "%s %s", i ? "," : "",
                              row->choices[i].name);
}

const char *value_expected(const struct schema_row *row, char text[VALUE_REASON])
{
    switch (row->type) {
    case SCHEMA_UINT:
        (void)snprintf(text, VALUE_REASON, "%s from %.10g to %.10g",
                       schema_is_bytes(row) ? "a size such as 64KB" : "a whole number", row->min,
                       row->max);
        break;
    case SCHEMA_VERSION:
        (void)snprintf(text, VALUE_REASON, "a version such as 7.5, from %.1f to %.1f",
                       row->min / 10, row->max / 10);
        break;
    case SCHEMA_REAL:
        (void)snprintf(text, VALUE_REASON, "a number from %.10g to %.10g", row->min, row->max);
        break;
    case SCHEMA_BOOL:
        (void)snprintf(text, VALUE_REASON, "true or false");
        break;
    case SCHEMA_ENUM:
        choices_text(row, text);
        break;
    case SCHEMA_TEXT:
        (void)snprintf(text, VALUE_REASON, "text of at most %u printable ASCII characters",
                       row->size - 1);
        break;
    case SCHEMA_LIST:
        (void)snprintf(text, VALUE_REASON, "a list of at most %u ascending %s", row->size,
                       schema_is_bytes(row) ? "sizes such as 64KB" : "whole numbers");
        break;
    case SCHEMA_MAP:
        (void)snprintf(text, VALUE_REASON, "names with values, as in {limit: 4, window: 2048}");
        break;
    }
    return text;
}
