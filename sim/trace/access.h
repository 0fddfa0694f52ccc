/* From the address of an instruction to what its stream needs to find it again. */
#ifndef SIM_TRACE_ACCESS_H
#define SIM_TRACE_ACCESS_H

#include "trace/operand.h"

/*
 * Adds the addresses of `inst`, a memory instruction whose address is `operand`. Returns their
 * index in *index.
 */
bool access_add(struct parser *parser, const struct inst *inst, const struct operand *operand,
                uint32_t *index);

#endif
