/*
 * Sums of exact products, eight columns at a time, for one kind of processor: product_KIND.c
 * defines UNIT and the compiler's options say which instructions there are. The results are the
 * same, as all operations are exact.
 *
 * A product of two values is exact as a float, and so is its multiple by a power of two; converting
 * it to an integer cuts it off. Sums of eight such integers fit into 32 bits, sums of sums into a
 * double. Elements that are infinite or NaN, exponents far from 0, and results below the smallest
 * normal float are rare and take longer.
 */
#include "exec/matrix/integer_lanes.h"
#include "exec/matrix/lanes.h"
#include "exec/matrix/product.h"

#include <string.h>

#include "exec/alu/half.h"
#include "exec/alu/rounding.h"

enum { EXACT = 8 /* products whose sum fits into an integer */ };
typedef float half_floats __attribute__((vector_size(2 * WIDTH)));
typedef int32_t half_ints __attribute__((vector_size(2 * WIDTH)));
typedef double half_doubles __attribute__((vector_size(4 * WIDTH)));
typedef int64_t half_longs __attribute__((vector_size(4 * WIDTH)));

enum { SMALLEST_SINGLE = -126, NO_EXPONENT = -1000, SINGLE_FRACTION = 23 };
enum { NEAR = 50 }; /* products of numbers with smaller exponents are far from the ends of floats */

/* ---- Elements ---- */

/*
 * Returns the values of numbers with fewer exponent bits than a float. `magnitude` has their
 * exponent where a float has it, which is too low by `rebase`. A denormal gets a leading one, which
 * the subtraction removes.
 */
BODY floats widen(ints magnitude, ints sign, int32_t rebase, ints special)
{
    const ints zero = {0}, field = magnitude >> 23, rebased = magnitude + (rebase << 23);
    const floats denormal = (floats)(rebased + (1 << 23)) - alu_float((uint32_t)(rebase + 1) << 23);
    const ints value = choose(field == zero, (ints)denormal, rebased);
    return (floats)(choose(special, magnitude | 0x7f800000, value) | sign);
}

/* Returns the values of elements. A NaN is some NaN. */
BODY floats values_of(enum product_format format, ints bits)
{
    const ints zero = {0};
    if (format == FORMAT_E5M2) /* a half without its lower bits */
        bits <<= 8;
    switch (format) {
    case FORMAT_HALF:
    case FORMAT_E5M2:
        return widen((bits & 0x7fff) << 13, (bits & 0x8000) << 16, 112,
                     (bits & 0x7c00) == zero + 0x7c00);
    case FORMAT_BF16:
        return (floats)(bits << 16);
    case FORMAT_TF32: /* hardware ignores the lowest bits */
        return (floats)(bits & ~0x1fff);
    default: /* E4M3, without infinities */
        return widen((bits & 0x7f) << 20, (bits & 0x80) << 24, 120, (bits & 0x7f) == zero + 0x7f);
    }
}

/* Returns the smallest exponent of a format, which its denormals have. */
BODY int32_t smallest_of(enum product_format format)
{
    static const int8_t smallest[] = {[FORMAT_HALF] = -14,
                                      [FORMAT_BF16] = SMALLEST_SINGLE,
                                      [FORMAT_TF32] = SMALLEST_SINGLE,
                                      [FORMAT_E4M3] = -6,
                                      [FORMAT_E5M2] = -14};
    return smallest[format];
}

/*
 * Splits values into significands and exponents. Denormals have the smallest exponent and no
 * leading one. Zeros have no exponent that counts, whatever they are multiplied by (measured on an
 * H200).
 */
BODY void split(floats value, int32_t smallest, floats *significand, ints *exponent)
{
    const ints zero = {0}, bits = (ints)value, least = zero + smallest;
    const ints normal_exponent = (bits >> 23 & 255) - 127;
    const floats denormal = value * alu_float((uint32_t)(127 - smallest) << 23);
    const ints normal = (bits & (INT32_MIN | 0x7fffff)) | 127 << 23;
    *significand = (floats)choose(normal_exponent < least, (ints)denormal, normal);
    *exponent =
        choose((bits & INT32_MAX) == zero, zero + NO_EXPONENT, larger(normal_exponent, least));
}

