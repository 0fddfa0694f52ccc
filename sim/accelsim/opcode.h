/* What the text of an opcode, such as LDG.E.64.SYS, says. */
#ifndef SIM_ACCELSIM_OPCODE_H
#define SIM_ACCELSIM_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/names.h"

enum { OPCODE_LONGEST = 96 };

struct accelsim_opcode {
    char text[OPCODE_LONGEST]; /* whole */
    size_t name_length;        /* of `text`, up to the first dot */
    enum simsm_op_class op;    /* SIMSM_OP_INT if it is not known */
    bool known;
    bool generic;    /* its addresses may mean shared or local memory */
    bool leads;      /* without a destination in the list, the first source is it */
    uint8_t width;   /* bytes of each lane that it loads, stores or converts; 4 if it is silent */
    uint8_t operand; /* bytes of the operand of a conversion */
};

/* Reads `length` (below OPCODE_LONGEST) characters. */
struct accelsim_opcode opcode_read(const char *text, size_t length);

/* Whether it has this dotted suffix. */
bool opcode_modified(const struct accelsim_opcode *opcode, const char *modifier);

/* Whether this is its name, without suffixes. */
bool opcode_named(const struct accelsim_opcode *opcode, const char *name);

#endif
