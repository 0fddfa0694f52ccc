/* What atomic operations do to bytes in memory. */
#ifndef SIM_EXEC_MEMORY_ATOMIC_H
#define SIM_EXEC_MEMORY_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

/* Values of SASS_MOD_ATOM_OP. */
enum atomic_op {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCHANGE,
    ATOMIC_COMPARE_AND_SWAP,
    ATOMIC_COMPARE_AND_TEST
};

/* Values of SASS_MOD_ATOM_TYPE. Halves come in pairs. */
enum atomic_type {
    ATOMIC_U32,
    ATOMIC_S32,
    ATOMIC_U64,
    ATOMIC_S64,
    ATOMIC_F32_FTZ,
    ATOMIC_F32,
    ATOMIC_F64,
    ATOMIC_F16X2,
    ATOMIC_BF16X2
};

/* Returns whether there is the operation on this type. */
bool atomic_has(uint32_t op, uint32_t type);

/* Applies the operation to each element of *to and *from: `bytes` bytes, a multiple of the type's.
 * The results lie in *to. */
void atomic_combine(uint32_t op, uint32_t type, uint8_t *to, const uint8_t *from, uint32_t bytes);

#endif
