/*
 * Sums of exact products as tensor cores form them, against their definition in integers: all
 * formats, both results, numbers of every size, denormals, infinities and NaN. Sums of products of
 * integers and counts of bits, clamped or not, with C near the ends of the range.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "exec/matrix/product.h"

static uint64_t state = 2026;

static uint32_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* A format by its definition; `whole`: all exponents are numbers, but for one NaN (E4M3). */
static const struct {
    const char *name;
    int exponent_bits, fraction_bits;
    int unused; /* lowest bits that do not count */
} formats[] = {[FORMAT_HALF] = {"half", 5, 10, 0},
               [FORMAT_BF16] = {"bf16", 8, 7, 0},
               [FORMAT_TF32] = {"tf32", 8, 10, 13},
               [FORMAT_E4M3] = {"e4m3", 4, 3, 0},
               [FORMAT_E5M2] = {"e5m2", 5, 2, 0}};

/* An element: significand x 2^(exponent - fraction bits). */
struct element {
    int64_t significand;
    int exponent;
    bool zero, special;
    double value;
};

static struct element element_of(enum product_format format, uint32_t bits)
{
    const int fraction_bits = formats[format].fraction_bits;
    const int exponent_bits = formats[format].exponent_bits;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    bits >>= formats[format].unused;
    const uint32_t fraction = bits & ((1u << fraction_bits) - 1);
    const int field = (int)(bits >> fraction_bits & ((1u << exponent_bits) - 1));
    const bool negative = bits >> (fraction_bits + exponent_bits) & 1;
    struct element e = {.significand = fraction | (field ? 1u << fraction_bits : 0),
                        .exponent = (field ? field : 1) - bias,
                        .zero = !field && !fraction};
    e.value = ldexp((double)e.significand, e.exponent - fraction_bits);
    if (format == FORMAT_E4M3)
        e.special = field == 15 && fraction == 7;
    else
        e.special = field == (1 << exponent_bits) - 1;
    if (e.special)
        e.value = fraction ? NAN : INFINITY;
    e.value = negative ? -e.value : e.value;
    e.significand = negative ? -e.significand : e.significand;
    return e;
}

static struct element single_of(float value)
{
    struct element e = {.zero = value == 0.0f, .special = !isfinite(value), .value = (double)value};
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int field = (int)(bits >> 23 & 255);
    e.significand = (bits & 0x7fffff) | (field ? 0x800000 : 0);
    e.significand = bits >> 31 ? -e.significand : e.significand;
    e.exponent = (field ? field : 1) - 127;
    return e;
}

/* value x 2^shift, cut off towards zero. */
static int64_t cut(int64_t value, int shift)
{
    const int64_t size = value < 0 ? -value : value;
    const int64_t moved = shift >= 0 ? size << shift : shift < -62 ? 0 : size >> -shift;
    return value < 0 ? -moved : moved;
}

/* Returns the largest float of at most `bits` fraction bits that is not larger in size. */
static float towards_zero(double exact, int bits)
{
    if (exact == 0)
        return 0;
    int exponent;
    (void)frexp(exact, &exponent);
    if (exponent > 128)
        return exact < 0 ? -INFINITY : INFINITY;
    const int last = exponent - 1 < -126 ? -149 : exponent - 1 - 23;
    const float single = (float)ldexp(trunc(ldexp(exact, -last)), last);
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    word &= ~((1u << (23 - bits)) - 1);
    float result;
    memcpy(&result, &word, sizeof result);
    return result;
}

/* Returns the nearest half, ties to even. */
static float nearest_half(double exact)
{
    if (exact == 0)
        return 0;
    int exponent;
    (void)frexp(exact, &exponent);
    const int last = (exponent - 1 < -14 ? -14 : exponent - 1) - 10;
    const double result = ldexp(rint(ldexp(exact, -last)), last);
    return fabs(result) >= 65520 ? (exact < 0 ? -INFINITY : INFINITY) : (float)result;
}

/* The definition (product.h). */
static float defined(const struct product_rule *rule, const struct element *a,
                     const struct element *b, unsigned n, float c)
{
    enum { NONE = -100000 };
    const struct element last = single_of(c);
    const int product_bits = formats[rule->a].fraction_bits + formats[rule->b].fraction_bits;
    int top = last.zero ? NONE : last.exponent;
    bool special = last.special;
    double naive = (double)c;
    for (unsigned k = 0; k < n; k++) {
        const int exponent = a[k].exponent + b[k].exponent;
        if (!a[k].zero && !b[k].zero && exponent > top)
            top = exponent;
        special |= a[k].special || b[k].special;
        naive += a[k].value * b[k].value;
    }
    if (special)
        return (float)naive;
    if (top == NONE)
        return 0;
    int64_t sum =
        last.zero ? 0 : cut(last.significand, rule->fraction_bits - 23 + last.exponent - top);
    for (unsigned k = 0; k < n; k++)
        sum += cut(a[k].significand * b[k].significand,
                   rule->fraction_bits - product_bits + a[k].exponent + b[k].exponent - top);
    const double exact = ldexp((double)sum, top - rule->fraction_bits);
    return rule->to_single
               ? towards_zero(exact, rule->fraction_bits < 23 ? rule->fraction_bits : 23)
               : nearest_half(exact);
}

