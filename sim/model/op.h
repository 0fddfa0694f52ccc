/* Properties of opcode classes that follow from no table. */
#ifndef SIM_MODEL_OP_H
#define SIM_MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"

/* Returns true for accesses to shared memory alone. */
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

/* Returns true for instructions that the memory system executes. */
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

/* Returns the class of a generic access (LD, ST, ATOM) that turns out to be one of shared memory.
 */
static inline uint8_t op_of_shared(uint8_t op)
{
    switch (op) {
    case SIMSM_OP_LD_GLOBAL:
        return SIMSM_OP_LD_SHARED;
    case SIMSM_OP_ST_GLOBAL:
        return SIMSM_OP_ST_SHARED;
    case SIMSM_OP_ATOM_GLOBAL:
    case SIMSM_OP_RED_GLOBAL:
        return SIMSM_OP_ATOM_SHARED;
    default:
        return op;
    }
}

/* Returns true for operations on barriers in shared memory (mbarrier). */
static inline bool op_is_mbarrier(uint8_t op)
{
    return op == SIMSM_OP_MBARRIER || op == SIMSM_OP_MBARRIER_WAIT || op == SIMSM_OP_MBARRIER_COPY;
}

/* Returns true for instructions that close a group of copies. */
static inline bool op_closes_group(uint8_t op)
{
    return op == SIMSM_OP_COPY_GROUP || op == SIMSM_OP_TMA_COMMIT;
}

/* Returns true for copies beside the warp (TMA). */
static inline bool op_is_copy(uint8_t op)
{
    return op == SIMSM_OP_TMA_LOAD || op == SIMSM_OP_TMA_STORE || op == SIMSM_OP_TMA_REDUCE;
}

/* Returns true for classes whose time grows with the number of distinct values or addresses of the
 * lanes, which warp_inst.token holds. */
static inline bool op_counts_values(uint8_t op)
{
    return op == SIMSM_OP_MATCH || op == SIMSM_OP_LD_CONST;
}

/* Returns true for classes of which a recording holds warp_inst.token. */
static inline bool op_has_token(uint8_t op)
{
    return op_counts_values(op) || op == SIMSM_OP_BARRIER;
}

/* Returns true for accesses whose answer only fences wait for: stores and reductions. */
static inline bool op_is_posted(enum simsm_op_class op)
{
    return op == SIMSM_OP_ST_GLOBAL || op == SIMSM_OP_RED_GLOBAL || op == SIMSM_OP_ST_LOCAL;
}

static inline bool op_is_atomic(uint8_t op)
{
    return op == SIMSM_OP_ATOM_GLOBAL || op == SIMSM_OP_RED_GLOBAL || op == SIMSM_OP_ATOM_SHARED;
}

/* Suffixes of mnemonics that tell the kind of an atomic operation (enum inst_atomic). */
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

/* Returns true for instructions that decide which lanes run what, and where. */
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
