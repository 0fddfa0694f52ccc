/* Expands the tables of encodings.def and fields.def for decoding, once for each SM. */
#include "sass/encoding.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sass/encoding_format.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Sets of SMs, as the tables name them. */
enum {
    SM75 = 1,
    SM80 = 2,
    SM86 = 4,
    SM89 = 8,
    SM90 = 16,
    SM80_89 = SM80 | SM86 | SM89,
    TO89 = SM75 | SM80_89,
    SM80UP = SM80_89 | SM90,
    SM86UP = SM86 | SM89 | SM90,
    SM89UP = SM89 | SM90,
    ALL = SM75 | SM80UP
};

enum file { FILE_R, FILE_U };

static const struct field_row {
    const char *name;
    uint16_t mod;
    uint8_t sms;
    const char *bits, *spelling, *values, *words;
} field_rows[] = {
#define FIELD(name, mod, sms, bits, spelling, values, words)                                       \
    {#name, SASS_MOD_##mod, sms, bits, spelling, values, words},
#include "sass/fields.def"
#undef FIELD
};

static const struct encoding_row {
    uint16_t op;
    uint8_t sms, file;
    const char *codes, *format;
} encoding_rows[] = {
#define ENCODING(op, sms, codes, file, format) {SASS_OP_##op, sms, FILE_##file, codes, format},
#include "sass/encodings.def"
#undef ENCODING
};

/* Returns one bit for each value of a field that occurs: the values that have a spelling. */
static uint64_t valid_values(const struct field_row *row, unsigned bits)
{
    if (row->spelling[0] == '%' || row->spelling[0] == '\0' || bits > 6)
        return UINT64_MAX;
    uint64_t valid = 0;
    unsigned value = 0;
    for (const char *at = row->spelling; at && value < 64; value++) {
        valid |= (uint64_t)(*at != '?') << value;
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    return valid;
}

static unsigned read_number(const char **at)
{
    unsigned value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        value = value * 10 + (unsigned)(**at - '0');
    return value;
}

static void add_field(struct encoding_table *table, const struct field_row *row)
{
    SIMSM_CHECK(table->fields < TABLE_FIELDS, "%u fields of %d", table->fields, TABLE_FIELDS);
    struct encoding_field *field = &table->field[table->fields++];
    *field = (struct encoding_field){.name = row->name,
                                     .spelling = row->spelling,
                                     .values = row->values,
                                     .words = row->words,
                                     .mod = row->mod};
    for (const char *at = row->bits; *at && field->ranges < FIELD_MAX_RANGES;) {
        unsigned high = read_number(&at), low = high;
        if (*at == ':') {
            at++;
            low = read_number(&at);
        }
        at += *at == ',';
        field->range[field->ranges++] = (struct bit_range){(uint8_t)low, (uint8_t)(high - low + 1)};
        field->bits = (uint8_t)(field->bits + high - low + 1);
    }
    field->valid = valid_values(row, field->bits);
}

/*
 * Marks the bits that every instruction has: opcode, guard, control bits (bit 125 is not used),
 * reuse.
 */
static void know_common_bits(struct encoding *encoding)
{
    encoding->known[0] = 0xffff;
    encoding->known[1] = (uint64_t)1 << (91 - 64) | (uint64_t)0xfffff << (105 - 64);
    encoding->mask[0] = 0xfff;
    encoding->mask[1] = (uint64_t)1 << (91 - 64);
}

/* Reads conditions on bits, such as "+76-90". */
static const char *read_conditions(const char *at, struct encoding *encoding)
{
    while (*at == '+' || *at == '-') {
        uint64_t set = *at++ == '+';
        unsigned bit = read_number(&at);
        encoding->mask[bit / 64] |= (uint64_t)1 << bit % 64;
        encoding->value[bit / 64] |= set << bit % 64;
        encoding->known[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    return at;
}

/* Appends an encoding to the list of its opcode. */
static void link_encoding(struct encoding_table *table, unsigned code, uint16_t index)
{
    uint16_t *link = &table->first[code];
    while (*link)
        link = &table->encoding[*link].next;
    *link = index;
}

/*
 * Adds one encoding of a row: an opcode and a form. The forms of a row share the pieces of the
 * text.
 */
static bool add_encoding(struct encoding_table *table, const struct encoding_row *row,
                         struct encoding encoding, unsigned code, const struct encoding *first)
{
    if (table->encodings == TABLE_ENCODINGS || code >= TABLE_CODES)
        return false;
    encoding.op = row->op;
    encoding.uniform = row->file == FILE_U;
    encoding.value[0] |= code & 0xfff;
    encoding.value[1] |= (uint64_t)(code >> 12) << (91 - 64);
    if (first) {
        encoding.pieces = first->pieces;
        encoding.piece_count = first->piece_count;
    }
    uint16_t index = (uint16_t)table->encodings++;
    bool good = format_read(table, &encoding, row->format);
    table->encoding[index] = encoding;
    link_encoding(table, code, index);
    return good;
}

static unsigned read_hex(const char **at)
{
    unsigned value = 0;
    for (;; ++*at) {
        const char *digits = "0123456789abcdef", *digit = **at ? strchr(digits, **at) : NULL;
        if (!digit)
            return value;
        value = value * 16 + (unsigned)(digit - digits);
    }
}

static bool add_row(struct encoding_table *table, const struct encoding_row *row)
{
    const struct encoding *first = NULL;
    bool good = true;
    for (const char *at = row->codes; *at && good; at += *at == ' ') {
        struct encoding encoding = {.next = 0};
        know_common_bits(&encoding);
        unsigned code = read_hex(&at);
        const char *forms = "";
        if (*at == ':') {
            forms = ++at;
            read_hex(&at);
        }
        at = read_conditions(at, &encoding);
        do {
            unsigned form = *forms >= '1' && *forms <= '7' ? (unsigned)(*forms - '0') : 0;
            encoding.form = (uint8_t)form;
            good &= add_encoding(table, row, encoding, code | form << 9 | (form >= 6 ? 0x1000u : 0),
                                 first);
            first = first ? first : &table->encoding[table->encodings - 1];
            forms += form != 0;
        } while (good && *forms >= '1' && *forms <= '7');
    }
    return good;
}

static void make_table(struct encoding_table *table, unsigned sm)
{
    table->encodings = 1; /* index 0 ends a list */
    for (size_t i = 0; i < COUNT(field_rows); i++)
        if (field_rows[i].sms & sm)
            add_field(table, &field_rows[i]);
    for (size_t i = 0; i < COUNT(encoding_rows); i++)
        if (encoding_rows[i].sms & sm && !add_row(table, &encoding_rows[i]) && !table->error)
            table->error = encoding_rows[i].format;
}

/* pthread_once() takes no argument, so each SM has a function and a table of its own. */
#define TABLE(sm)                                                                                  \
    static struct encoding_table table_##sm;                                                       \
    static void make_##sm(void)                                                                    \
    {                                                                                              \
        make_table(&table_##sm, SM##sm);                                                           \
    }                                                                                              \
    static pthread_once_t once_##sm = PTHREAD_ONCE_INIT;
TABLE(75)
TABLE(80)
TABLE(86)
TABLE(89)
TABLE(90)
#undef TABLE

const struct encoding_table *encoding_table(uint32_t sm)
{
#define TABLE(number)                                                                              \
    case number:                                                                                   \
        return pthread_once(&once_##number, make_##number) == 0 ? &table_##number : NULL;
    switch (sm) {
        TABLE(75)
        TABLE(80)
        TABLE(86)
        TABLE(89)
        TABLE(90)
    default:
        return NULL;
    }
#undef TABLE
}

unsigned field_digit(const char *digits, uint64_t value, unsigned otherwise)
{
    if (digits[0] == '+')
        return (unsigned)(value + 1) * (unsigned)(digits[1] - '0');
    if (digits[0] == '#') { /* two hexadecimal digits for each value */
        char pair[3] = "";
        if (value < (strlen(digits) - 1) / 2)
            memcpy(pair, digits + 1 + 2 * value, 2);
        return pair[0] ? (unsigned)strtoul(pair, NULL, 16) : otherwise;
    }
    for (uint64_t i = 0; digits[i]; i++)
        if (i == value)
            return (unsigned)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    return otherwise;
}
