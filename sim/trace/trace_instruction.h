/* One line of code: guard, opcode, operands, control bits. */
#ifndef SIM_TRACE_TRACE_INSTRUCTION_H
#define SIM_TRACE_TRACE_INSTRUCTION_H

#include "trace/operand.h"

/* The guard of an instruction, a branch or a loop: a predicate register, the lanes, or both. */
struct guard {
    bool given;
    bool none; /* PT, or no register */
    uint16_t predicate;
    struct token first, last; /* tokens of the register, for the listing */
};

/* Reads "@P0", "@!P0" or nothing. */
bool guard_parse(struct parser *parser, struct guard *guard);

/* Adds the guard's register to the sources of *inst. */
void guard_apply(const struct guard *guard, struct inst *inst);

/*
 * Finds the form of `opcode` that fits `operands`, and fills *inst with registers and class.
 * *memory: the operand with the address of the access, or NULL.
 */
bool form_apply(struct parser *parser, const struct token *at, const struct trace_opcode *opcode,
                struct operand *operands, unsigned count, struct inst *inst,
                const struct operand **memory);

#endif
