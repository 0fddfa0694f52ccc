/* The sixteen comparisons of floating-point numbers, as FSETP, DSETP, HSETP2 and FSET encode them.
 */
#ifndef SIM_EXEC_ALU_FLOAT_COMPARE_H
#define SIM_EXEC_ALU_FLOAT_COMPARE_H

#include <stdint.h>

/* Lanes in which A is less than, equal to, greater than B; in the others one of them is NaN. */
struct float_relations {
    uint32_t less, equal, greater;
};

/*
 * Lanes in which comparison `code` holds: bit 0 of it asks for less, bit 1 for equal, bit 2 for
 * greater, bit 3 for unordered. So 7 is "both are numbers" and 8 "one is NaN".
 */
static inline uint32_t float_compare(uint32_t code, const struct float_relations *found)
{
    const uint32_t unordered = ~(found->less | found->equal | found->greater);
    return (code & 1 ? found->less : 0) | (code & 2 ? found->equal : 0) |
           (code & 4 ? found->greater : 0) | (code & 8 ? unordered : 0);
}

#endif
