/*
 * Pairs of halves and conversions of machine code: cases worked out by hand (IEEE 754, PTX ISA) and
 * comparison with slow conversions by definition.
 */
#include "sass_alu_fixture.h"

#define ONE  0x3f800000u
#define NAN_ 0x7fffffffu

/* The value of a half or bfloat16 by definition: fraction x 2^exponent. */
static double value_of(uint32_t bits, unsigned exponent_bits, unsigned fraction_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const uint32_t fraction = bits & ((1u << fraction_bits) - 1);
    const int field = (int)(bits >> fraction_bits & ((1u << exponent_bits) - 1));
    const double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
    if (field == (1 << exponent_bits) - 1)
        return fraction ? NAN : sign * INFINITY;
    const double significand = ldexp((double)fraction, -(int)fraction_bits) + (field ? 1 : 0);
    return sign * ldexp(significand, (field ? field : 1) - bias);
}

/* The nearest half or bfloat16 of a number, ties to even, by trying all. For positive numbers the
 * codes are in the order of the values. */
static uint32_t nearest(double value, unsigned exponent_bits, unsigned fraction_bits)
{
    const uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    const double size = fabs(value);
    uint32_t low = 0, high = infinity; /* value of low <= size < value of high */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (value_of(middle, exponent_bits, fraction_bits) <= size)
            low = middle;
        else
            high = middle;
    }
    double above = value_of(high, exponent_bits, fraction_bits);
    if (high == infinity) /* what would follow the largest number */
        above = ldexp(1, 1 << (exponent_bits - 1));
    const double down = size - value_of(low, exponent_bits, fraction_bits), up = above - size;
    const uint32_t found = down < up || (down == up && low % 2 == 0) ? low : high;
    return found | (signbit(value) ? 0x8000u : 0);
}

static uint32_t half_of(double value)
{
    return nearest(value, 5, 10);
}

static double half_value_of(uint32_t bits)
{
    return value_of(bits, 5, 10);
}

/* No bit of 84:81, the swizzle of slot 64, is set, and Pp is PT. */
static struct word pair_of(uint32_t opcode)
{
    return with(word_of(opcode), 81, 6, 0);
}

static uint32_t finite_half(uint64_t *seed)
{
    uint32_t bits;
    do
        bits = (uint32_t)next_random(seed) & 0xffff;
    while ((bits & 0x7c00) == 0x7c00);
    return bits;
}

static uint32_t both(double low, double high)
{
    return half_of(low) | half_of(high) << 16;
}

/* Sums of halves, and their products, are exact in double precision. */
static void random_sums(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (unsigned round = 0; round < 300; round++) {
        struct alu_case sums[31], products[31];
        for (unsigned i = 0; i < 31; i++) {
            const uint32_t x = finite_half(&seed), y = finite_half(&seed);
            const uint32_t u = finite_half(&seed), v = finite_half(&seed);
            const double p = half_value_of(x), q = half_value_of(y);
            const double r = half_value_of(u), s = half_value_of(v);
            sums[i] = (struct alu_case){x | u << 16, y | v << 16, 0, both(p + q, r + s)};
            products[i] = (struct alu_case){x | u << 16, y | v << 16, 0, both(p * q, r * s)};
        }
        check_cases("HADD2", 75, pair_of(0x230), WORD, sums, 31);
        check_cases("HMUL2", 75, pair_of(0x232), WORD, products, 31);
    }
}

