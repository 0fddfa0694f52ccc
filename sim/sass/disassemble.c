/* Writes the text of an instruction as nvdisasm does, from the pieces of its encoding. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sass/encoding.h"

struct disassembly {
    const struct sass_inst *inst;
    const struct encoding_table *table;
    const struct encoding *encoding;
    char *text;
    unsigned size, length;
};

static void put(struct disassembly *writer, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++, writer->length++)
        if (writer->length + 1 < writer->size)
            writer->text[writer->length] = text[i];
}

static void put_text(struct disassembly *writer, const char *text)
{
    put(writer, text, strlen(text));
}

static void put_format(struct disassembly *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put_format(struct disassembly *writer, const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(writer, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

static void put_hex(struct disassembly *writer, uint64_t value)
{
    put_format(writer, "0x%" PRIx64, value);
}

static void put_signed(struct disassembly *writer, int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    put_format(writer, "%s0x%" PRIx64, value < 0 ? "-" : "", magnitude);
}

/*
 * Writes a floating-point number with 20 digits, and with an exponent from 1e9 on, as nvdisasm 13.0
 * and 13.1 do. `exponent` and `mantissa` are widths in bits, below a sign bit. Returns the length,
 * as snprintf() does; at most 32.
 */
static int number_float(char *text, size_t size, uint64_t bits, unsigned exponent,
                        unsigned mantissa)
{
    uint64_t fraction = bits & (((uint64_t)1 << mantissa) - 1);
    uint64_t most = ((uint64_t)1 << exponent) - 1;
    uint64_t power = bits >> mantissa & most;
    int bias = (int)(most >> 1);
    char sign = bits >> (exponent + mantissa) & 1 ? '-' : '+';
    if (power == most && fraction)
        return snprintf(text, size, "%c%s ", sign,
                        fraction >> (mantissa - 1) & 1 ? "QNAN" : "SNAN");
    if (power == most)
        return snprintf(text, size, "%cINF ", sign);
    double value = power ? ldexp((double)(fraction | (uint64_t)1 << mantissa),
                                 (int)power - bias - (int)mantissa)
                         : ldexp((double)fraction, 1 - bias - (int)mantissa);
    if (value == 0)
        return snprintf(text, size, "%s", sign == '-' ? "-0.0" : "0");
    return snprintf(text, size, value >= 1e9 ? "%s%.20e" : "%s%.20g", sign == '-' ? "-" : "",
                    value);
}

static void put_float(struct disassembly *writer, uint64_t bits, unsigned exponent,
                      unsigned mantissa)
{
    char text[64];
    put(writer, text, (size_t)number_float(text, sizeof text, bits, exponent, mantissa));
    if (strcmp(text, "-0.0") == 0)
        put_text(writer, " "); /* nvdisasm writes this blank */
}

static void put_register(struct disassembly *writer, const char *kind, unsigned index,
                         unsigned last)
{
    const char *zero = last == SASS_PT ? "T" : "Z";
    if (index == last)
        put_format(writer, "%s%s", kind, zero);
    else
        put_format(writer, "%s%u", kind, index);
}

static void put_halves(struct disassembly *writer, uint32_t value)
{
    bool bf16 = sass_mod(writer->inst, SASS_MOD_BF16);
    unsigned exponent = bf16 ? 8 : 5, mantissa = bf16 ? 7 : 10;
    put_float(writer, value >> 16, exponent, mantissa);
    put_text(writer, ", ");
    put_float(writer, value & 0xffff, exponent, mantissa);
}

static void put_immediate(struct disassembly *writer, const struct operand_spec *spec,
                          uint32_t value)
{
    switch ((enum operand_style)spec->style) {
    case STYLE_F32:
        put_float(writer, value, 8, 23);
        break;
    case STYLE_F64:
        put_float(writer, (uint64_t)value << 32, 11, 52);
        break;
    case STYLE_HALF:
        put_halves(writer, value);
        break;
    case STYLE_SIGNED:
        put_signed(writer, (int32_t)value);
        break;
    case STYLE_HEX:
        put_hex(writer, value);
        break;
    }
}

