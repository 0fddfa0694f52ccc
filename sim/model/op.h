/* What opcode classes have in common beyond their table. */
#ifndef SIM_MODEL_OP_H
#define SIM_MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"

/* Whether its instructions go to the memory system. */
static inline bool op_is_memory(enum simsm_op_class op)
{
    switch (op) {
    case SIMSM_OP_LD_GLOBAL:
    case SIMSM_OP_ST_GLOBAL:
    case SIMSM_OP_ATOM_GLOBAL:
    case SIMSM_OP_RED_GLOBAL:
    case SIMSM_OP_LD_LOCAL:
    case SIMSM_OP_ST_LOCAL:
    case SIMSM_OP_TEX:
    case SIMSM_OP_LD_SHARED:
    case SIMSM_OP_ST_SHARED:
    case SIMSM_OP_ATOM_SHARED:
    case SIMSM_OP_COPY_ASYNC:
        return true;
    default:
        return false;
    }
}

/* Whether it decides which lanes run what, and where: not what a kernel calculates. */
static inline bool op_is_control_flow(uint8_t op)
{
    return op == SIMSM_OP_BRANCH || op == SIMSM_OP_CONVERGE || op == SIMSM_OP_BSYNC ||
           op == SIMSM_OP_EXIT;
}

#endif