static void hadd2(void **state)
{
    (void)state;
    const struct word add = pair_of(0x230);
    CHECK("HADD2", 75, add, WORD, {0x3c007c00, 0x3c00fc00, 0, 0x40007fff},
          {0x7bff7bff, 0x7bff4800, 0, 0x7c007bff}, {0x00018001, 0x00010001, 0, 0x00020000},
          {0x80007e01, 0x80003c00, 0, 0x80007fff});
    CHECK("HADD2 H1_H1", 75, with(add, 74, 2, 3), WORD, {0x3c000000, 0x00003c00, 0, 0x3c004000});
    CHECK("HADD2 -H0_H0 B", 75, with(with(add, 60, 2, 2), 63, 1, 1), WORD,
          {0x3c003c00, 0xffff3c00, 0, 0});
    CHECK("HADD2.F32 A", 75, with(add, 74, 2, 1), WORD, {ONE, 0x40003c00, 0, 0x42004000},
          {0x33000000, 0, 0, 0}, {0x3f803fff, 0, 0, 0x3c013c01}, {0x47800000, 0, 0, 0x7bff7bff});
    CHECK("HADD2.FTZ", 75, with(add, 80, 1, 1), WORD, {0x00018001, 0x00010001, 0, 0},
          {0x0400, 0x8401, 0, 0x8000}, {0x0400, 0x0001, 0, 0x0400});
    CHECK("HADD2.SAT", 75, with(add, 77, 1, 1), WORD, {0x3c00bc00, 0x3c000000, 0, 0x3c000000},
          {0x7e003800, 0, 0, 0x00003800});
    CHECK("HADD2.F32", 75, with(add, 78, 1, 1), WORD, {0xffff3c00, 0x00008000, 0, ONE},
          {0x00000001, 0x00008000, 0, 0x33800000}, {0x7e00, 0, 0, NAN_},
          {0x8000, 0x8000, 0, 0x80000000});
    CHECK("HADD2.BF16", 90, with(add, 85, 1, 1), WORD, {0x3f803f80, 0x3f80bf80, 0, 0x40000000},
          {0x3f803f81, 0x3b803b80, 0, 0x3f803f82}, {0x7fc0, 0, 0, 0x7fff},
          {0x00017f7f, 0x00017f7f, 0, 0x00027f80});
}

static void hfma2(void **state)
{
    (void)state;
    const struct word fma = pair_of(0x231);
    /* 1.5 x 1.5 + 0.25 = 2.5; (1 + 2^-10)^2 - 1 is a tie */
    CHECK("HFMA2", 75, fma, WORD, {0x3e003c01, 0x3e003c01, 0x3400bc00, 0x41001800},
          {0x7c000000, 0x00007c00, 0, 0x7fff7fff},
          {0x80008000, 0x3c003c00, 0x80000000, 0x80000000});
    /* a product that is a tie, and an addend that breaks it: 1.5 x (1 + 2^-10) = 1.5 + 3 x 2^-11 */
    CHECK("HFMA2 tie", 75, fma, WORD, {0x3e003e00, 0x3c013c01, 0x00018001, 0x3e023e01});
    CHECK("HFMA2.RELU", 80, with(fma, 79, 1, 1), WORD, {0xbc003c00, 0x3c003c00, 0, 0x00003c00},
          {0x7e00bc00, 0x3c000000, 0, 0x7fff0000});
    CHECK("HFMA2.SAT", 75, with(fma, 77, 1, 1), WORD, {0x40003c00, 0x3c003800, 0, 0x3c003800},
          {0x7e00bc00, 0x3c003c00, 0, 0});
    CHECK("HFMA2 -C H0_H0", 75, with(with(fma, 81, 2, 2), 84, 1, 1), WORD,
          {0x40004000, 0x3c003c00, 0x7c003c00, 0x3c003c00});
    /* 2i x (3 + 4i) + (1 + i), of its product the part of the imaginary factor */
    const struct word turned = with(with(fma, 86, 1, 1), 74, 2, 3);
    CHECK("HFMA2 H1_H1 H0_NH1", 90, turned, WORD, {0x4000ffff, 0x44004200, 0x3c003c00, 0x4700c700},
          {0x3c000000, 0x7e003c00, 0, 0x3c007fff});
    const struct word bf16 = with(fma, 85, 1, 1);
    CHECK("HFMA2.BF16 H0_NH1", 90, with(turned, 85, 1, 1), WORD,
          {0x40000000, 0x40804040, 0x3f803f80, 0x40e0c0e0});
    /* 1.0 + 2^-8 is a tie that 2^-100 breaks, far below double precision */
    CHECK("HFMA2.BF16", 80, bf16, WORD, {0x3f803f80, 0x3b803b80, 0x3f803f81, 0x3f803f82},
          {0x3f88 | 0x3f88u << 16, 0x3f88 | 0x3f88u << 16, 0x0d80 | 0x8d80u << 16,
           0x3f91 | 0x3f90u << 16});
    /* an immediate of two halves, form 2 (B in slot 64): the upper one is written first */
    struct word move = with(with(word_of(0x435), 24, 8, 255), 64, 8, 255);
    move = with(with(with(move, 32, 32, 0x3c008001), 81, 6, 0), 72, 1, 1);
    CHECK("HFMA2.MMA move", 80, move, WORD, {0, 0, 0, 0x3c008001});
}

