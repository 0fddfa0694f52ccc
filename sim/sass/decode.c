/* Decodes an instruction word into operands and fields, driven by the tables. */
#include <string.h>

#include "sass/encoding.h"

enum { INSTRUCTION_BYTES = 16 };

static const char *const op_names[SASS_OP_COUNT] = {
    [SASS_OP_UNKNOWN] = "?",
#define SASS_OP(id, name, class) [SASS_OP_##id] = name,
#include "sass/ops.def"
#undef SASS_OP
};

const char *sass_op_name(enum sass_op op)
{
    return op < SASS_OP_COUNT ? op_names[op] : op_names[SASS_OP_UNKNOWN];
}

bool sass_knows_sm(uint32_t sm)
{
    return encoding_table(sm) != NULL;
}

static bool bit(const uint64_t word[2], unsigned index)
{
    return word[index / 64] >> index % 64 & 1;
}

/* Decodes the control bits, bits 125:105, which are the same on all these SMs. */
static struct control_bits decode_control(const uint64_t word[2])
{
    return (struct control_bits){
        .stall = (uint8_t)word_bits(word, 105, 4),
        .yield = !bit(word, 109), /* 0: the scheduler prefers another warp after this instruction */
        .write_barrier = (uint8_t)word_bits(word, 110, 3),
        .read_barrier = (uint8_t)word_bits(word, 113, 3),
        .wait_mask = (uint8_t)word_bits(word, 116, 6),
        .present = true,
    };
}

static const struct encoding *find_encoding(const struct encoding_table *table,
                                            const uint64_t word[2])
{
    unsigned code = (unsigned)(word[0] & 0xfff) | (unsigned)bit(word, 91) << 12;
    for (unsigned i = table->first[code]; i; i = table->encoding[i].next) {
        const struct encoding *encoding = &table->encoding[i];
        bool fits = ((word[0] ^ encoding->value[0]) & encoding->mask[0]) == 0 &&
                    ((word[1] ^ encoding->value[1]) & encoding->mask[1]) == 0;
        if (fits)
            return encoding;
    }
    return NULL;
}

static void decode_operand(struct sass_inst *inst, const struct encoding_table *table,
                           const struct operand_spec *spec)
{
    const uint64_t *word = inst->word;
    struct sass_operand *operand = &inst->operand[spec->role];
    uint64_t value = word_bits(word, spec->range.low, spec->range.count);
    operand->kind = spec->kind;
    operand->words = spec->words;
    if (spec->words_field >= 0) {
        const struct encoding_field *field = &table->field[spec->words_field];
        operand->words = (uint8_t)field_digit(field->words, field_value(field, word), 1);
    }
    if (spec->kind == SASS_IMMEDIATE || spec->kind == SASS_CONSTANT)
        operand->value = (uint32_t)value;
    else
        operand->index = (uint8_t)(spec->from_last ? SASS_PT - value : value);
    if (spec->kind == SASS_CONSTANT)
        operand->bank = (uint8_t)word_bits(word, 54, 5);
    operand->negate = spec->negate && bit(word, spec->negate);
    operand->absolute = spec->absolute && bit(word, spec->absolute);
    operand->reuse = spec->reuse && bit(word, spec->reuse);
    operand->half = spec->half ? (uint8_t)word_bits(word, spec->half, 2) : 0;
}

/* Decodes offsets and targets. The bits of a field whose value has no meaning are marked unread. */
static void decode_field(struct sass_inst *inst, const struct encoding_field *field)
{
    int64_t next = (int64_t)inst->pc + INSTRUCTION_BYTES;
    switch (field->mod) {
    case SASS_MOD_OFFSET:
        inst->offset = field_signed(field, inst->word);
        return;
    case SASS_MOD_TARGET:
        inst->target = (uint64_t)(next + 4 * field_signed(field, inst->word));
        return;
    case SASS_MOD_TARGET_BYTES:
        inst->target = (uint64_t)(next + field_signed(field, inst->word));
        return;
    case SASS_MOD_TARGET_SECTION:
        inst->target = (uint64_t)(4 * field_signed(field, inst->word));
        return;
    default:
        break;
    }
    if (field->valid == UINT64_MAX || field->valid >> field_value(field, inst->word) & 1)
        return;
    for (unsigned i = 0; i < field->ranges; i++)
        for (unsigned j = 0; j < field->range[i].count; j++) {
            unsigned at = field->range[i].low + j;
            inst->unread[at / 64] |= (uint64_t)1 << at % 64;
        }
}

void sass_decode(struct sass_inst *inst, const uint64_t word[2], uint32_t pc, uint32_t sm)
{
    memset(inst, 0, sizeof *inst);
    inst->word[0] = word[0];
    inst->word[1] = word[1];
    inst->pc = pc;
    inst->sm = (uint8_t)sm;
    inst->control = decode_control(word);
    inst->guard = (struct sass_operand){
        .kind = SASS_PREDICATE, .index = (uint8_t)word_bits(word, 12, 3), .negate = bit(word, 15)};
    const struct encoding_table *table = encoding_table(sm);
    const struct encoding *encoding = table ? find_encoding(table, word) : NULL;
    if (!encoding) {
        inst->op = SASS_OP_UNKNOWN;
        inst->unread[0] = word[0];
        inst->unread[1] = word[1];
        return;
    }
    inst->op = encoding->op;
    inst->encoding = (uint16_t)(encoding - table->encoding);
    inst->form = encoding->form;
    inst->guard.kind = encoding->uniform ? SASS_UNIFORM_PREDICATE : SASS_PREDICATE;
    for (unsigned i = 0; i < 2; i++)
        inst->unread[i] = (word[i] & ~(encoding->known[i] | encoding->required[i])) |
                          ((word[i] ^ encoding->defaults[i]) & encoding->required[i]);
    for (unsigned i = 0; i < encoding->operand_count; i++)
        decode_operand(inst, table, &table->operand[encoding->operands + i]);
    for (unsigned i = 0; i < encoding->field_count; i++)
        decode_field(inst, &table->field[table->field_use[encoding->fields + i]]);
}

uint32_t sass_mod(const struct sass_inst *inst, enum sass_mod mod)
{
    const struct encoding_table *table = encoding_table(inst->sm);
    if (!table || inst->op == SASS_OP_UNKNOWN)
        return 0;
    const struct encoding *encoding = &table->encoding[inst->encoding];
    for (unsigned i = 0; i < encoding->field_count; i++) {
        const struct encoding_field *field = &table->field[table->field_use[encoding->fields + i]];
        if (field->mod == mod) {
            uint64_t value = field_value(field, inst->word);
            return field_digit(field->values, value, (unsigned)value);
        }
    }
    return 0;
}
