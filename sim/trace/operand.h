/* The operands of an instruction, before it is known whether they fit it. */
#ifndef SIM_TRACE_OPERAND_H
#define SIM_TRACE_OPERAND_H

#include "trace/parser.h"

enum operand_kind {
    OPERAND_REGISTER,   /* R0, RZ */
    OPERAND_UNIFORM,    /* UR0, URZ */
    OPERAND_PREDICATE,  /* P0, PT, UP0, UPT */
    OPERAND_NUMBER,     /* immediate */
    OPERAND_CONSTANT,   /* c[bank][offset] */
    OPERAND_ADDRESS,    /* [registers + expression] */
    OPERAND_SPECIAL,    /* SR_... */
    OPERAND_SCOREBOARD, /* SB0 to SB5, GROUPS */
    OPERAND_KINDS
};

enum { OPERAND_MAX = 8, ADDRESS_REGISTERS = 2 };

struct operand {
    enum operand_kind kind;
    struct token token; /* where it begins */
    bool none;          /* RZ, PT, URZ, UPT: no register at all */
    uint16_t number;    /* in the space of model/inst.h, or of the scoreboard */
    bool reuse;
    bool fixed;    /* a number that is the same everywhere: `value` */
    int64_t value; /* of a constant: its bank x 65536 + offset */
    /* of an address: */
    uint32_t node; /* NODE_NONE: only registers are written */
    struct reg_range base[ADDRESS_REGISTERS];
    unsigned bases;
};

/* Reads one operand. */
bool operand_parse(struct parser *parser, struct operand *operand);

/*
 * Reads the register that `token` names, suffixes included. False if it is none; with a message if
 * it looks like one but does not exist.
 */
bool operand_register(struct parser *parser, const struct token *token, struct operand *operand);

/* True for a word that can only be a register, so that nothing else may be named like it. */
bool operand_reserved(const struct token *token);

#endif
