/* Looks up mnemonics and suffixes, and derives the widths of operands from the suffixes. */
#include "trace/mnemonic.h"

#include <string.h>

#include "trace/nearest.h"

static const struct mnemonic mnemonics[] = {
#define MNEMONIC(name, class, forms) {name, SIMSM_OP_##class, forms},
#include "trace/mnemonics.def"
#undef MNEMONIC
};

static const char *const modifiers[] = {
#define MODIFIERS(...) __VA_ARGS__,
#include "trace/trace_modifiers.def"
#undef MODIFIERS
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const struct mnemonic *mnemonic_find(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(mnemonics); i++) {
        if (strlen(mnemonics[i].name) == length && memcmp(mnemonics[i].name, name, length) == 0)
            return &mnemonics[i];
    }
    return NULL;
}

const char *mnemonic_nearest(const char *name)
{
    struct nearest_name nearest;
    nearest_start(&nearest, name);
    for (size_t i = 0; i < COUNT(mnemonics); i++)
        nearest_offer(&nearest, mnemonics[i].name);
    return nearest.best;
}

bool modifier_known(const char *name, const char **nearest)
{
    struct nearest_name candidates;
    nearest_start(&candidates, name);
    for (size_t i = 0; i < COUNT(modifiers); i++) {
        if (strcmp(modifiers[i], name) == 0)
            return true;
        nearest_offer(&candidates, modifiers[i]);
    }
    *nearest = candidates.best;
    return false;
}

bool opcode_has(const struct trace_opcode *opcode, const char *modifier)
{
    for (unsigned i = 0; i < opcode->modifiers; i++) {
        if (strcmp(opcode->modifier[i], modifier) == 0)
            return true;
    }
    return false;
}

enum simsm_op_class opcode_class(const struct trace_opcode *opcode)
{
    bool wide = opcode_has(opcode, "WIDE") || opcode_has(opcode, "HI");
    if (opcode->mnemonic->op == SIMSM_OP_IMAD && wide)
        return SIMSM_OP_IMAD_WIDE;
    return opcode->mnemonic->op;
}

/* Returns the bytes that a suffix stands for, or 0 if it says nothing about a width. */
static unsigned type_bytes(const char *modifier)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } types[] = {{"8", 1},     {"U8", 1},   {"S8", 1},  {"16", 2},  {"U16", 2}, {"S16", 2},
                 {"F16", 2},   {"BF16", 2}, {"32", 4},  {"U32", 4}, {"S32", 4}, {"F32", 4},
                 {"F16x2", 4}, {"64", 8},   {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}};
    for (size_t i = 0; i < COUNT(types); i++) {
        if (strcmp(types[i].name, modifier) == 0)
            return types[i].bytes;
    }
    return 0;
}

static uint8_t access_bytes(const struct trace_opcode *opcode)
{
    bool matrix = strncmp(opcode->mnemonic->name, "LDSM", 4) == 0 ||
                  strncmp(opcode->mnemonic->name, "STSM", 4) == 0;
    if (matrix)
        return opcode_has(opcode, "4") ? 16 : opcode_has(opcode, "2") ? 8 : 4;
    unsigned bytes = 0;
    for (unsigned i = 0; i < opcode->modifiers; i++) {
        unsigned b = type_bytes(opcode->modifier[i]);
        bytes = b ? b : bytes;
    }
    return (uint8_t)(bytes ? bytes : 4);
}

/*
 * Derives the widths of a conversion. The suffixes name the result's type, then the operand's
 * (F2F.F64.F32). If only one 64-bit type is named, F2I.F64 and I2F.F64 name the float, F2I.S64 and
 * I2F.U64 the integer.
 */
static void conversion(const struct trace_opcode *opcode, struct opcode_widths *widths)
{
    unsigned named[2] = {0, 0}, count = 0;
    for (unsigned i = 0; i < opcode->modifiers && count < 2; i++) {
        unsigned b = type_bytes(opcode->modifier[i]);
        if (b)
            named[count++] = b;
    }
    uint8_t first = named[0] == 8 ? 2 : 1, second = named[1] == 8 ? 2 : 1;
    const char *name = opcode->mnemonic->name;
    bool from_float = strcmp(name, "F2I") == 0, to_float = strcmp(name, "I2F") == 0;
    widths->to = first;
    widths->from = second;
    if (count == 2 || (!from_float && !to_float)) {
        widths->from = count == 2 ? second : first;
        return;
    }
    bool float_named = opcode_has(opcode, "F64");
    widths->to = from_float == float_named ? 1 : first;
    widths->from = from_float == float_named ? first : 1;
}

struct fragment_shape {
    const char *mnemonic, *shape;
    uint8_t fragment[4]; /* registers of D, A, B, C; D and C with 32-bit accumulators */
};

/* rows x columns x bits / (32 lanes x 32 bits) */
static const struct fragment_shape shapes[] = {
    {"HMMA", "1688", {4, 2, 1, 4}},  {"HMMA", "16816", {4, 4, 2, 4}},
    {"HMMA", "1684", {4, 2, 1, 4}},  {"HMMA", "884", {8, 2, 2, 8}},
    {"IMMA", "8816", {2, 1, 1, 2}},  {"IMMA", "8832", {2, 1, 1, 2}},
    {"IMMA", "16816", {4, 2, 1, 4}}, {"IMMA", "16832", {4, 4, 2, 4}},
    {"DMMA", "884", {4, 2, 2, 4}},
};

static void fragments(const struct trace_opcode *opcode, struct opcode_widths *widths)
{
    const char *name = opcode->mnemonic->name;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        if (strcmp(shapes[i].mnemonic, name) != 0 || !opcode_has(opcode, shapes[i].shape))
            continue;
        memcpy(widths->fragment, shapes[i].fragment, sizeof widths->fragment);
        if (strcmp(name, "HMMA") == 0 && opcode_has(opcode, "F16")) {
            widths->fragment[0] /= 2; /* 16-bit accumulators */
            widths->fragment[3] /= 2;
        }
        return;
    }
    widths->missing_shape = strcmp(name, "HMMA") == 0   ? "1688, 16816, 1684 or 884"
                            : strcmp(name, "IMMA") == 0 ? "8816, 8832, 16816 or 16832"
                                                        : "884";
}

struct opcode_widths opcode_widths(const struct trace_opcode *opcode)
{
    struct opcode_widths widths = {.access = access_bytes(opcode),
                                   .wide = opcode_has(opcode, "WIDE") ? 2 : 1,
                                   .to = 1,
                                   .from = 1};
    enum simsm_op_class op = opcode->mnemonic->op;
    if (op == SIMSM_OP_CONVERT)
        conversion(opcode, &widths);
    else if (op == SIMSM_OP_HMMA || op == SIMSM_OP_IMMA || op == SIMSM_OP_DMMA)
        fragments(opcode, &widths);
    return widths;
}
