/* The instructions that a trace can name: a table, its lookup, and the meaning of suffixes. */
#ifndef SIM_TRACE_MNEMONIC_H
#define SIM_TRACE_MNEMONIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/inst.h"
#include "simsm/names.h"

enum { MNEMONIC_MAX_MODIFIERS = 12 };

struct mnemonic {
    const char *name;
    enum simsm_op_class op;
    const char *forms; /* as in mnemonics.def */
};

/* An opcode such as "LDG.E.64": the instruction and its suffixes. */
struct trace_opcode {
    const struct mnemonic *mnemonic;
    unsigned modifiers;
    char modifier[MNEMONIC_MAX_MODIFIERS][16];
};

/*
 * The number of registers of an operand, by the letter that follows the operand's kind in a form.
 */
struct opcode_widths {
    uint8_t access;            /* bytes of each lane's access */
    uint8_t wide;              /* registers of an operand that .WIDE doubles */
    uint8_t to, from;          /* of a conversion, in registers */
    uint8_t fragment[4];       /* D, A, B, C, in registers */
    const char *missing_shape; /* NULL, or the shapes of which the instruction needs one */
};

/* Returns the mnemonic of this name, or NULL. */
const struct mnemonic *mnemonic_find(const char *name, size_t length);

/* Returns the nearest mnemonic, or NULL if none is near. */
const char *mnemonic_nearest(const char *name);

/* Returns whether a suffix is known. If not, *nearest is the nearest known suffix or NULL. */
bool modifier_known(const char *name, const char **nearest);

bool opcode_has(const struct trace_opcode *opcode, const char *modifier);

/* Returns the opcode class. A suffix can change it (IMAD.WIDE). */
enum simsm_op_class opcode_class(const struct trace_opcode *opcode);

struct opcode_widths opcode_widths(const struct trace_opcode *opcode);

#endif
