/* What opcode classes have in common beyond their table. */
#ifndef SIM_MODEL_OP_H
#define SIM_MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"

/* Whether it accesses shared memory, and nothing else. */
static inline bool op_is_shared(enum simsm_op_class op)
{
    switch (op) {
    case SIMSM_OP_LD_SHARED:
    case SIMSM_OP_ST_SHARED:
    case SIMSM_OP_ATOM_SHARED:
    case SIMSM_OP_MBARRIER:
    case SIMSM_OP_MBARRIER_WAIT:
    case SIMSM_OP_MBARRIER_COPY:
        return true;
    default:
        return false;
    }
}

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
    case SIMSM_OP_COPY_ASYNC:
        return true;
    default:
        return op_is_shared(op);
    }
}

/* Operations on barriers in shared memory. */
static inline bool op_is_mbarrier(uint8_t op)
{
    return op == SIMSM_OP_MBARRIER || op == SIMSM_OP_MBARRIER_WAIT || op == SIMSM_OP_MBARRIER_COPY;
}

/* Whether it takes longer the more values, or addresses, its lanes have: warp_inst.token says how
 * many. */
static inline bool op_counts_values(uint8_t op)
{
    return op == SIMSM_OP_MATCH || op == SIMSM_OP_LD_CONST;
}

/* Whether it accesses memory and nothing waits for its answer but fences. */
static inline bool op_is_posted(enum simsm_op_class op)
{
    return op == SIMSM_OP_ST_GLOBAL || op == SIMSM_OP_RED_GLOBAL || op == SIMSM_OP_ST_LOCAL;
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

static inline bool op_is_branch(uint8_t op)
{
    return op == SIMSM_OP_BRANCH || op == SIMSM_OP_BRANCH_REGISTER;
}

/* Whether it decides which lanes run what, and where: not what a kernel calculates. */
static inline bool op_is_control_flow(uint8_t op)
{
    switch ((enum simsm_op_class)op) {
    case SIMSM_OP_BRANCH:
    case SIMSM_OP_BRANCH_REGISTER:
    case SIMSM_OP_CONVERGE:
    case SIMSM_OP_BREAK:
    case SIMSM_OP_WARPSYNC:
    case SIMSM_OP_YIELD:
    case SIMSM_OP_BSYNC:
    case SIMSM_OP_EXIT:
        return true;
    default:
        return false;
    }
}

#endif
