/* Reads the format of a row of encodings.def, whose head comment describes the language. */
#include "sass/encoding_format.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct format_reader {
    const char *at;
    struct encoding_table *table;
    struct encoding *encoding;
    struct text_piece nowhere; /* receives pieces if none are recorded */
    bool writes;
    bool good;
};

/* What may stand before an operand. */
enum prefix { PREFIX_NONE, PREFIX_OPTIONAL, PREFIX_WITH_NEXT, PREFIX_SILENT, PREFIX_REQUIRED };

static const struct role_name {
    const char *name;
    uint8_t role, place; /* place 0: the form decides */
} role_names[] = {
    {"DATA2", SASS_DATA2, 64}, {"DATA", SASS_DATA, 32}, {"DESC", SASS_DESC, 32},
    {"BREG", SASS_BREG, 16},   {"D2", SASS_D2, 64},     {"D", SASS_D, 16},
    {"PU", SASS_PU, 81},       {"PV", SASS_PV, 84},     {"PP", SASS_PP, 87},
    {"PQ", SASS_PQ, 77},       {"PR", SASS_PR, 68},     {"UR", SASS_UR, 32},
    {"A", SASS_A, 24},         {"B", SASS_B, 0},        {"C", SASS_C, 0},
};

/*
 * What the three slots of registers hold in each form (bits 11:9). A general register is named by
 * the first bit of its slot.
 */
enum operand_slot { SLOT_32 = 32, SLOT_64 = 64, SLOT_IMMEDIATE = 1, SLOT_CONSTANT, SLOT_UNIFORM };
static const uint8_t slot_b[8] = {
    0, SLOT_32, SLOT_64, SLOT_64, SLOT_IMMEDIATE, SLOT_CONSTANT, SLOT_UNIFORM, SLOT_64};
static const uint8_t slot_c[8] = {0,       SLOT_64, SLOT_IMMEDIATE, SLOT_CONSTANT,
                                  SLOT_64, SLOT_64, SLOT_64,        SLOT_UNIFORM};
static const uint8_t slot_s[8] = {0,
                                  SLOT_32,
                                  SLOT_IMMEDIATE,
                                  SLOT_CONSTANT,
                                  SLOT_IMMEDIATE,
                                  SLOT_CONSTANT,
                                  SLOT_UNIFORM,
                                  SLOT_UNIFORM};

static void set_bits(uint64_t mask[2], unsigned low, unsigned count)
{
    for (unsigned bit = low; bit < low + count; bit++)
        mask[bit / 64] |= (uint64_t)1 << bit % 64;
}

static void set_value(uint64_t word[2], unsigned low, unsigned count, uint64_t value)
{
    for (unsigned i = 0; i < count; i++)
        word[(low + i) / 64] |= (value >> i & 1) << (low + i) % 64;
}