/* Writes an operand without sign and bars. */
static void put_bare(struct disassembly *writer, const struct operand_spec *spec,
                     const struct sass_operand *operand)
{
    switch ((enum sass_operand_kind)operand->kind) {
    case SASS_REGISTER:
        put_register(writer, "R", operand->index, SASS_RZ);
        break;
    case SASS_UNIFORM:
        put_register(writer, "UR", operand->index, SASS_URZ);
        break;
    case SASS_PREDICATE:
        put_register(writer, "P", operand->index, SASS_PT);
        break;
    case SASS_UNIFORM_PREDICATE:
        put_register(writer, "UP", operand->index, SASS_PT);
        break;
    case SASS_CONVERGENCE:
        put_format(writer, "B%u", operand->index);
        break;
    case SASS_CONSTANT:
        /* nvdisasm writes a blank here in instructions on pairs of halves. */
        put_format(writer,
                   spec->style == STYLE_HALF && writer->inst->op != SASS_OP_HFMA2_MMA
                       ? "c[0x%x] [0x%" PRIx32 "]"
                       : "c[0x%x][0x%" PRIx32 "]",
                   operand->bank, operand->value);
        break;
    case SASS_CONSTANT_UNIFORM:
        put_register(writer, "cx[UR", operand->index, SASS_URZ);
        put_format(writer, "][0x%" PRIx32 "]", operand->value);
        break;
    case SASS_IMMEDIATE:
        put_immediate(writer, spec, operand->value);
        break;
    case SASS_NONE:
        break;
    }
}

static void put_operand(struct disassembly *writer, const struct operand_spec *spec,
                        const struct sass_operand *operand)
{
    static const char *const halves[] = {"", ".F32", ".H0_H0", ".H1_H1"};
    bool predicate = operand->kind == SASS_PREDICATE || operand->kind == SASS_UNIFORM_PREDICATE;
    if (operand->negate)
        put_text(writer, predicate ? "!" : spec->inverts ? "~" : "-");
    if (operand->absolute)
        put_text(writer, "|");
    put_bare(writer, spec, operand);
    if (operand->absolute)
        put_text(writer, "|");
    if (operand->reuse)
        put_text(writer, ".reuse");
    put_text(writer, halves[operand->half & 3]);
}

static void put_special_register(struct disassembly *writer, uint64_t number)
{
    static const struct {
        unsigned number;
        const char *name;
    } names[] = {
#define SPECIAL_REGISTER(number, name) {number, name},
#include "sass/special_registers.def"
#undef SPECIAL_REGISTER
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].number == number) {
            put_text(writer, names[i].name);
            return;
        }
    }
    put_format(writer, "SR%u", (unsigned)number);
}

static bool is_zero_register(const struct sass_operand *operand)
{
    return operand->kind == SASS_REGISTER && operand->index == SASS_RZ;
}

/*
 * Writes the variant of IMAD's name for moves, additions and shifts, and the sign suffix after it.
 */
static void put_imad(struct disassembly *writer, bool is_signed)
{
    const struct sass_operand *a = &writer->inst->operand[SASS_A];
    const struct sass_operand *b = &writer->inst->operand[SASS_B];
    const struct sass_operand *c = &writer->inst->operand[SASS_C];
    bool immediate = b->kind == SASS_IMMEDIATE;
    bool power = immediate && (b->value & (b->value - 1)) == 0 && b->value != 0 &&
                 b->value != 0x10000 && b->value != 0x80000000; /* as nvdisasm does */
    bool moves_a = immediate && b->value == 1 && is_zero_register(c);
    if (moves_a || (is_zero_register(a) && is_zero_register(b) && c->kind != SASS_UNIFORM))
        put_text(writer, ".MOV");
    else if (immediate && b->value == 1)
        put_text(writer, ".IADD");
    else if (power && is_zero_register(c))
        put_text(writer, ".SHL");
    put_text(writer, is_signed ? "" : ".U32");
}