static void half_comparisons(void **state)
{
    (void)state;
    const struct word set = with(pair_of(0x233), 76, 4, 1); /* .LT */
    CHECK("HSET2", 75, with(set, 69, 3, 0), WORD, {0x3c003c00, 0x40003c00, 0, 0xffff0000},
          {0x7e008000, 0x40000000, 0, 0});
    CHECK("HSET2.BF", 75, with(set, 69, 3, 4), WORD, {0x3c003c00, 0x3c004000, 0, 0x00003c00});
    const struct word min = pair_of(0x240);
    CHECK("HMNMX2", 80, min, WORD, {0x3c00bc00, 0x40003c00, 0, 0x3c00bc00},
          {0x00008000, 0x80000000, 0, 0x80008000}, {0x7e007e00, 0x3c00fe00, 0, 0x3c007fff},
          {0x0001fc00, 0x00020000, 0, 0x0001fc00});
    CHECK("HMNMX2 !PT", 80, with(min, 90, 1, 1), WORD, {0x3c00bc00, 0x40003c00, 0, 0x40003c00},
          {0x00008000, 0x80000000, 0, 0});
    CHECK("HMNMX2.NAN", 80, with(min, 81, 1, 1), WORD, {0x7e003c00, 0x3c003c00, 0, 0x7fff3c00});
    struct machine machine;
    machine_start(&machine, 75);
    machine.warp->r[RA][0] = 0x3c003c00;
    machine.warp->r[RB][0] = 0x40003c00;
    struct word setp = with(with(word_of(0x234), 81, 3, 0), 84, 3, 1);
    setp = with(with(setp, 76, 4, 1), 69, 3, 0);
    machine_run(&machine, setp, 1);
    assert_int_equal(machine.warp->p[0], 0);
    assert_int_equal(machine.warp->p[1], 1);
}

/* All halves to single and back; what is not a NaN comes back as it was. */
static void all_halves(void **state)
{
    (void)state;
    /* F2F: source in 85:84, result in 76:75 */
    const struct word widen = with(with(with(word_of(0x304), 84, 3, 1), 75, 2, 2), 81, 3, 0);
    const struct word narrow = with(with(with(word_of(0x304), 84, 3, 2), 75, 2, 1), 81, 3, 0);
    struct machine machine;
    machine_start(&machine, 75);
    for (uint32_t first = 0; first < 0x10000; first += 32) {
        for (unsigned i = 0; i < 32; i++)
            machine.warp->r[RB][i] = 0xabcd0000u | (first + i);
        machine_run(&machine, widen, UINT32_MAX);
        for (unsigned i = 0; i < 32; i++) {
            const double expected = half_value_of(first + i);
            float found;
            memcpy(&found, &machine.warp->r[RD][i], sizeof found);
            if (expected != expected)
                assert_int_equal(machine.warp->r[RD][i], NAN_);
            else
                assert_true((double)found == expected && !signbit(found) == !signbit(expected));
            machine.warp->r[RB][i] = machine.warp->r[RD][i];
        }
        machine_run(&machine, narrow, UINT32_MAX);
        for (unsigned i = 0; i < 32; i++) {
            const bool nan = half_value_of(first + i) != half_value_of(first + i);
            assert_int_equal(machine.warp->r[RD][i], nan ? 0x7fff : first + i);
        }
    }
}

