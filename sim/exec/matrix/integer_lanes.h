/*
 * Sums of products of integers, and counts of common or different bits, eight columns at a time,
 * for one kind of processor (product_lanes.h). A sum without C fits into 32 bits.
 */
#ifndef SIM_EXEC_MATRIX_INTEGER_LANES_H
#define SIM_EXEC_MATRIX_INTEGER_LANES_H

#include <string.h>

#include "exec/matrix/lanes.h"

BODY void widen_elements(unsigned bits, bool is_signed, unsigned count, uint32_t *element)
{
    const unsigned unused = 32 - bits;
    for (unsigned i = 0; i < count; i += WIDTH) {
        words word;
        memcpy(&word, element + i, sizeof word);
        word <<= unused;
        word = is_signed ? (words)((ints)word >> unused) : word >> unused;
        memcpy(element + i, &word, sizeof word);
    }
}

static void widen_a(const struct integer_rule *rule, unsigned rows, unsigned depth,
                    struct product_a *a)
{
    for (unsigned row = 0; row < rows; row++)
        widen_elements(rule->bits, rule->a_signed, depth, a->bits[row]);
}

static void widen_b(const struct integer_rule *rule, unsigned depth, struct product_b *b)
{
    widen_elements(rule->bits, rule->b_signed, depth * WIDTH, b->bits[0]);
}

BODY words products(const uint32_t *a, const struct product_b *b, unsigned depth)
{
    words sum = {0};
    for (unsigned k = 0; k < depth; k++) {
        words factor;
        memcpy(&factor, b->bits[k], sizeof factor);
        sum += factor * a[k];
    }
    return sum;
}

/* Returns how many bits are ones in both, or in one alone. Until the end each byte of a sum counts
 * its own bits: at most 8 of each of 31 words. */
BODY words bit_counts(const uint32_t *a, const struct product_b *b, unsigned depth, bool both)
{
    words sum = {0};
    for (unsigned k = 0; k < depth; k++) {
        words word;
        memcpy(&word, b->bits[k], sizeof word);
        word = both ? word & a[k] : word ^ a[k];
        word -= word >> 1 & 0x55555555;
        word = (word & 0x33333333) + (word >> 2 & 0x33333333);
        sum += (word + (word >> 4)) & 0x0f0f0f0f;
    }
    sum = (sum & 0x00ff00ff) + (sum >> 8 & 0x00ff00ff);
    return (sum & 0xffff) + (sum >> 16);
}

/* Returns a + b, clamped where the signs say that it overflows. */
BODY words saturating_sum(words a, words b)
{
    const ints zero = {0};
    const words sum = a + b;
    const ints overflows = (ints)((a ^ sum) & (b ^ sum)) < zero;
    const ints end = choose((ints)a < zero, zero + INT32_MIN, zero + INT32_MAX);
    return (words)choose(overflows, end, (ints)sum);
}

static void add_integers(const struct integer_rule *rule, unsigned rows, unsigned depth,
                         const struct product_a *a, const struct product_b *b, uint32_t c[][WIDTH])
{
    for (unsigned row = 0; row < rows; row++) {
        words last, sum;
        memcpy(&last, c[row], sizeof last);
        if (rule->kind == INTEGER_PRODUCTS)
            sum = products(a->bits[row], b, depth);
        else
            sum = bit_counts(a->bits[row], b, depth, rule->kind == INTEGER_AND);
        sum = rule->saturates ? saturating_sum(last, sum) : last + sum;
        memcpy(c[row], &sum, sizeof sum);
    }
}

#endif