/* How numbers are drawn. */
enum draw { ANY, FINITE, CLOSE, DRAWS };

/* Draws the bits of an element. CLOSE: exponents near to one another, some zeros. */
static uint32_t drawn(enum product_format format, enum draw draw)
{
    const int fraction_bits = formats[format].fraction_bits + formats[format].unused;
    const int exponent_bits = formats[format].exponent_bits;
    for (;;) {
        uint32_t bits = random_bits();
        const uint32_t middle = 1u << (exponent_bits - 1);
        if (draw == CLOSE)
            bits = (bits & ~(((1u << exponent_bits) - 1) << fraction_bits)) |
                   (middle - 2 + random_bits() % 4) << fraction_bits;
        if (draw == CLOSE && random_bits() % 16 == 0)
            bits = 0;
        if (draw == ANY || !element_of(format, bits).special)
            return bits;
    }
}

static float drawn_c(const struct product_rule *rule, enum draw draw)
{
    const uint32_t any = random_bits();
    float c;
    memcpy(&c, &any, sizeof c);
    if (draw == CLOSE)
        c = (float)ldexp((double)(int32_t)any, -28 - (int)(random_bits() % 8));
    if (!rule->to_single)
        c = nearest_half((double)c);
    return draw != ANY && !isfinite(c) ? 0 : c;
}

static bool same(float x, float y)
{
    return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

/* Draws A of `depth` elements and B, which is twice as deep if A is sparse, and the row of B for
 * each element of A. */
static void draw_operands(const struct product_rule *rule, unsigned depth, bool sparse,
                          enum draw draw, struct product_a *a, struct product_b *b,
                          struct product_places *places)
{
    memset(a->bits, 0, sizeof a->bits);
    for (unsigned k = 0; k < depth; k++)
        for (unsigned row = 0; row < PRODUCT_ROWS; row++) {
            a->bits[row][k] = drawn(rule->a, draw);
            places->inner[row][k] = (uint8_t)(sparse ? 2 * k + random_bits() % 2 : k);
        }
    for (unsigned k = 0; k < (sparse ? 2 : 1) * depth; k++)
        for (unsigned column = 0; column < PRODUCT_COLUMNS; column++)
            b->bits[k][column] = drawn(rule->b, draw);
}

static void check(const struct product_choice *choice, struct product_rule rule, unsigned depth,
                  bool sparse, enum draw draw)
{
    const struct product_unit *unit = choice->unit;
    static struct product_a a;
    static struct product_b b;
    struct product_places places;
    float c[PRODUCT_ROWS][PRODUCT_COLUMNS], d[PRODUCT_ROWS][PRODUCT_COLUMNS];
    draw_operands(&rule, depth, sparse, draw, &a, &b, &places);
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned column = 0; column < PRODUCT_COLUMNS; column++)
            c[row][column] = d[row][column] = drawn_c(&rule, draw);
    unit->prepare_a(&rule, PRODUCT_ROWS, depth, &a);
    unit->prepare_b(&rule, (sparse ? 2 : 1) * depth, &b);
    if (sparse)
        unit->add_sparse(&rule, PRODUCT_ROWS, depth, &a, &b, &places, d);
    else
        unit->add(&rule, PRODUCT_ROWS, depth, &a, &b, d);
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned column = 0; column < PRODUCT_COLUMNS; column++) {
            float expected = c[row][column];
            for (unsigned k = 0; k < depth; k += rule.step) {
                struct element x[PRODUCT_DEPTH], y[PRODUCT_DEPTH];
                for (unsigned i = 0; i < rule.step; i++) {
                    x[i] = element_of(rule.a, a.bits[row][k + i]);
                    y[i] = element_of(rule.b, b.bits[places.inner[row][k + i]][column]);
                }
                expected = defined(&rule, x, y, rule.step, expected);
            }
            if (!same(d[row][column], expected))
                fail_msg("%s: %s%s x %s, %d bits, step %u: %a, expected %a from %a", choice->name,
                         sparse ? "sparse " : "", formats[rule.a].name, formats[rule.b].name,
                         (int)rule.fraction_bits, rule.step, (double)d[row][column],
                         (double)expected, (double)c[row][column]);
        }
}

