/* The instructions that a trace can name: a table, its lookup, and what suffixes mean. */
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
    const char *forms; /* mnemonics.def */
};

/* "LDG.E.64" taken apart: the instruction, its suffixes, and what they say. */
struct trace_opcode {
    const struct mnemonic *mnemonic;
    unsigned modifiers;
    char modifier[MNEMONIC_MAX_MODIFIERS][16];
};

/* Registers of one operand, by the letter that follows its kind in a form. */
struct opcode_widths {
    uint8_t access;            /* bytes of each lane */
    uint8_t wide;              /* registers of what .WIDE doubles */
    uint8_t to, from;          /* of a conversion, in registers */
    uint8_t fragment[4];       /* D, A, B, C, in registers */
    const char *missing_shape; /* NULL, or the shapes of which one is needed */
};

/* NULL if there is none of that name. */
const struct mnemonic *mnemonic_find(const char *name, size_t length);

/* The nearest name, or NULL if none is near. */
const char *mnemonic_nearest(const char *name);

/* True if a suffix is known; else *nearest is the nearest one or NULL. */
bool modifier_known(const char *name, const char **nearest);

bool opcode_has(const struct trace_opcode *opcode, const char *modifier);

/* Its class, which a suffix can change (IMAD.WIDE). */
enum simsm_op_class opcode_class(const struct trace_opcode *opcode);

struct opcode_widths opcode_widths(const struct trace_opcode *opcode);

#endif
