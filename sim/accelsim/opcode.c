/* Reads opcodes: their class, widths and suffixes. */
#include "accelsim/opcode.h"

#include <string.h>

#include "base/check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct operation {
    const char *name;
    enum simsm_op_class op;
};

static const struct operation operations[] = {
#define SASS_OP(id, name, class) {name, SIMSM_OP_##class},
#include "sass/ops.def"
#undef SASS_OP
#define OLDER_OP(name, class) {name, SIMSM_OP_##class},
#include "accelsim/older.def"
#undef OLDER_OP
};

/* Returns the length of the name or suffix at `at`. */
static size_t modifier_length(const char *at)
{
    return strcspn(at, ".");
}

/* Returns the row with the longest name that fits: IMAD.WIDE rather than IMAD. */
static const struct operation *find(const char *text)
{
    const struct operation *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < COUNT(operations); i++) {
        size_t length = strlen(operations[i].name);
        bool fits = strncmp(text, operations[i].name, length) == 0 &&
                    (text[length] == '.' || text[length] == '\0');
        if (fits && length > best_length) {
            best = &operations[i];
            best_length = length;
        }
    }
    return best;
}

static uint8_t type_bytes(const char *at, size_t length)
{
    static const struct {
        const char *name;
        uint8_t bytes;
    } types[] = {{"8", 1},   {"U8", 1},  {"S8", 1},  {"16", 2},  {"U16", 2},   {"S16", 2},
                 {"F16", 2}, {"32", 4},  {"U32", 4}, {"S32", 4}, {"F32", 4},   {"F16x2", 4},
                 {"64", 8},  {"U64", 8}, {"S64", 8}, {"F64", 8}, {"F32x2", 8}, {"128", 16}};
    for (size_t i = 0; i < COUNT(types); i++) {
        if (strlen(types[i].name) == length && memcmp(types[i].name, at, length) == 0)
            return types[i].bytes;
    }
    return 0;
}

/* Returns the bytes of each lane: LDSM.16.M88.4 moves four 8x8 matrices of 16-bit elements. */
static uint8_t matrix_bytes(const struct accelsim_opcode *opcode)
{
    return opcode_modified(opcode, "4") ? 16 : opcode_modified(opcode, "2") ? 8 : 4;
}

static void read_types(struct accelsim_opcode *opcode)
{
    uint8_t found[2] = {0, 0};
    for (const char *at = opcode->text; *(at += modifier_length(at)) == '.';) {
        at++;
        uint8_t bytes = type_bytes(at, modifier_length(at));
        if (bytes && !found[0])
            found[0] = bytes;
        else if (bytes)
            found[1] = bytes;
    }
    bool convert = opcode->op == SIMSM_OP_CONVERT;
    opcode->width = convert || !found[1] ? found[0] : found[1];
    opcode->operand = found[1] ? found[1] : 4;
    if (!opcode->width)
        opcode->width = 4;
}

/*
 * Derives the widths of a conversion. F2F.F64.F32 names result and operand. If only one 64-bit type
 * is named, F2I.F64 and I2F.F64 name the float, F2I.S64 and I2F.U64 the integer.
 */
static void settle_conversion(struct accelsim_opcode *opcode)
{
    bool from_float = opcode_named(opcode, "F2I"), to_float = opcode_named(opcode, "I2F");
    bool float_named = opcode_modified(opcode, "F64");
    if (opcode->operand != 4 || (!from_float && !to_float))
        return;
    if (from_float == float_named) { /* the named type is the operand's */
        opcode->operand = opcode->width;
        opcode->width = 4;
    }
}

struct accelsim_opcode opcode_read(const char *text, size_t length)
{
    static const char *const generic[] = {"LD", "ST", "ATOM"};
    static const char *const leading[] = {"SHFL", "ATOM", "ATOMG", "LOP3", "MATCH"};
    struct accelsim_opcode opcode = {.name_length = 0};
    SIMSM_CHECK(length < OPCODE_LONGEST, "%zu characters", length);
    memcpy(opcode.text, text, length);
    opcode.name_length = modifier_length(opcode.text);
    const struct operation *operation = find(opcode.text);
    opcode.known = operation != NULL;
    opcode.op = operation ? operation->op : SIMSM_OP_INT;
    for (size_t i = 0; i < COUNT(generic); i++)
        opcode.generic |= opcode_named(&opcode, generic[i]);
    for (size_t i = 0; i < COUNT(leading); i++)
        opcode.leads |= opcode_named(&opcode, leading[i]);
    read_types(&opcode);
    if (opcode.op == SIMSM_OP_CONVERT)
        settle_conversion(&opcode);
    if (opcode_named(&opcode, "LDSM") || opcode_named(&opcode, "STSM"))
        opcode.width = matrix_bytes(&opcode);
    return opcode;
}

bool opcode_modified(const struct accelsim_opcode *opcode, const char *modifier)
{
    size_t length = strlen(modifier);
    for (const char *at = opcode->text; *(at += modifier_length(at)) == '.';) {
        at++;
        if (modifier_length(at) == length && memcmp(at, modifier, length) == 0)
            return true;
    }
    return false;
}

bool opcode_named(const struct accelsim_opcode *opcode, const char *name)
{
    return strlen(name) == opcode->name_length &&
           memcmp(opcode->text, name, opcode->name_length) == 0;
}