/* Writes the text of a value in a list separated by "|". */
static void put_spelling(struct disassembly *writer, const char *spelling, uint64_t value)
{
    for (; value && spelling; value--) {
        spelling = strchr(spelling, '|');
        spelling = spelling ? spelling + 1 : NULL;
    }
    size_t length = spelling ? strcspn(spelling, "|") : 0;
    if (!spelling || (length == 1 && *spelling == '?'))
        put_text(writer, ".?");
    else
        put(writer, spelling, length);
}

/* Writes "{5,3,0}". */
static void put_bit_list(struct disassembly *writer, uint64_t value)
{
    const char *before = "{";
    for (unsigned bit = 64; bit-- > 0;) {
        if (value >> bit & 1) {
            put_format(writer, "%s%u", before, bit);
            before = ",";
        }
    }
    put_text(writer, value ? "}" : "{}");
}

static void put_field(struct disassembly *writer, const struct encoding_field *field)
{
    const struct sass_inst *inst = writer->inst;
    uint64_t value = field_value(field, inst->word);
    if (field->spelling[0] != '%') {
        put_spelling(writer, field->spelling, value);
        return;
    }
    switch (field->spelling[1]) {
    case 'x':
        put_hex(writer, value);
        break;
    case 's':
        put_signed(writer, field_signed(field, inst->word));
        break;
    case 'd':
        put_format(writer, "%" PRIu64, value);
        break;
    case 'r':
        put_special_register(writer, value);
        break;
    case 't':
        put_signed(writer, (int64_t)inst->target);
        break;
    case 'o':
        if (inst->target)
            put_format(writer, " 0x%" PRIx64, inst->target);
        break;
    case 'b':
        put_bit_list(writer, value);
        break;
    case 'D':
        put_signed(writer, 4 * field_signed(field, inst->word));
        break;
    default:
        put_imad(writer, value != 0);
        break;
    }
}

static bool is_default(const struct sass_operand *operand)
{
    switch ((enum sass_operand_kind)operand->kind) {
    case SASS_REGISTER:
        return operand->index == SASS_RZ;
    case SASS_UNIFORM:
        return operand->index == SASS_URZ;
    case SASS_PREDICATE:
    case SASS_UNIFORM_PREDICATE:
        return operand->index == SASS_PT && !operand->negate;
    case SASS_IMMEDIATE:
        return operand->value == 0;
    default:
        return false;
    }
}

static const struct sass_operand *piece_operand(const struct disassembly *writer,
                                                const struct text_piece *piece)
{
    const struct encoding *encoding = writer->encoding;
    return &writer->inst->operand[writer->table->operand[encoding->operands + piece->index].role];
}

/*
 * Returns whether the operand or field after an ITEM or TERM piece is not the default (RZ, PT, 0).
 * A uniform register in an address counts even if it is URZ, unless the term is optional.
 */
static bool holds_something(const struct disassembly *writer, const struct text_piece *piece)
{
    const struct text_piece *first = piece + 1;
    if (first->kind == PIECE_FIELD)
        return field_value(&writer->table->field[first->index], writer->inst->word) !=
               first->length;
    if (first->kind != PIECE_OPERAND)
        return true;
    const struct sass_operand *operand = piece_operand(writer, first);
    bool always = piece->kind == PIECE_TERM && operand->kind == SASS_UNIFORM &&
                  !(piece->flags & PIECE_OPTIONAL);
    return always || !is_default(operand);
}

