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

static inline bool op_is_atomic(uint8_t op)
{
    return op == SIMSM_OP_ATOM_GLOBAL || op == SIMSM_OP_RED_GLOBAL || op == SIMSM_OP_ATOM_SHARED;
}

/* Suffixes, in texts of instructions, that say which kind an atomic is (enum inst_atomic). */
#define OP_ATOMIC_SUFFIXES(X)                                                                      \
    X("CAS", ATOMIC_CAS)                                                                           \
    X("POPC", ATOMIC_COUNT)                                                                        \
    X("F32", ATOMIC_FLOAT)                                                                         \
    X("F64", ATOMIC_FLOAT)                                                                         \
    X("F16x2", ATOMIC_FLOAT)

/* Whether it decides which lanes run what, and where: not what a kernel calculates. */
static inline bool op_is_control_flow(uint8_t op)
{
    return op == SIMSM_OP_BRANCH || op == SIMSM_OP_CONVERGE || op == SIMSM_OP_BSYNC ||
           op == SIMSM_OP_EXIT;
}

#endif