/* Random floats to half and bfloat16: F2FP and F2F agree with the slow search. */
static void packing(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (unsigned round = 0; round < 200; round++) {
        struct alu_case half[31], bf16[31];
        for (unsigned i = 0; i < 31; i++) {
            const uint64_t random = next_random(&seed);
            uint32_t x = (uint32_t)random & 0x9fffffff, y = (uint32_t)(random >> 32);
            x |= (x & 0x10000000) ? 0x30000000 : 0x38000000; /* about the halves' range */
            if ((y & 0x7f800000) == 0x7f800000)
                y ^= 0x40000000;
            float p, q;
            memcpy(&p, &x, sizeof p);
            memcpy(&q, &y, sizeof q);
            half[i] = (struct alu_case){x, y, 0, half_of((double)p) << 16 | half_of((double)q)};
            bf16[i] = (struct alu_case){x, y, 0,
                                        nearest((double)p, 8, 7) << 16 | nearest((double)q, 8, 7)};
        }
        const struct word f2fp = with(word_of(0x23e), 81, 9, 0);
        check_cases("F2FP", 90, f2fp, WORD, half, 31);
        check_cases("F2FP.BF16", 90, with(f2fp, 76, 1, 1), WORD, bf16, 31);
    }
    const struct word f2fp = with(word_of(0x23e), 81, 9, 0);
    CHECK("F2FP.RZ", 80, with(f2fp, 79, 2, 3), WORD, {0x3f801fff, 0x47800000, 0, 0x3c007bff},
          {NAN_, 0xff800000, 0, 0x7ffffc00});
    CHECK("F2FP.RELU", 80, with(f2fp, 75, 1, 1), WORD, {0xbf800000, 0x3f800000, 0, 0x00003c00},
          {NAN_, 0x80000000, 0, 0x7fff0000});
}

/* Code of libraries: cvt.rn.tf32.f32 and its .rz and .relu, as ptxas 13.0 encodes them, and a
 * bfloat16 that becomes a float. */
static void library_conversions(void **state)
{
    (void)state;
    const struct word tf32 = {{0x00000006ff02723e, 0x000fca00024050ff}};
    CHECK("F2FP.TF32", 90, tf32, WORD, {0, 0x3f800fff, 0, 0x3f800000},
          {0, 0x3f801000, 0, 0x3f800000}, {0, 0x3f803000, 0, 0x3f804000},
          {0, 0xbf801001, 0, 0xbf802000}, {0, 0x7f7fffff, 0, 0x7f800000},
          {0, 0xff800000, 0, 0xff800000}, {0, 0xffc00000, 0, 0x7fffffff});
    CHECK("F2FP.TF32.RZ", 90, with(tf32, 79, 2, 3), WORD, {0, 0xbf801fff, 0, 0xbf800000});
    CHECK("F2FP.RELU.TF32", 90, with(tf32, 75, 1, 1), WORD, {0, 0xbf801001, 0, 0},
          {0, 0x3f801001, 0, 0x3f802000});
    const struct word bf16 = {{0x0000000600027304, 0x000e620000401000}};
    CHECK("F2F.F32.BF16", 90, bf16, WORD, {0, 0x00003f80, 0, 0x3f800000},
          {0, 0x1234c049, 0, 0xc0490000});
}

static struct word convert(uint32_t opcode, unsigned source, unsigned result, unsigned mode)
{
    const struct word word = with(with(word_of(opcode), 81, 6, 0), 84, 2, source);
    return with(with(word, 75, 2, result), 78, 2, mode);
}