static void put_piece(struct disassembly *writer, const struct text_piece *piece)
{
    const struct encoding *encoding = writer->encoding;
    const struct operand_spec *spec;
    switch ((enum piece_kind)piece->kind) {
    case PIECE_LITERAL:
        put(writer, piece->text, piece->length);
        break;
    case PIECE_FIELD:
        put_field(writer, &writer->table->field[piece->index]);
        break;
    case PIECE_OPERAND:
        spec = &writer->table->operand[encoding->operands + piece->index];
        put_operand(writer, spec, &writer->inst->operand[spec->role]);
        break;
    default:
        break;
    }
}

/*
 * Writes an address from its OPEN piece and returns its CLOSE piece. If no term is worth writing,
 * the first term is written.
 */
static const struct text_piece *put_address(struct disassembly *writer,
                                            const struct text_piece *open)
{
    bool empty = true;
    const struct text_piece *term = open + 1;
    put_text(writer, "[");
    for (int pass = 0; pass < 2 && empty; pass++) {
        for (term = open + 1; term->kind == PIECE_TERM; term += term->length + 1) {
            bool keep = open->flags & PIECE_KEEP && term[1].kind == PIECE_OPERAND;
            if (!keep && !holds_something(writer, term) && !(pass && empty))
                continue;
            if (!empty)
                put_text(writer, "+");
            for (unsigned i = 1; i <= term->length; i++)
                put_piece(writer, &term[i]);
            empty = false;
        }
    }
    put_text(writer, "]");
    return term;
}

static void put_pieces(struct disassembly *writer)
{
    const struct text_piece *piece = &writer->table->piece[writer->encoding->pieces];
    const struct text_piece *end = piece + writer->encoding->piece_count;
    bool first = true;
    for (; piece < end; piece++) {
        if (piece->kind == PIECE_ITEM) {
            bool omit = piece->flags & PIECE_OPTIONAL && !holds_something(writer, piece);
            if (omit && piece->flags & PIECE_WITH_NEXT)
                omit = !holds_something(writer, piece + piece->length + 1);
            if (omit) {
                piece += piece->length;
                continue;
            }
            put_text(writer, first ? " " : ", ");
            first = false;
        } else if (piece->kind == PIECE_OPEN) {
            piece = put_address(writer, piece);
        } else {
            put_piece(writer, piece);
        }
    }
}

static void put_guard(struct disassembly *writer)
{
    const struct sass_operand *guard = &writer->inst->guard;
    if (is_default(guard))
        return;
    put_text(writer, guard->negate ? "@!" : "@");
    put_register(writer, guard->kind == SASS_UNIFORM_PREDICATE ? "UP" : "P", guard->index, SASS_PT);
    put_text(writer, " ");
}

int sass_text(const struct sass_inst *inst, char *text, unsigned size)
{
    struct disassembly writer = {
        .inst = inst, .table = encoding_table(inst->sm), .text = text, .size = size};
    put_guard(&writer);
    if (writer.table && inst->op != SASS_OP_UNKNOWN) {
        writer.encoding = &writer.table->encoding[inst->encoding];
        put_pieces(&writer);
    } else {
        put_text(&writer, sass_op_name(inst->op));
    }
    if (writer.length && writer.length < size && text[writer.length - 1] == ' ')
        writer.length--;
    if (size)
        text[writer.length < size ? writer.length : size - 1] = '\0';
    return (int)writer.length;
}

int sass_control_text(const struct sass_inst *inst, char *text, unsigned size)
{
    const struct control_bits *control = &inst->control;
    char wait[7];
    for (unsigned i = 0; i < 6; i++)
        wait[i] = (char)(control->wait_mask >> i & 1 ? '0' + (int)i : '-');
    wait[6] = '\0';
    char read = (char)(control->read_barrier == 7 ? '-' : '0' + control->read_barrier);
    char write = (char)(control->write_barrier == 7 ? '-' : '0' + control->write_barrier);
    return snprintf(text, size, "B%s:R%c:W%c:%c:S%02u", wait, read, write,
                    control->yield ? 'Y' : '-', control->stall);
}