static void products_are_as_defined(void **unused)
{
    (void)unused;
    static const struct {
        enum product_format a, b;
        int fraction_bits;
        unsigned depth, step;
        bool sparse;
    } kinds[] = {
        {FORMAT_HALF, FORMAT_HALF, 25, 16, 16, false},
        {FORMAT_HALF, FORMAT_HALF, 24, 16, 8, false},
        {FORMAT_HALF, FORMAT_HALF, 24, 8, 4, false},
        {FORMAT_BF16, FORMAT_BF16, 25, 16, 16, false},
        {FORMAT_TF32, FORMAT_TF32, 25, 8, 8, false},
        {FORMAT_TF32, FORMAT_TF32, 25, 4, 4, false},
        {FORMAT_E4M3, FORMAT_E4M3, 13, 32, 16, false},
        {FORMAT_E5M2, FORMAT_E4M3, 13, 32, 32, false},
        {FORMAT_E5M2, FORMAT_E5M2, 13, 32, 32, false},
        {FORMAT_HALF, FORMAT_HALF, 25, 16, 16, true},
        {FORMAT_BF16, FORMAT_BF16, 25, 16, 16, true},
        {FORMAT_TF32, FORMAT_TF32, 25, 8, 8, true},
        {FORMAT_E4M3, FORMAT_E5M2, 13, 32, 32, true},
    };
    const struct product_choice *choice = product_choices;
    for (; choice->name; choice++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            for (unsigned round = 0; choice->usable() && round < 200; round++) {
                struct product_rule rule = {kinds[i].a, kinds[i].b, kinds[i].fraction_bits,
                                            kinds[i].step, true};
                check(choice, rule, kinds[i].depth, kinds[i].sparse, (enum draw)(round % DRAWS));
                rule.to_single = false;
                if (rule.a != FORMAT_BF16 && rule.a != FORMAT_TF32)
                    check(choice, rule, kinds[i].depth, kinds[i].sparse,
                          (enum draw)(round % DRAWS));
            }
}

/* ---- Integers ---- */

static int64_t integer_of(uint32_t bits, unsigned width, bool is_signed)
{
    const int64_t value = (int64_t)(bits & ((UINT64_C(1) << width) - 1));
    return is_signed && value >> (width - 1) ? value - (INT64_C(1) << width) : value;
}

static int64_t integer_term(const struct integer_rule *rule, uint32_t a, uint32_t b)
{
    if (rule->kind == INTEGER_AND)
        return __builtin_popcount(a & b);
    if (rule->kind == INTEGER_XOR)
        return __builtin_popcount(a ^ b);
    return integer_of(a, rule->bits, rule->a_signed) * integer_of(b, rule->bits, rule->b_signed);
}

static void check_integers(const struct product_choice *choice, const struct integer_rule *rule,
                           unsigned rows, unsigned depth)
{
    static struct product_a a, wide_a;
    static struct product_b b, wide_b;
    uint32_t c[PRODUCT_ROWS][PRODUCT_COLUMNS], d[PRODUCT_ROWS][PRODUCT_COLUMNS];
    for (unsigned k = 0; k < PRODUCT_DEPTH; k++) {
        for (unsigned row = 0; row < PRODUCT_ROWS; row++)
            a.bits[row][k] = random_bits();
        for (unsigned column = 0; column < PRODUCT_COLUMNS; column++)
            b.bits[k][column] = random_bits();
    }
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned column = 0; column < PRODUCT_COLUMNS; column++) {
            static const uint32_t ends[] = {0x7fffff00, 0x80000000, 0, 0xffffff00};
            c[row][column] = random_bits();
            if (row % 2)
                c[row][column] = ends[column % 4] | (c[row][column] & 255);
        }
    wide_a = a;
    wide_b = b;
    memcpy(d, c, sizeof d);
    choice->unit->widen_a(rule, rows, depth, &wide_a);
    choice->unit->widen_b(rule, depth, &wide_b);
    choice->unit->add_integers(rule, rows, depth, &wide_a, &wide_b, d);
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned column = 0; column < PRODUCT_COLUMNS; column++) {
            int64_t expected = (int32_t)c[row][column];
            for (unsigned k = 0; k < depth && row < rows; k++)
                expected += integer_term(rule, a.bits[row][k], b.bits[k][column]);
            if (rule->saturates && expected > INT32_MAX)
                expected = INT32_MAX;
            if (rule->saturates && expected < INT32_MIN)
                expected = INT32_MIN;
            if (d[row][column] != (uint32_t)expected)
                fail_msg("%s: kind %u, %u bits, %u rows, depth %u: 0x%x, expected 0x%x from 0x%x",
                         choice->name, rule->kind, rule->bits, rows, depth, d[row][column],
                         (uint32_t)expected, c[row][column]);
        }
}

static void integers_are_as_defined(void **unused)
{
    (void)unused;
    static const struct {
        enum integer_kind kind;
        unsigned bits, rows, depth;
    } kinds[] = {
        {INTEGER_PRODUCTS, 8, 8, 16},  {INTEGER_PRODUCTS, 8, 16, 32}, {INTEGER_PRODUCTS, 4, 8, 32},
        {INTEGER_PRODUCTS, 4, 16, 64}, {INTEGER_PRODUCTS, 8, 16, 64}, {INTEGER_AND, 32, 16, 8},
        {INTEGER_XOR, 32, 16, 8},      {INTEGER_XOR, 32, 8, 4},
    };
    for (const struct product_choice *choice = product_choices; choice->name; choice++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            for (unsigned round = 0; choice->usable() && round < 80; round++) {
                const struct integer_rule rule = {kinds[i].kind, kinds[i].bits, round & 1,
                                                  round & 2, round & 4};
                check_integers(choice, &rule, kinds[i].rows, kinds[i].depth);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_as_defined),
                                       cmocka_unit_test(integers_are_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
