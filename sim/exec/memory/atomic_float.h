/* Arithmetic of atomic operations on floating-point values. `op`: 0 adds, 1 takes the minimum, 2
 * the maximum. */
#ifndef SIM_EXEC_MEMORY_ATOMIC_FLOAT_H
#define SIM_EXEC_MEMORY_ATOMIC_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the result for two single-precision numbers, given and returned as bits. `flush`:
 * denormal inputs and results become zeros. */
uint32_t atomic_f32(uint32_t op, uint32_t old, uint32_t value, bool flush);

/* Returns the sum of two doubles, given and returned as bits. */
uint64_t atomic_f64(uint64_t old, uint64_t value);

/* Returns the results for a pair of halves, or of bfloat16 numbers if `bfloat`. */
uint32_t atomic_halves(uint32_t op, uint32_t old, uint32_t value, bool bfloat);

#endif
