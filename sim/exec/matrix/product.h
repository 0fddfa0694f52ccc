/*
 * MODEL: sums of exact products, as tensor cores of sm_75 to sm_90 form them. This is not IEEE
 * arithmetic. The exact products and C are aligned to the largest exponent among them and cut off
 * after some fraction bits. Their sum is exact; it is rounded to nearest for a half, towards zero
 * for a float. The exponent of a product is the sum of its factors' exponents, without normalising.
 * SOURCE: two studies that agree with hardware bit for bit (Khattak and Mikaitis, arXiv 2512.07004;
 * Xie et al., arXiv 2511.10909), and an H200.
 */
#ifndef SIM_EXEC_MATRIX_PRODUCT_H
#define SIM_EXEC_MATRIX_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PRODUCT_ROWS = 16, PRODUCT_COLUMNS = 8, PRODUCT_DEPTH = 64 };

enum product_format { FORMAT_HALF, FORMAT_BF16, FORMAT_TF32, FORMAT_E4M3, FORMAT_E5M2 };

/* How an instruction adds. */
struct product_rule {
    enum product_format a, b;
    int32_t fraction_bits; /* kept by the alignment; a float has no more if they are below 23 */
    unsigned step;         /* products that are added at a time */
    bool to_single;        /* D is float, not half */
};

/* How an instruction adds integers: products of elements, or of each two elements of 32 bits the
 * number of bits that are ones in both (AND) or in one alone (XOR). */
enum integer_kind { INTEGER_PRODUCTS, INTEGER_AND, INTEGER_XOR };
struct integer_rule {
    enum integer_kind kind;
    unsigned bits; /* of an element */
    bool a_signed, b_signed;
    bool saturates; /* D is clamped; otherwise it is exact modulo 2^32 */
};

/* What there is among some elements: exponents far from 0, or infinities and NaN. */
enum product_range { PRODUCT_NEAR, PRODUCT_FAR, PRODUCT_SPECIAL };

/*
 * Rows of A and columns of B. Their users fill `bits`, of which a format uses as many as it has
 * from the lowest on; prepare_a and prepare_b find values and exponents.
 */
struct product_a {
    uint32_t bits[PRODUCT_ROWS][PRODUCT_DEPTH];
    float value[PRODUCT_ROWS][PRODUCT_DEPTH];
    int32_t exponent[PRODUCT_ROWS][PRODUCT_DEPTH];
    enum product_range range;
};
struct product_b {
    uint32_t bits[PRODUCT_DEPTH][PRODUCT_COLUMNS];
    float value[PRODUCT_DEPTH][PRODUCT_COLUMNS];
    int32_t exponent[PRODUCT_DEPTH][PRODUCT_COLUMNS];
    enum product_range range;
};

/* Of sparse A: the row of B by which each element is multiplied. */
struct product_places {
    uint8_t inner[PRODUCT_ROWS][PRODUCT_DEPTH];
};

/* The arithmetic, compiled for one kind of processor. All kinds give the same bits. */
struct product_unit {
    /* Prepare `rows` rows and 8 columns of `depth` elements; depth is a multiple of 4. */
    void (*prepare_a)(const struct product_rule *rule, unsigned rows, unsigned depth,
                      struct product_a *a);
    void (*prepare_b)(const struct product_rule *rule, unsigned depth, struct product_b *b);
    /* Adds the products to c: c[row][column] += a[row][0] b[0][column] + ... */
    void (*add)(const struct product_rule *rule, unsigned rows, unsigned depth,
                const struct product_a *a, const struct product_b *b,
                float c[PRODUCT_ROWS][PRODUCT_COLUMNS]);
    /* As add, of sparse A. `depth` is that of A, and one step. */
    void (*add_sparse)(const struct product_rule *rule, unsigned rows, unsigned depth,
                       const struct product_a *a, const struct product_b *b,
                       const struct product_places *places, float c[PRODUCT_ROWS][PRODUCT_COLUMNS]);
    /* The same for integers: widened to 32 bits in place, then added. */
    void (*widen_a)(const struct integer_rule *rule, unsigned rows, unsigned depth,
                    struct product_a *a);
    void (*widen_b)(const struct integer_rule *rule, unsigned depth, struct product_b *b);
    void (*add_integers)(const struct integer_rule *rule, unsigned rows, unsigned depth,
                         const struct product_a *a, const struct product_b *b,
                         uint32_t c[PRODUCT_ROWS][PRODUCT_COLUMNS]);
};

/* The kinds, the fastest first; the last one before the end (a NULL name) is usable everywhere. */
struct product_choice {
    const char *name;
    bool (*usable)(void);
    const struct product_unit *unit;
};
extern const struct product_choice product_choices[];

/* Returns the fastest kind that this processor can use. */
const struct product_unit *product_unit(void);

#endif
