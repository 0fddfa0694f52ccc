/* Atomic operations on floating-point values: `op` 0 adds, 1 takes the minimum, 2 the maximum. */
#ifndef SIM_EXEC_MEMORY_ATOMIC_FLOAT_H
#define SIM_EXEC_MEMORY_ATOMIC_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* On bits; `flush`: denormal inputs and results are zero. */
uint32_t atomic_f32(uint32_t op, uint32_t old, uint32_t value, bool flush);

/* Adds. */
uint64_t atomic_f64(uint64_t old, uint64_t value);

/* On two halves, or two bfloat16. */
uint32_t atomic_halves(uint32_t op, uint32_t old, uint32_t value, bool bfloat);

#endif