static void to_integers(void **state)
{
    (void)state;
    enum { NEAREST, FLOOR, CEIL, TRUNC };
    const struct word s32 = with(convert(0x305, 2, 2, TRUNC), 72, 1, 1);
    CHECK("F2I.TRUNC", 75, s32, WORD, {0, 0x3fc00000, 0, 1}, {0, 0xbfc00000, 0, 0xffffffff},
          {0, 0x4f000000, 0, 0x7fffffff}, {0, 0xcf000000, 0, 0x80000000},
          {0, 0xcf000001, 0, 0x80000000}, {0, 0x7f800000, 0, 0x7fffffff},
          {0, 0xff800000, 0, 0x80000000}, {0, NAN_, 0, 0x80000000}, {0, 0x4effffff, 0, 0x7fffff80});
    CHECK("F2I.TRUNC.NTZ", 75, with(s32, 77, 1, 1), WORD, {0, NAN_, 0, 0},
          {0, 0x7f800000, 0, 0x7fffffff}, {0, 0xff800000, 0, 0x80000000},
          {0, 0xc0200000, 0, 0xfffffffe}, {0, 0x4effffff, 0, 0x7fffff80});
    CHECK("F2I.U32.TRUNC.NTZ", 75, with(convert(0x305, 2, 2, TRUNC), 77, 1, 1), WORD,
          {0, 0xbf800000, 0, 0}, {0, 0x4f800000, 0, 0xffffffff}, {0, 0x4f7fffff, 0, 0xffffff00},
          {0, 0xbf000000, 0, 0}, {0, NAN_, 0, 0});
    CHECK("F2I", 75, with(convert(0x305, 2, 2, NEAREST), 72, 1, 1), WORD, {0, 0x3f000000, 0, 0},
          {0, 0x3fc00000, 0, 2}, {0, 0x40200000, 0, 2});
    CHECK("F2I.FLOOR", 75, with(convert(0x305, 2, 2, FLOOR), 72, 1, 1), WORD,
          {0, 0xbf000000, 0, 0xffffffff}, {0, 0x80000001, 0, 0xffffffff});
    CHECK("F2I.FTZ.FLOOR", 75, with(with(convert(0x305, 2, 2, FLOOR), 72, 1, 1), 80, 1, 1), WORD,
          {0, 0x80000001, 0, 0});
    CHECK("F2I.CEIL", 75, with(convert(0x305, 2, 2, CEIL), 72, 1, 1), WORD, {0, 1, 0, 1},
          {0, 0xbf000000, 0, 0});
    CHECK("F2I.S64.TRUNC", 75, with(convert(0x311, 2, 3, TRUNC), 72, 1, 1), PAIR,
          {0, 0xdf000000, 0, UINT64_C(1) << 63}, {0, 0x5f000000, 0, UINT64_MAX >> 1},
          {0, NAN_, 0, UINT64_C(1) << 63}, {0, 0xbf800000, 0, UINT64_MAX});
    CHECK("F2I.U64.F64.TRUNC", 75, convert(0x311, 3, 3, TRUNC), PAIR,
          {0, UINT64_C(0x43efffffffffffff), 0, UINT64_C(0xfffffffffffff800)},
          {0, UINT64_C(0x43f0000000000000), 0, UINT64_MAX},
          {0, UINT64_C(0xfff8000000000000), 0, UINT64_C(1) << 63});
    CHECK("F2I.F64.TRUNC", 75, with(convert(0x311, 3, 2, TRUNC), 72, 1, 1), WORD,
          {0, UINT64_C(0xc1e0000000000000), 0, 0x80000000},
          {0, UINT64_C(0x41dfffffffc00000), 0, 0x7fffffff},
          {0, UINT64_C(0x7ff8000000000000), 0, 0x80000000});
    CHECK("F2I.F16.TRUNC.NTZ", 75, with(with(convert(0x305, 1, 2, TRUNC), 72, 1, 1), 77, 1, 1),
          WORD, {0, 0xffffc900, 0, (uint32_t)-10});
    CHECK("F2I.U8.TRUNC", 75, convert(0x305, 2, 0, TRUNC), 0xff, {0, 0x43800000, 0, 255},
          {0, 0x42000000, 0, 32});
}