static bool take(struct format_reader *reader, char c)
{
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

static unsigned take_number(struct format_reader *reader)
{
    unsigned value = 0;
    reader->good &= *reader->at >= '0' && *reader->at <= '9';
    while (*reader->at >= '0' && *reader->at <= '9')
        value = value * 10 + (unsigned)(*reader->at++ - '0');
    return value;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static struct text_piece *add_piece(struct format_reader *reader, enum piece_kind kind,
                                    unsigned index)
{
    if (!reader->writes)
        return &reader->nowhere;
    struct encoding_table *table = reader->table;
    if (table->pieces == TABLE_PIECES || reader->encoding->piece_count == UINT8_MAX) {
        reader->good = false;
        return &reader->nowhere;
    }
    reader->encoding->piece_count++;
    struct text_piece *piece = &table->piece[table->pieces++];
    *piece = (struct text_piece){.kind = (uint8_t)kind, .index = (uint16_t)index};
    return piece;
}

static void add_literal(struct format_reader *reader, const char *text, size_t length)
{
    struct text_piece *piece = add_piece(reader, PIECE_LITERAL, 0);
    if (reader->writes) {
        piece->text = text;
        piece->length = (uint16_t)length;
    }
}

int format_field(const struct encoding_table *table, const char *name, size_t length)
{
    for (unsigned i = 0; i < table->fields; i++)
        if (strlen(table->field[i].name) == length &&
            memcmp(table->field[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

/* Reads the name of a field. Returns its index, or -1. */
static int take_field(struct format_reader *reader)
{
    const char *name = reader->at;
    while (is_name(*reader->at))
        reader->at++;
    int index = format_field(reader->table, name, (size_t)(reader->at - name));
    reader->good &= index >= 0;
    return index;
}

/*
 * Adds field `index` to the decoded fields, or with `required` its bits to the bits that must be
 * `value`.
 */
static void use_field(struct format_reader *reader, int index, bool required, uint64_t value)
{
    struct encoding_table *table = reader->table;
    struct encoding *encoding = reader->encoding;
    if (index < 0)
        return;
    const struct encoding_field *field = &table->field[index];
    unsigned shift = field->bits;
    for (unsigned i = 0; i < field->ranges; i++) {
        struct bit_range range = field->range[i];
        shift -= range.count;
        set_bits(required ? encoding->required : encoding->known, range.low, range.count);
        if (required)
            set_value(encoding->defaults, range.low, range.count, value >> shift);
    }
    if (required)
        return;
    reader->good &= table->field_uses < TABLE_FIELD_USES;
    if (table->field_uses < TABLE_FIELD_USES) {
        table->field_use[table->field_uses++] = (uint16_t)index;
        encoding->field_count++;
    }
}

/*
 * Reads "{name}" or "{name=value}". The value is the required one, or the one that is not written.
 */
static void read_field(struct format_reader *reader, enum prefix prefix)
{
    int index = take_field(reader);
    bool required = prefix == PREFIX_REQUIRED;
    unsigned value = 0;
    if ((required || prefix == PREFIX_OPTIONAL) && take(reader, '='))
        value = take_number(reader);
    reader->good &= take(reader, '}');
    use_field(reader, index, required, value);
    if (prefix != PREFIX_SILENT && !required && index >= 0)
        add_piece(reader, PIECE_FIELD, (unsigned)index)->length = (uint16_t)value;
}

static const struct role_name *take_role(struct format_reader *reader)
{
    for (size_t i = 0; i < COUNT(role_names); i++) {
        size_t length = strlen(role_names[i].name);
        if (strncmp(reader->at, role_names[i].name, length) == 0) {
            reader->at += length;
            return &role_names[i];
        }
    }
    reader->good = false;
    return NULL;
}

static bool is_predicate(unsigned role)
{
    return (role >= SASS_PU && role <= SASS_PV) || (role >= SASS_PP && role <= SASS_PR);
}

/* Describes a general or uniform register, or a predicate, at bit `low`. */
static void place_register(struct operand_spec *spec, unsigned low, bool uniform)
{
    spec->range.low = (uint8_t)low;
    if (is_predicate(spec->role)) {
        spec->kind = uniform ? SASS_UNIFORM_PREDICATE : SASS_PREDICATE;
        spec->range.count = 3;
        bool source = spec->role >= SASS_PP;
        spec->negate = (uint8_t)(source ? low + 3 : 0);
    } else if (spec->role == SASS_BREG) {
        spec->kind = SASS_CONVERGENCE;
        spec->range.count = 4;
    } else {
        bool is_uniform = uniform || spec->role == SASS_UR || spec->role == SASS_DESC;
        spec->kind = is_uniform ? SASS_UNIFORM : SASS_REGISTER;
        spec->range.count = is_uniform ? 6 : 8;
    }
}

/* Describes the content of a slot. Returns false if the row has no forms. */
static bool place_slot(struct operand_spec *spec, unsigned slot, bool uniform)
{
    switch (slot) {
    case SLOT_32:
    case SLOT_64:
        place_register(spec, slot, uniform);
        return true;
    case SLOT_IMMEDIATE:
        spec->kind = SASS_IMMEDIATE;
        spec->range = (struct bit_range){32, 32};
        return true;
    case SLOT_CONSTANT:
        spec->kind = SASS_CONSTANT;
        spec->range = (struct bit_range){38, 16};
        return true;
    case SLOT_UNIFORM:
        place_register(spec, 32, true);
        return true;
    default:
        return false;
    }
}

/*
 * Reads "@..." or uses the role's usual place. Returns the first bit of the slot (24, 32 or 64),
 * which determines the bits for signs.
 */
static unsigned read_place(struct format_reader *reader, const struct role_name *name,
                           struct operand_spec *spec, bool uniform)
{
    unsigned form = reader->encoding->form;
    unsigned slot = name->role == SASS_C ? slot_c[form] : slot_b[form];
    unsigned place = name->place;
    if (take(reader, '@')) {
        if (take(reader, 's')) {
            slot = slot_s[form];
        } else if (take(reader, 'c')) {
            slot = slot_c[form];
        } else if (take(reader, 'k')) {
            slot = SLOT_CONSTANT;
        } else {
            place = take_number(reader);
            if (take(reader, ':')) {
                unsigned low = take_number(reader);
                spec->kind = SASS_IMMEDIATE;
                spec->range = (struct bit_range){(uint8_t)low, (uint8_t)(place - low + 1)};
                return low;
            }
        }
    }
    if (place) {
        place_register(spec, place, uniform);
        return place;
    }
    reader->good &= place_slot(spec, slot, uniform);
    return slot == SLOT_64 ? 64 : 32;
}

/*
 * Reads the suffixes of an operand. The bits for sign, absolute value and swizzle belong to the
 * slot, not to the operand in it.
 */
static void read_suffix(struct format_reader *reader, struct operand_spec *spec, unsigned slot)
{
    bool register_or_constant = spec->kind != SASS_IMMEDIATE;
    bool plain = register_or_constant && !is_predicate(spec->role);
    uint8_t negate = slot == 24 ? 72 : slot == 32 ? 63 : 75;
    for (;; reader->at++) {
        switch (*reader->at) {
        case '~':
        case '-':
            spec->inverts = *reader->at == '~';
            spec->negate = plain ? negate : spec->negate;
            break;
        case '|':
            spec->absolute = (uint8_t)(!plain ? 0 : slot == 24 ? 73 : negate - 1);
            break;
        case 'h':
            spec->style = STYLE_HALF;
            if (plain) {
                spec->half = slot == 24 ? 74 : slot == 32 ? 60 : 81;
                spec->negate = slot == 24 ? 72 : slot == 32 ? 63 : 84;
                spec->absolute = slot == 24 ? 73 : slot == 32 ? 62 : 83;
            }
            break;
        case 'i':
            spec->from_last = true;
            break;
        case 'r':
            spec->reuse = (uint8_t)(122 + spec->role - SASS_A);
            break;
        case 'f':
            spec->style = STYLE_F32;
            break;
        case 'd':
            spec->style = STYLE_F64;
            break;
        case 's':
            spec->style = STYLE_SIGNED;
            break;
        default:
            return;
        }
    }
}

static void know_operand(struct encoding *encoding, const struct operand_spec *spec)
{
    set_bits(encoding->known, spec->range.low, spec->range.count);
    if (spec->kind == SASS_CONSTANT)
        set_bits(encoding->known, 54, 5);
    if (spec->negate)
        set_bits(encoding->known, spec->negate, 1);
    if (spec->absolute)
        set_bits(encoding->known, spec->absolute, 1);
    if (spec->half)
        set_bits(encoding->known, spec->half, 2);
}

/* Requires the default value in the bits of an operand: RZ, URZ, PT or !PT. */
static void require_operand(struct encoding *encoding, const struct operand_spec *spec, bool not )
{
    set_bits(encoding->required, spec->range.low, spec->range.count);
    if (spec->kind != SASS_IMMEDIATE && !spec->from_last)
        set_bits(encoding->defaults, spec->range.low, spec->range.count);
    if (is_predicate(spec->role) && spec->negate) {
        set_bits(encoding->required, spec->negate, 1);
        set_value(encoding->defaults, spec->negate, 1, not );
    }
}

static void add_operand(struct format_reader *reader, const struct operand_spec *spec, bool printed)
{
    struct encoding_table *table = reader->table;
    struct encoding *encoding = reader->encoding;
    if (table->operands == TABLE_OPERANDS) {
        reader->good = false;
        return;
    }
    know_operand(encoding, spec);
    table->operand[table->operands++] = *spec;
    if (printed)
        add_piece(reader, PIECE_OPERAND, encoding->operand_count);
    encoding->operand_count++;
}

/* Returns the reuse bit: 122 to 124 for A, B and C. A B that is read as C has the bit of C. */
static uint8_t reuse_bit(const struct operand_spec *spec, bool as_c)
{
    if (spec->kind != SASS_REGISTER || spec->role < SASS_A || spec->role > SASS_C)
        return 0;
    return (uint8_t)(as_c ? 124 : 122 + spec->role - SASS_A);
}

/* Reads a role with its place, its suffixes and its number of registers. */
static void read_operand(struct format_reader *reader, enum prefix prefix)
{
    const struct role_name *name = take_role(reader);
    if (!name)
        return;
    struct operand_spec spec = {.role = name->role, .words_field = -1};
    const char *uv = reader->at; /* u or v after the place decides whether the operand is uniform */
    while (*uv == '@' || *uv == ':' || (*uv >= '0' && *uv <= '9'))
        uv++;
    bool uniform = *uv == 'u' || (*uv != 'v' && reader->encoding->uniform);
    bool as_c = strncmp(reader->at, "@s", 2) == 0 || strncmp(reader->at, "@c", 2) == 0;
    unsigned slot = read_place(reader, name, &spec, uniform);
    if (*reader->at == 'u' || *reader->at == 'v')
        reader->at++;
    bool not = *reader->at == '-';
    read_suffix(reader, &spec, slot);
    spec.words =
        spec.kind == SASS_REGISTER || spec.kind == SASS_UNIFORM || spec.kind == SASS_CONSTANT;
    if (take(reader, '#'))
        spec.words = (uint8_t)take_number(reader);
    else if (take(reader, '*'))
        spec.words_field = (int16_t)take_field(reader);
    if (reader->encoding->form)
        spec.reuse = reuse_bit(&spec, as_c && !spec.reuse);
    if (prefix == PREFIX_REQUIRED)
        require_operand(reader->encoding, &spec, not );
    else
        add_operand(reader, &spec, prefix != PREFIX_SILENT);
}

/* Reads elements up to any character of `ends`. */
static void read_sequence(struct format_reader *reader, enum prefix prefix, const char *ends);

static void read_address(struct format_reader *reader)
{
    bool keep = take(reader, '=');
    add_piece(reader, PIECE_OPEN, 0)->flags = keep ? PIECE_KEEP : 0;
    do {
        uint8_t before = reader->encoding->piece_count;
        struct text_piece *term = add_piece(reader, PIECE_TERM, 0);
        term->flags = take(reader, '?') ? PIECE_OPTIONAL : 0;
        read_sequence(reader, PREFIX_NONE, "+]");
        term->length = (uint16_t)(reader->encoding->piece_count - before - reader->writes);
    } while (reader->good && take(reader, '+'));
    reader->good &= take(reader, ']');
    add_piece(reader, PIECE_CLOSE, 0);
}

static void read_sequence(struct format_reader *reader, enum prefix prefix, const char *ends)
{
    while (reader->good && *reader->at && !strchr(ends, *reader->at)) {
        if (take(reader, '\'')) {
            const char *end = strchr(reader->at, '\'');
            reader->good &= end != NULL;
            if (end) {
                add_literal(reader, reader->at, (size_t)(end - reader->at));
                reader->at = end + 1;
            }
        } else if (take(reader, '{')) {
            read_field(reader, prefix);
        } else if (take(reader, '[')) {
            read_address(reader);
        } else {
            read_operand(reader, prefix);
        }
    }
}

static enum prefix take_prefix(struct format_reader *reader)
{
    if (take(reader, '?'))
        return take(reader, '?') ? PREFIX_WITH_NEXT : PREFIX_OPTIONAL;
    return take(reader, '_') ? PREFIX_SILENT : take(reader, '!') ? PREFIX_REQUIRED : PREFIX_NONE;
}

/* Reads one operand of the text. */
static void read_item(struct format_reader *reader)
{
    enum prefix prefix = take_prefix(reader);
    bool printed = prefix != PREFIX_SILENT && prefix != PREFIX_REQUIRED;
    struct text_piece *item = NULL;
    uint8_t before = reader->encoding->piece_count;
    if (printed) {
        item = add_piece(reader, PIECE_ITEM, 0);
        item->flags = prefix == PREFIX_OPTIONAL    ? PIECE_OPTIONAL
                      : prefix == PREFIX_WITH_NEXT ? PIECE_OPTIONAL | PIECE_WITH_NEXT
                                                   : 0;
    }
    read_sequence(reader, prefix, ",");
    if (item)
        item->length = (uint16_t)(reader->encoding->piece_count - before - reader->writes);
}

static void read_name(struct format_reader *reader)
{
    while (reader->good && *reader->at && *reader->at != ' ') {
        size_t length = strcspn(reader->at, "{ ");
        if (length)
            add_literal(reader, reader->at, length);
        reader->at += length;
        if (!take(reader, '{'))
            continue;
        bool silent = take(reader, '_');
        read_field(reader, silent ? PREFIX_SILENT : PREFIX_NONE);
    }
}

bool format_read(struct encoding_table *table, struct encoding *encoding, const char *format)
{
    struct format_reader reader = {.at = format,
                                   .table = table,
                                   .encoding = encoding,
                                   .writes = encoding->piece_count == 0,
                                   .good = true};
    if (reader.writes)
        encoding->pieces = (uint16_t)table->pieces;
    encoding->operands = (uint16_t)table->operands;
    encoding->fields = (uint16_t)table->field_uses;
    read_name(&reader);
    while (reader.good && *reader.at) {
        while (take(&reader, ' ') || take(&reader, ','))
            continue;
        read_item(&reader);
    }
    return reader.good;
}
