/*
 * The sixteen comparisons of floating-point numbers, as FSETP, DSETP, HSETP2 and FSET encode them.
 */
#ifndef SIM_EXEC_ALU_FLOAT_COMPARE_H
#define SIM_EXEC_ALU_FLOAT_COMPARE_H

#include <stdint.h>

/* Lanes with A < B, A = B and A > B. In the lanes that are in none of the masks A or B is NaN. */
struct float_relations {
    uint32_t less, equal, greater;
};

/*
 * Returns the lanes in which comparison `code` holds. Bit 0 of the code stands for less, bit 1 for
 * equal, bit 2 for greater, bit 3 for unordered. So 7 is "A and B are numbers" and 8 "A or B is
 * NaN".
 */
static inline uint32_t float_compare(uint32_t code, const struct float_relations *found)
{
    const uint32_t unordered = ~(found->less | found->equal | found->greater);
    return (code & 1 ? found->less : 0) | (code & 2 ? found->equal : 0) |
           (code & 4 ? found->greater : 0) | (code & 8 ? unordered : 0);
}

#endif