/* Returns a vector that is not zero if a value is infinite or NaN. */
BODY ints specials(floats value)
{
    const ints zero = {0};
    return ((ints)value >> 23 & 255) == zero + 255;
}

/* Finds values and exponents of `count` elements, a multiple of 8. Returns what there is among
 * them. */
BODY enum product_range prepare(enum product_format format, unsigned count, const uint32_t *bits,
                                float *value, int32_t *exponent)
{
    ints special = {0}, far = {0};
    for (unsigned i = 0; i < count; i += WIDTH) {
        ints word, exponents;
        floats significand;
        memcpy(&word, bits + i, sizeof word);
        const floats values = values_of(format, word);
        split(values, smallest_of(format), &significand, &exponents);
        special |= specials(values);
        far |= (exponents > NEAR) | ((exponents < -NEAR) & (exponents != NO_EXPONENT));
        memcpy(value + i, &values, sizeof values);
        memcpy(exponent + i, &exponents, sizeof exponents);
    }
    return any(special) ? PRODUCT_SPECIAL : any(far) ? PRODUCT_FAR : PRODUCT_NEAR;
}

/* ---- Sums ---- */

/* Sums of integers: value x 2^(top - fraction bits). A vector of doubles has four columns. */
struct sum {
    half_doubles value[2];
    ints top; /* the largest exponent of the terms */
};

BODY half_ints half_of(ints all, unsigned which)
{
    half_ints half;
    memcpy(&half, (const char *)&all + which * sizeof half, sizeof half);
    return half;
}

BODY void add_ints(struct sum *sum, ints part)
{
    for (unsigned i = 0; i < 2; i++)
        sum->value[i] += __builtin_convertvector(half_of(part, i), half_doubles);
}

/* Returns 2^exponent / 2^127. Far below 1 it is some small number, with which no product is one. */
BODY floats power(ints exponent)
{
    const ints zero = {0};
    return (floats)(larger(exponent, zero + 32) << 23);
}

/* One row of A, eight columns of B, one step. */
struct step {
    const float *a;
    const int32_t *a_exponent;
    const float (*b)[WIDTH];
    const int32_t (*b_exponent)[WIDTH];
    const uint8_t *places; /* rows of B for the elements of A; NULL: one after the other */
    unsigned n;
};

BODY unsigned row_of_b(const struct step *step, unsigned k)
{
    return step->places ? step->places[k] : k;
}

/* Returns c, cut off; *sum.top is found. */
BODY struct sum begin_sum(const struct step *step, int32_t fraction_bits, floats c)
{
    ints exponent;
    floats significand;
    struct sum sum = {0};
    split(c, SMALLEST_SINGLE, &significand, &exponent);
    sum.top = exponent;
    for (unsigned k = 0; k < step->n; k++) {
        ints other;
        memcpy(&other, step->b_exponent[row_of_b(step, k)], sizeof other);
        sum.top = larger(sum.top, other + step->a_exponent[k]);
    }
    add_ints(&sum, __builtin_convertvector(
                       significand * power(exponent - sum.top + fraction_bits + 127), ints));
    return sum;
}

/* Adds the products of numbers whose exponents are near 0. */
BODY void add_near(struct sum *sum, const struct step *step, int32_t fraction_bits)
{
    const ints zero = {0};
    /* Where the top is lower, there is no product but 0. */
    const ints top = larger(sum->top, zero - 2 * NEAR);
    const floats scale = (floats)((fraction_bits + 127 - top) << 23);
    for (unsigned first = 0; first < step->n; first += EXACT) {
        const unsigned end = first + EXACT < step->n ? first + EXACT : step->n;
        ints part = zero;
        for (unsigned k = first; k < end; k++) {
            floats factor;
            memcpy(&factor, step->b[row_of_b(step, k)], sizeof factor);
            part += __builtin_convertvector(factor * step->a[k] * scale, ints);
        }
        add_ints(sum, part);
    }
}