static void from_integers(void **state)
{
    (void)state;
    const struct word s32 = with(convert(0x306, 2, 2, 0), 74, 1, 1);
    CHECK("I2F", 75, s32, WORD, {0, 0xffffffff, 0, 0xbf800000}, {0, 0x80000000, 0, 0xcf000000},
          {0, 0x7fffffff, 0, 0x4f000000}, {0, 16777217, 0, 0x4b800000},
          {0, 16777219, 0, 0x4b800002}, {0, 0, 0, 0});
    CHECK("I2F.U32", 75, convert(0x306, 2, 2, 0), WORD, {0, 0xffffffff, 0, 0x4f800000},
          {0, 0x80000080, 0, 0x4f000000}, {0, 0x80000180, 0, 0x4f000002});
    CHECK("I2F.RZ", 75, with(convert(0x306, 2, 2, 3), 74, 1, 1), WORD,
          {0, 0x7fffffff, 0, 0x4effffff}, {0, 0x80000001, 0, 0xceffffff});
    CHECK("I2F.RP", 75, with(convert(0x306, 2, 2, 2), 74, 1, 1), WORD, {0, 16777217, 0, 0x4b800001},
          {0, (uint32_t)-16777217, 0, 0xcb800000});
    CHECK("I2F.RM", 75, with(convert(0x306, 2, 2, 1), 74, 1, 1), WORD, {0, 16777217, 0, 0x4b800000},
          {0, (uint32_t)-16777217, 0, 0xcb800001});
    CHECK("I2FP.F32.S32", 90, with(word_of(0x245), 74, 3, 5), WORD, {0, 0xffffffff, 0, 0xbf800000},
          {0, 16777219, 0, 0x4b800002});
    CHECK("I2FP.F32.U32", 90, with(word_of(0x245), 74, 3, 4), WORD, {0, 0xffffffff, 0, 0x4f800000},
          {0, 5, 0, 0x40a00000});
    CHECK("I2FP.F32.U32.RZ", 90, with(with(word_of(0x245), 74, 3, 4), 78, 2, 3), WORD,
          {0, 0xffffffff, 0, 0x4f7fffff});
    CHECK("I2F.S64", 75, with(convert(0x312, 3, 2, 0), 74, 1, 1), WORD,
          {0, UINT64_MAX, 0, 0xbf800000}, {0, UINT64_C(0x8000000000000000), 0, 0xdf000000},
          {0, UINT64_C(0x8000008000000001), 0, 0xdeffffff},
          {0, UINT64_C(0x0000010000010001), 0, 0x53800001});
    CHECK("I2F.F64.U64", 75, convert(0x312, 3, 3, 0), PAIR,
          {0, UINT64_MAX, 0, UINT64_C(0x43f0000000000000)},
          {0, UINT64_C(0x20000000000001), 0, UINT64_C(0x4340000000000000)});
    CHECK("I2F.F64", 75, with(convert(0x312, 2, 3, 0), 74, 1, 1), PAIR,
          {0, 0xffffffff, 0, UINT64_C(0xbff0000000000000)});
    CHECK("I2F.S16", 75, with(convert(0x306, 1, 2, 0), 74, 1, 1), WORD,
          {0, 0x1234ffff, 0, 0xbf800000});
    CHECK("I2F.U8.B2", 75, with(convert(0x306, 0, 2, 0), 60, 2, 2), WORD,
          {0, 0x12ff3456, 0, 0x437f0000});
    CHECK("I2I.U8.S32.SAT", 75, with(word_of(0x238), 76, 2, 0), WORD, {0, 300, 0, 255},
          {0, 0xffffffff, 0, 0}, {0, 77, 0, 77});
    CHECK("I2I.S16.S32.SAT", 75, with(word_of(0x238), 76, 2, 3), WORD, {0, 0x12345678, 0, 0x7fff},
          {0, 0x80000000, 0, 0xffff8000});
    CHECK("I2F.F16", 75, with(convert(0x306, 2, 1, 0), 74, 1, 1), WORD, {0, 65520, 0, 0x7c00},
          {0, (uint32_t)-3, 0, 0xc200}, {0, 2049, 0, 0x6800});
}

