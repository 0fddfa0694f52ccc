/*
 * The tables of encodings.def and fields.def, expanded for decoding: for each SM a list of
 * encodings for every opcode. Private to the decoder.
 */
#ifndef SIM_SASS_ENCODING_H
#define SIM_SASS_ENCODING_H

#include "sass/sass_inst.h"

/* What a field of fields.def can fill besides a modifier. */
enum {
    SASS_MOD_NONE = SASS_MOD_COUNT,
    SASS_MOD_OFFSET,
    SASS_MOD_TARGET,
    SASS_MOD_TARGET_BYTES,
    SASS_MOD_TARGET_SECTION,
};

struct bit_range {
    uint8_t low, count;
};

enum { FIELD_MAX_RANGES = 3 };

struct encoding_field {
    const char *name;
    const char *spelling, *values, *words;
    uint64_t valid; /* one bit for each value that occurs; all ones for fields that are numbers */
    uint16_t mod;   /* enum sass_mod or SASS_MOD_NONE... */
    uint8_t sms;
    uint8_t bits;
    uint8_t ranges;
    struct bit_range range[FIELD_MAX_RANGES]; /* most significant range first */
};

enum operand_style {
    STYLE_HEX,
    STYLE_SIGNED,
    STYLE_F32,
    STYLE_F64, /* high word of a double */
    STYLE_HALF /* two halves, of either format */
};

/* How to read one operand. A bit number of 0 means that there is no such bit. */
struct operand_spec {
    uint8_t role, kind;
    struct bit_range range; /* of a constant: the offset */
    uint8_t negate, absolute, reuse, half;
    uint8_t words;
    uint8_t style;  /* of an immediate: enum operand_style */
    bool inverts;   /* the sign bit inverts all bits and is written ~ */
    bool from_last; /* the number of the predicate is 7 minus the value */
    int16_t words_field;
};

enum piece_kind {
    PIECE_LITERAL,
    PIECE_FIELD,   /* index: in table.field */
    PIECE_OPERAND, /* index: in the operands of the encoding */
    PIECE_ITEM,    /* begins an operand of the text */
    PIECE_OPEN,    /* [ */
    PIECE_TERM,    /* begins a term of an address */
    PIECE_CLOSE
};

enum piece_flags {
    PIECE_OPTIONAL = 1,  /* not written if it is the default */
    PIECE_WITH_NEXT = 2, /* written anyway if the next item is written */
    PIECE_KEEP = 4       /* OPEN: registers are written even if they are RZ */
};

struct text_piece {
    uint8_t kind;
    uint8_t flags;
    uint16_t index;
    uint16_t length; /* literal: characters; item or term: its pieces; optional field: the value
                        that is not written */
    const char *text;
};

struct encoding {
    uint64_t mask[2], value[2];        /* the words that it fits, opcode included */
    uint64_t known[2];                 /* bits that are decoded */
    uint64_t required[2], defaults[2]; /* bits that must have one value */
    uint16_t op;
    uint16_t next;                     /* next encoding of the same opcode; 0: none */
    uint16_t operands, fields, pieces; /* index of the first element in the table's lists */
    uint8_t operand_count, field_count, piece_count;
    uint8_t form;
    bool uniform; /* the guard and, by default, all registers are uniform */
};

enum {
    TABLE_CODES = 1 << 13,
    TABLE_ENCODINGS = 1024,
    TABLE_OPERANDS = 4096,
    TABLE_FIELD_USES = 4096,
    TABLE_PIECES = 8192,
    TABLE_FIELDS = 320
};

struct encoding_table {
    uint16_t first[TABLE_CODES]; /* first encoding of an opcode; 0: none */
    struct encoding encoding[TABLE_ENCODINGS];
    struct operand_spec operand[TABLE_OPERANDS];
    uint16_t field_use[TABLE_FIELD_USES]; /* indices into `field` */
    struct text_piece piece[TABLE_PIECES];
    struct encoding_field field[TABLE_FIELDS];
    uint32_t encodings, operands, field_uses, pieces, fields;
    const char *error; /* a row with a mistake, or NULL */
};

/*
 * Returns the table of an SM, or NULL for an unknown SM. The table is made at first use. Any thread
 * may call.
 */
const struct encoding_table *encoding_table(uint32_t sm);

/* Returns `count` bits of an instruction word from bit `low` on. */
static inline uint64_t word_bits(const uint64_t word[2], unsigned low, unsigned count)
{
    uint64_t value = low >= 64 ? word[1] >> (low - 64)
                     : low     ? word[0] >> low | word[1] << (64 - low)
                               : word[0];
    return count < 64 ? value & (((uint64_t)1 << count) - 1) : value;
}

/* Returns the value of a field. */
static inline uint64_t field_value(const struct encoding_field *field, const uint64_t word[2])
{
    uint64_t value = 0;
    for (unsigned i = 0; i < field->ranges; i++)
        value = value << field->range[i].count |
                word_bits(word, field->range[i].low, field->range[i].count);
    return value;
}

/* Returns the value of a field, sign-extended. */
static inline int64_t field_signed(const struct encoding_field *field, const uint64_t word[2])
{
    uint64_t value = field_value(field, word), top = (uint64_t)1 << (field->bits - 1);
    return (int64_t)((value ^ top) - top);
}

/*
 * Returns the meaning of `value` in the list `digits`, or `otherwise` if the list does not have it.
 */
unsigned field_digit(const char *digits, uint64_t value, unsigned otherwise);

#endif
