/* Adds the addresses of a memory instruction to a program, in the form that a cursor evaluates. */
#ifndef SIM_TRACE_ACCESS_H
#define SIM_TRACE_ACCESS_H

#include "trace/operand.h"

/*
 * Adds the addresses of the memory instruction `inst`, whose address operand is `operand`. Returns
 * their index in *index.
 */
bool access_add(struct parser *parser, const struct inst *inst, const struct operand *operand,
                uint32_t *index);

#endif