static void float_to_float(void **state)
{
    (void)state;
    CHECK("F2F.F64.F32", 75, convert(0x310, 2, 3, 0), PAIR,
          {0, ONE, 0, UINT64_C(0x3ff0000000000000)}, {0, 1, 0, UINT64_C(0x36a0000000000000)},
          {0, 0x80000000, 0, UINT64_C(0x8000000000000000)},
          {0, 0x7f800000, 0, UINT64_C(0x7ff0000000000000)});
    CHECK("F2F.F32.F64", 75, convert(0x310, 3, 2, 0), WORD,
          {0, UINT64_C(0x3ff0000010000000), 0, ONE}, {0, UINT64_C(0x3ff0000010000001), 0, ONE + 1},
          {0, UINT64_C(0x47f0000000000000), 0, 0x7f800000},
          {0, UINT64_C(0x47efffffefffffff), 0, 0x7f7fffff}, {0, UINT64_C(0x36a0000000000000), 0, 1},
          {0, UINT64_C(0x3690000000000000), 0, 0}, {0, UINT64_C(0x3690000000000001), 0, 1},
          {0, 1, 0, 0}, {0, UINT64_C(0xfff8000000000000), 0, 0xffc00000});
    CHECK("F2F.F32.F64.RP", 75, convert(0x310, 3, 2, 2), WORD, {0, 1, 0, 1},
          {0, UINT64_C(0x8000000000000001), 0, 0x80000000},
          {0, UINT64_C(0x7fefffffffffffff), 0, 0x7f800000});
    CHECK("F2F.F32.F64.RM", 75, convert(0x310, 3, 2, 1), WORD, {0, 1, 0, 0},
          {0, UINT64_C(0x8000000000000001), 0, 0x80000001},
          {0, UINT64_C(0x7fefffffffffffff), 0, 0x7f7fffff});
    CHECK("F2F.F16.F64", 75, convert(0x310, 3, 1, 0), WORD,
          {0, UINT64_C(0x3ff0020000000000), 0, 0x3c00},
          {0, UINT64_C(0x3ff0020000000001), 0, 0x3c01});
    CHECK("FRND", 75, convert(0x307, 2, 2, 0), WORD, {0, 0x3f000000, 0, 0},
          {0, 0xbf000000, 0, 0x80000000}, {0, 0x3fc00000, 0, 0x40000000},
          {0, 0x7f800000, 0, 0x7f800000}, {0, 0x7f800001, 0, NAN_});
    CHECK("FRND.FLOOR", 75, convert(0x307, 2, 2, 1), WORD, {0, 0xbf000000, 0, 0xbf800000},
          {0, 0x80000000, 0, 0x80000000}, {0, 0x80000001, 0, 0xbf800000});
    CHECK("FRND.CEIL", 75, convert(0x307, 2, 2, 2), WORD, {0, 0xbf000000, 0, 0x80000000},
          {0, 1, 0, ONE}, {0, 0x4b800001, 0, 0x4b800001});
    CHECK("FRND.TRUNC", 75, convert(0x307, 2, 2, 3), WORD, {0, 0xbfc00000, 0, 0xbf800000});
    CHECK("FRND.F64.FLOOR", 75, convert(0x313, 3, 3, 1), PAIR,
          {0, UINT64_C(0xbfe0000000000000), 0, UINT64_C(0xbff0000000000000)});
    CHECK("FRND.F16.TRUNC", 75, convert(0x307, 1, 1, 3), WORD, {0, 0x4100, 0, 0x4000});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sums),
        cmocka_unit_test(hadd2),
        cmocka_unit_test(hfma2),
        cmocka_unit_test(half_comparisons),
        cmocka_unit_test(all_halves),
        cmocka_unit_test(packing),
        cmocka_unit_test(library_conversions),
        cmocka_unit_test(to_integers),
        cmocka_unit_test(from_integers),
        cmocka_unit_test(float_to_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
