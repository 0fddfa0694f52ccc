/* The operands of an instruction, before they are compared with its forms. */
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
    struct token token; /* the operand's first token */
    bool none;          /* RZ, PT, URZ, UPT: not a real register */
    uint16_t number;    /* number in the space of model/inst.h, or of the scoreboard */
    bool reuse;
    bool fixed;    /* `value` is the number for all lanes and warps */
    int64_t value; /* of a constant: bank x 65536 + offset */
    /* of an address: */
    uint32_t node; /* NODE_NONE: the address has registers only */
    struct reg_range base[ADDRESS_REGISTERS];
    unsigned bases;
};

/* Reads one operand. */
bool operand_parse(struct parser *parser, struct operand *operand);

/*
 * Reads the register that `token` names, with its suffixes. Returns false if the token is not a
 * register; reports an error if it looks like a register that does not exist.
 */
bool operand_register(struct parser *parser, const struct token *token, struct operand *operand);

/* Returns whether the word can only be a register, so that nothing else may have this name. */
bool operand_reserved(const struct token *token);

#endif
