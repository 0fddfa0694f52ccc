/* The text of an opcode, such as LDG.E.64.SYS, and what it says. */
#ifndef SIM_ACCELSIM_OPCODE_H
#define SIM_ACCELSIM_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/names.h"

enum { OPCODE_LONGEST = 96 };

struct accelsim_opcode {
    char text[OPCODE_LONGEST]; /* the whole opcode */
    size_t name_length;        /* length of the name, up to the first dot */
    enum simsm_op_class op;    /* SIMSM_OP_INT if the opcode is not known */
    bool known;
    bool generic;    /* the addresses may mean shared or local memory */
    bool leads;      /* if the line has no destination, its first source is the destination */
    uint8_t width;   /* bytes of each lane that are loaded, stored or converted; 4 by default */
    uint8_t operand; /* bytes of the operand of a conversion */
};

/* Reads an opcode of `length` (below OPCODE_LONGEST) characters. */
struct accelsim_opcode opcode_read(const char *text, size_t length);

/* Returns whether the opcode has this dotted suffix. */
bool opcode_modified(const struct accelsim_opcode *opcode, const char *modifier);

/* Returns whether this is the opcode's name without suffixes. */
bool opcode_named(const struct accelsim_opcode *opcode, const char *name);

#endif