/* Adds products of any finite numbers: significands and exponents go apart. */
BODY void add_far(struct sum *sum, const struct step *step, const struct product_rule *rule)
{
    for (unsigned k = 0; k < step->n; k++) {
        const floats zero = {0};
        floats factor, significand, other;
        ints exponent, unused;
        memcpy(&factor, step->b[row_of_b(step, k)], sizeof factor);
        memcpy(&exponent, step->b_exponent[row_of_b(step, k)], sizeof exponent);
        split(factor, smallest_of(rule->b), &significand, &unused);
        split(zero + step->a[k], smallest_of(rule->a), &other, &unused);
        exponent += step->a_exponent[k] - sum->top + rule->fraction_bits + 127;
        add_ints(sum, __builtin_convertvector(significand * other * power(exponent), ints));
    }
}

/* Stores sums as floats, cut off to `bits` fraction bits, or rounded to odd: then the last bit says
 * whether something was cut off, so that rounding once more to a half gives what rounding the sum
 * gives. What is below the normal floats is left to single_small. */
BODY void to_single(const struct sum *sum, int32_t fraction_bits, int bits, bool odd,
                    float result[WIDTH])
{
    const int64_t unit = INT64_C(1) << (52 - bits);
    const half_longs zero = {0};
    for (unsigned i = 0; i < 2; i++) {
        const half_longs all = (half_longs)sum->value[i];
        half_longs kept = all & -unit;
        if (odd)
            kept |= ((all & (unit - 1)) != zero) & unit;
        const half_longs exponent =
            __builtin_convertvector(half_of(sum->top, i), half_longs) + 1023 - fraction_bits;
        const half_doubles scale = (half_doubles)((exponent & (exponent > zero)) << 52);
        const half_floats value = __builtin_convertvector((half_doubles)kept * scale, half_floats);
        memcpy(result + i * WIDTH / 2, &value, sizeof value);
    }
}

/* Replaces the results that are below the normal floats. */
static void single_small(const struct sum *sum, int32_t fraction_bits, float result[WIDTH])
{
    for (unsigned j = 0; j < WIDTH; j++) {
        const double value = sum->value[j / 4][j % 4];
        if ((value < 0 || value > 0) && (alu_float_bits(result[j]) & 0x7f800000u) == 0)
            result[j] = alu_float((uint32_t)float_round(&float_single, value < 0,
                                                        (uint64_t)(value < 0 ? -value : value),
                                                        sum->top[j] - fraction_bits, ROUND_ZERO));
    }
}

/* Adds one step of products to a row of C, all of them finite. */
BODY void add_row(const struct product_rule *rule, const struct step *step, bool near,
                  float c[WIDTH])
{
    floats last;
    ints bits;
    memcpy(&last, c, sizeof last);
    struct sum sum = begin_sum(step, rule->fraction_bits, last);
    if (near)
        add_near(&sum, step, rule->fraction_bits);
    else
        add_far(&sum, step, rule);
    const bool short_sum = rule->fraction_bits < SINGLE_FRACTION;
    to_single(&sum, rule->fraction_bits,
              short_sum && rule->to_single ? rule->fraction_bits : SINGLE_FRACTION,
              !rule->to_single, c);
    if (!rule->to_single) {
        for (unsigned j = 0; j < WIDTH; j++)
            c[j] = half_value(half_bits(c[j]));
        return;
    }
    memcpy(&bits, c, sizeof bits);
    const ints zero = {0};
    if (any((bits & 0x7f800000) == zero))
        single_small(&sum, rule->fraction_bits, c);
}

BODY struct step step_of(const struct product_rule *rule, const struct product_a *a,
                         const struct product_b *b, const struct product_places *places,
                         unsigned row, unsigned k)
{
    const unsigned first = places ? 0 : k;
    return (struct step){&a->value[row][k],
                         &a->exponent[row][k],
                         &b->value[first],
                         &b->exponent[first],
                         places ? &places->inner[row][k] : NULL,
                         rule->step};
}

BODY void add_finite(const struct product_rule *rule, unsigned rows, unsigned depth,
                     const struct product_a *a, const struct product_b *b,
                     const struct product_places *places, bool near, float c[][WIDTH])
{
    for (unsigned k = 0; k < depth; k += rule->step)
        for (unsigned row = 0; row < rows; row++) {
            const struct step step = step_of(rule, a, b, places, row, k);
            add_row(rule, &step, near, c[row]);
        }
}

/* ---- Infinities and NaN ---- */

/*
 * Adds one step to an element. Infinities and NaN add up as IEEE arithmetic says. Without any,
 * returns false.
 */
static bool add_special(const struct step *step, unsigned column, float *c)
{
    double sum = (double)*c;
    bool special = !(sum - sum == 0);
    for (unsigned k = 0; k < step->n; k++) {
        const double x = (double)step->a[k];
        const double y = (double)step->b[row_of_b(step, k)][column];
        special |= !(x - x == 0) || !(y - y == 0);
        sum += x * y;
    }
    if (special)
        *c = (float)sum;
    return special;
}

/* As add_finite, where some elements are infinite or NaN: all others are added as if there were
 * none. */
BODY void add_any(const struct product_rule *rule, unsigned rows, unsigned depth,
                  const struct product_a *a, const struct product_b *b,
                  const struct product_places *places, float c[][WIDTH])
{
    for (unsigned k = 0; k < depth; k += rule->step)
        for (unsigned row = 0; row < rows; row++) {
            float before[WIDTH];
            memcpy(before, c[row], sizeof before);
            const struct step step = step_of(rule, a, b, places, row, k);
            add_row(rule, &step, false, c[row]);
            for (unsigned j = 0; j < WIDTH; j++)
                if (add_special(&step, j, &before[j]))
                    c[row][j] = before[j];
        }
}

/* ---- The unit ---- */

static void prepare_a(const struct product_rule *rule, unsigned rows, unsigned depth,
                      struct product_a *a)
{
    a->range = PRODUCT_NEAR;
    for (unsigned row = 0; row < rows; row++) {
        const enum product_range range = prepare(rule->a, (depth + WIDTH - 1) / WIDTH * WIDTH,
                                                 a->bits[row], a->value[row], a->exponent[row]);
        a->range = range > a->range ? range : a->range;
    }
}
static void prepare_b(const struct product_rule *rule, unsigned depth, struct product_b *b)
{
    b->range = prepare(rule->b, depth * WIDTH, b->bits[0], b->value[0], b->exponent[0]);
}
BODY void add_all(const struct product_rule *rule, unsigned rows, unsigned depth,
                  const struct product_a *a, const struct product_b *b,
                  const struct product_places *places, float c[][WIDTH])
{
    const enum product_range range = a->range > b->range ? a->range : b->range;
    ints special = {0};
    for (unsigned row = 0; row < rows; row++) {
        floats last;
        memcpy(&last, c[row], sizeof last);
        special |= specials(last);
    }
    if (range == PRODUCT_SPECIAL || any(special))
        add_any(rule, rows, depth, a, b, places, c);
    else if (range == PRODUCT_FAR)
        add_finite(rule, rows, depth, a, b, places, false, c);
    else
        add_finite(rule, rows, depth, a, b, places, true, c);
}
static void add_products(const struct product_rule *rule, unsigned rows, unsigned depth,
                         const struct product_a *a, const struct product_b *b, float c[][WIDTH])
{
    add_all(rule, rows, depth, a, b, NULL, c);
}
static void add_sparse(const struct product_rule *rule, unsigned rows, unsigned depth,
                       const struct product_a *a, const struct product_b *b,
                       const struct product_places *places, float c[][WIDTH])
{
    add_all(rule, rows, depth, a, b, places, c);
}

const struct product_unit UNIT = {.prepare_a = prepare_a,
                                  .prepare_b = prepare_b,
                                  .add = add_products,
                                  .add_sparse = add_sparse,
                                  .widen_a = widen_a,
                                  .widen_b = widen_b,
                                  .add_integers = add_integers};
