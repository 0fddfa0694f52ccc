/*
 * Single and double precision of machine code: cases worked out by hand (IEEE 754, PTX ISA), and
 * random operands against sums and products that are exact in a longer format.
 */
#include "sass_alu_fixture.h"

#define INF  0x7f800000u
#define NINF 0xff800000u
#define NAN_ 0x7fffffffu /* the canonical one */
#define ONE  0x3f800000u
#define NEG  0x80000000u

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

enum { DOWN = 1, UP = 2, ZERO = 3 };

static struct word rounded(struct word word, unsigned mode)
{
    return with(word, 78, 2, mode);
}

static void fadd(void **state)
{
    (void)state;
    const struct word add = word_of(0x221);
    CHECK("FADD", 75, add, WORD, {ONE, ONE, 0, 0x40000000}, {INF, NINF, 0, NAN_},
          {NEG, NEG, 0, NEG}, {NEG, 0, 0, 0}, {0x7fc12345, ONE, 0, NAN_},
          {0xffc12345, ONE, 0, NAN_}, {1, 1, 0, 2}, {0x7f7fffff, 0x7f7fffff, 0, INF},
          {ONE, 0x33800000, 0, ONE}, {0x3f800001, 0x33800000, 0, 0x3f800002});
    CHECK("FADD -A |B|", 75, with(with(add, 72, 1, 1), 62, 1, 1), WORD, {ONE, 0xc0000000, 0, ONE});
    CHECK("FADD.FTZ", 75, with(add, 80, 1, 1), WORD, {1, 1, 0, 0}, {0x80000001, 0x80000001, 0, NEG},
          {0x00800000, 0x80800001, 0, NEG}, {0x00800001, 1, 0, 0x00800001}, {ONE, 1, 0, ONE});
    CHECK("FADD.SAT", 75, with(add, 77, 1, 1), WORD, {ONE, ONE, 0, ONE}, {INF, ONE, 0, ONE},
          {0xbf800000, 0, 0, 0}, {INF, NINF, 0, 0}, {0x3f000000, 0, 0, 0x3f000000},
          {NINF, 0, 0, 0});
    CHECK("FADD.RP", 75, rounded(add, UP), WORD, {ONE, 1, 0, 0x3f800001},
          {0xbf800000, 1, 0, 0xbf7fffff}, {ONE, 0xbf800000, 0, 0}, {0x7f7fffff, 0x7f7fffff, 0, INF},
          {0xff7fffff, 0xff7fffff, 0, 0xff7fffff});
    CHECK("FADD.RM", 75, rounded(add, DOWN), WORD, {ONE, 0x80000001, 0, 0x3f7fffff},
          {ONE, 0xbf800000, 0, NEG}, {0x7f7fffff, 0x7f7fffff, 0, 0x7f7fffff});
    CHECK("FADD.RZ", 75, rounded(add, ZERO), WORD, {ONE, 0x80000001, 0, 0x3f7fffff},
          {0xbf800000, 1, 0, 0xbf7fffff}, {0x7f7fffff, 0x7f7fffff, 0, 0x7f7fffff},
          {0x3f800001, 0x33800000, 0, 0x3f800001});
}

static void fmul(void **state)
{
    (void)state;
    const struct word mul = with(word_of(0x220), 84, 3, 4); /* no scale */
    CHECK("FMUL", 75, mul, WORD, {0x40000000, 0x40400000, 0, 0x40c00000}, {0, INF, 0, NAN_},
          {NEG, ONE, 0, NEG}, {0x00800000, 0x3f000000, 0, 0x00400000}, {1, 0x3f000000, 0, 0},
          {3, 0x3f000000, 0, 2}, {0x7f000000, 0x40000000, 0, INF}, {0xffffffff, ONE, 0, NAN_});
    CHECK("FMUL.FTZ", 75, with(mul, 80, 1, 1), WORD, {0x00800000, 0x3f000000, 0, 0},
          {0x80800000, 0x3f000000, 0, NEG}, {0x007fffff, 0x7f000000, 0, 0},
          {0x00800000, 0x3f7fffff, 0, 0}); /* would be rounded up to 2^-126 */
    CHECK("FMUL.RZ", 75, rounded(mul, ZERO), WORD, {0x3f800001, 0x3f800001, 0, 0x3f800002},
          {0x3f7fffff, 0x3f7fffff, 0, 0x3f7ffffe}, {0x7f000000, 0x40000000, 0, 0x7f7fffff});
    /* Scaled before it is rounded: 2^-126 x 1/2 x 2 is normal again, 2^-149 x 1/2 x 2 not lost. */
    CHECK("FMUL.M2", 75, with(mul, 84, 3, 5), WORD, {0x40000000, 0x40400000, 0, 0x41400000},
          {0x00800000, 0x3f000000, 0, 0x00800000}, {1, 0x3f000000, 0, 1}, {INF, 0, 0, NAN_},
          {0x7f000000, ONE, 0, INF});
    CHECK("FMUL.M8", 75, with(mul, 84, 3, 7), WORD, {ONE, 0xc0400000, 0, 0xc1c00000});
    CHECK("FMUL.D8", 75, with(mul, 84, 3, 1), WORD, {ONE, 0x40400000, 0, 0x3ec00000},
          {4, ONE, 0, 0}, {12, ONE, 0, 2});
    CHECK("FMUL.D2.RZ", 75, rounded(with(mul, 84, 3, 3), ZERO), WORD, {3, ONE, 0, 1},
          {0x7f7fffff, 0x40000000, 0, 0x7f7fffff});
    CHECK("FMUL.RP", 75, rounded(mul, UP), WORD, {0x3f800001, 0x3f800001, 0, 0x3f800003},
          {1, 0x3f000000, 0, 1}, {0x80000001, 0x3f000000, 0, NEG});
}

static void ffma(void **state)
{
    (void)state;
    const struct word fma = word_of(0x223);
    /* (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46: only a fused product keeps it */
    CHECK("FFMA", 75, fma, WORD, {0x3f800001, 0x3f800001, 0xbf800002, 0x28800000},
          {0, INF, ONE, NAN_}, {INF, ONE, NINF, NAN_}, {NEG, ONE, NEG, NEG}, {NEG, ONE, 0, 0},
          {0x7f000000, 0x40000000, NINF, NINF}, {0x7f000000, 0x40000000, 0xff7fffff, 0x73800000});
    CHECK("FFMA -B -C", 75, with(with(fma, 63, 1, 1), 75, 1, 1), WORD,
          {0x40000000, 0x40400000, ONE, 0xc0e00000});
    CHECK("FFMA.FTZ", 75, with(fma, 80, 1, 1), WORD, {1, 0x7f000000, 0, 0},
          {ONE, 0x00800000, 0x80800001, NEG});
    CHECK("FFMA.SAT", 75, with(fma, 77, 1, 1), WORD, {ONE, ONE, ONE, ONE}, {ONE, 0xbf800000, 0, 0},
          {0, INF, 0, 0});
    CHECK("FFMA.RM", 75, rounded(fma, DOWN), WORD, {ONE, ONE, 0x80000001, 0x3f7fffff},
          {ONE, ONE, 0xbf800000, NEG});
    CHECK("FFMA.RP", 75, rounded(fma, UP), WORD, {ONE, ONE, 1, 0x3f800001},
          {ONE, ONE, 0xbf800000, 0});
    CHECK("FFMA.RZ", 75, rounded(fma, ZERO), WORD, {0xbf800000, ONE, 1, 0xbf7fffff});
}

/* The neighbour of a float in one direction. */
static float neighbour(float value, bool up)
{
    return nextafterf(value, up ? INFINITY : -INFINITY);
}

/* `exact` rounded by the mode, from the nearest float: a different way than the executor's. */
static uint32_t directed(double exact, unsigned mode)
{
    const float near = (float)exact;
    const double distance = (double)near - exact;
    const bool up = mode == UP || (mode == ZERO && exact < 0);
    if (mode == 0 || distance == 0)
        return bits_of(near);
    return bits_of(distance > 0 && !up  ? neighbour(near, false)
                   : distance < 0 && up ? neighbour(near, true)
                                        : near);
}

/* Sums and products of floats of like exponents are exact in double precision. */
static void random_rounding(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    for (unsigned round = 0; round < 400; round++) {
        const unsigned mode = round & 3;
        struct alu_case sums[31], products[31];
        for (unsigned i = 0; i < 31; i++) {
            const uint32_t a = (uint32_t)next_random(&seed), b = (uint32_t)next_random(&seed);
            const uint32_t x = (a & 0x807fffff) | (110 + (a >> 24) % 24) << 23;
            const uint32_t y = (b & 0x807fffff) | (110 + (b >> 24) % 24) << 23;
            const double p = (double)float_of(x), q = (double)float_of(y);
            sums[i] = (struct alu_case){x, y, 0, directed(p + q, mode)};
            if (p + q == 0)
                sums[i].d = mode == DOWN ? NEG : 0;
            products[i] = (struct alu_case){x, y, 0, directed(p * q, mode)};
        }
        check_cases("FADD random", 75, rounded(word_of(0x221), mode), WORD, sums, 31);
        check_cases("FMUL random", 75, rounded(with(word_of(0x220), 84, 3, 4), mode), WORD,
                    products, 31);
    }
}

static void fmnmx(void **state)
{
    (void)state;
    const struct word min = with(word_of(0x209), 81, 3, 0), max = with(min, 90, 1, 1);
    CHECK("FMNMX", 75, min, WORD, {ONE, 0xbf800000, 0, 0xbf800000}, {0, NEG, 0, NEG},
          {NEG, 0, 0, NEG}, {0x7fc00001, ONE, 0, ONE}, {ONE, 0xffc00001, 0, ONE},
          {0x7fc00001, 0xffc00002, 0, NAN_}, {INF, ONE, 0, ONE}, {1, 2, 0, 1},
          {0xbf800000, 0xc0000000, 0, 0xc0000000});
    CHECK("FMNMX !PT", 75, max, WORD, {ONE, 0xbf800000, 0, ONE}, {0, NEG, 0, 0}, {NEG, 0, 0, 0},
          {0x7fc00001, ONE, 0, ONE}, {NINF, 0x7f800001, 0, NINF});
    CHECK("FMNMX.FTZ", 75, with(min, 80, 1, 1), WORD, {1, ONE, 0, 0}, {0x80000001, ONE, 0, NEG});
    CHECK("FMNMX.NAN", 80, with(min, 81, 1, 1), WORD, {0x7fc00001, ONE, 0, NAN_},
          {ONE, 0x40000000, 0, ONE});
    CHECK("FMNMX.XORSIGN |A| |B|", 90, with(with(with(min, 82, 1, 1), 73, 1, 1), 62, 1, 1), WORD,
          {0xbf800000, 0x40000000, 0, 0xbf800000}, {0xc0000000, 0xbf800000, 0, ONE});
}

/* Runs FSETP or DSETP with P0, P1 as results and gives the two lane masks. */
static void compare(struct machine *machine, struct word word, uint32_t found[2])
{
    machine_run(machine, with(with(word, 81, 3, 0), 84, 3, 1), UINT32_MAX);
    found[0] = machine->warp->p[0];
    found[1] = machine->warp->p[1];
}

/* Lane i: less, equal, greater, unordered for i % 4 = 0 to 3. By comparison, in which it holds. */
static const char *const holds_in[16] = {
    "",  "<",  "=",  "<=",  ">",  "<>",  "=>",  "<=>",  /* F LT EQ LE GT NE GE NUM */
    "?", "<?", "=?", "<=?", ">?", "<>?", "=>?", "<=>?", /* NAN LTU EQU LEU GTU NEU GEU T */
};

static void fsetp(void **state)
{
    (void)state;
    static const float pairs[4][2] = {{1, 2}, {0.0f, -0.0f}, {3, 2}, {1, NAN}};
    static const uint32_t lanes[4] = {0x11111111, 0x22222222, 0x44444444, 0x88888888};
    struct machine machine;
    for (unsigned code = 0; code < 16; code++) {
        machine_start(&machine, 75);
        uint32_t expected = 0, found[2];
        for (unsigned i = 0; i < 32; i++) {
            machine.warp->r[RA][i] = bits_of(pairs[i % 4][0]);
            machine.warp->r[RB][i] = bits_of(pairs[i % 4][1]);
        }
        for (unsigned k = 0; k < 4; k++)
            expected |= strchr(holds_in[code], "<=>?"[k]) ? lanes[k] : 0;
        const struct word word = with(word_of(0x20b), 76, 4, code);
        compare(&machine, word, found);
        assert_int_equal(found[0], expected);
        assert_int_equal(found[1], ~expected);
        machine.warp->p[2] = 0x0000ffff;
        compare(&machine, with(with(word, 74, 2, 1), 87, 3, 2), found); /* .OR P2 */
        assert_int_equal(found[0], expected | 0xffff);
        compare(&machine, with(with(word, 74, 2, 2), 87, 3, 2), found); /* .XOR P2 */
        assert_int_equal(found[0], expected ^ 0xffff);
        assert_int_equal(found[1], ~expected ^ 0xffff);
    }
}

static void fset_fsel(void **state)
{
    (void)state;
    const struct word set = with(word_of(0x20a), 76, 4, 1); /* .LT */
    CHECK("FSET.BF", 75, set, WORD, {ONE, 0x40000000, 0, ONE}, {ONE, ONE, 0, 0});
    CHECK("FSEL", 75, word_of(0x208), WORD, {0xffc12345, 2, 0, 0xffc12345});
    CHECK("FSEL !PT -B", 75, with(with(word_of(0x208), 90, 1, 1), 63, 1, 1), WORD,
          {1, 2, 0, 0x80000002});
}

/* Fast from 25 to 254, from 2 to 251 and from -124 to 126: exponents of A, B, their difference. */
static void fchk(void **state)
{
    (void)state;
    static const struct {
        uint32_t a, b; /* exponent fields */
        bool slow;
    } cases[] = {{127, 127, false}, {25, 127, false}, {24, 127, true}, {254, 140, false},
                 {255, 140, true},  {127, 2, false},  {127, 1, true},  {127, 251, false},
                 {127, 252, true},  {26, 150, false}, {26, 151, true}, {150, 24, false},
                 {151, 24, true},   {0, 127, true},   {127, 0, true},  {127, 255, true}};
    struct machine machine;
    uint32_t expected = 0;
    machine_start(&machine, 75);
    for (unsigned i = 0; i < 16; i++) {
        machine.warp->r[RA][i] = cases[i].a << 23 | 0x80123456;
        machine.warp->r[RB][i] = cases[i].b << 23 | 0x00654321;
        expected |= cases[i].slow ? 1u << i : 0;
    }
    machine_run(&machine, with(word_of(0x302), 81, 3, 0), 0xffff);
    assert_int_equal(machine.warp->p[0], expected);
}

#define D1   UINT64_C(0x3ff0000000000000)
#define D2   UINT64_C(0x4000000000000000)
#define DINF UINT64_C(0x7ff0000000000000)
#define DNAN UINT64_C(0xfff8000000000000)
#define DNEG UINT64_C(0x8000000000000000)

static void doubles(void **state)
{
    (void)state;
    struct word add = with(word_of(0x229), 64, 8, RB); /* the second operand is in slot 64 */
    CHECK("DADD", 75, add, PAIR, {D1, D1, 0, D2}, {DINF, DINF | DNEG, 0, DNAN},
          {DNEG, DNEG, 0, DNEG}, {1, 1, 0, 2}, {D1, UINT64_C(0x3ca0000000000000), 0, D1});
    CHECK("DADD.RP", 75, rounded(add, UP), PAIR, {D1, 1, 0, D1 + 1}, {D1, D1 | DNEG, 0, 0});
    CHECK("DADD.RM", 75, rounded(add, DOWN), PAIR, {D1, 1 | DNEG, 0, D1 - 1},
          {D1, D1 | DNEG, 0, DNEG});
    CHECK("DADD.RZ", 75, rounded(add, ZERO), PAIR, {D1 | DNEG, 1, 0, (D1 - 1) | DNEG});
    CHECK("DADD -|A|", 75, with(add, 72, 2, 3), PAIR, {D1, D2, 0, D1}, {D1 | DNEG, D2, 0, D1});
    /* a NaN operand goes on, quiet; the second one before the first */
    CHECK("DADD NaN", 75, add, PAIR,
          {UINT64_C(0x7ff0000000000001), D1, 0, UINT64_C(0x7ff8000000000001)},
          {UINT64_C(0x7ff8000000000001), UINT64_C(0xfff8000000000002), 0,
           UINT64_C(0xfff8000000000002)});
    const struct word mul = word_of(0x228);
    CHECK("DMUL", 75, mul, PAIR, {D2, D2, 0, UINT64_C(0x4010000000000000)}, {0, DINF, 0, DNAN});
    CHECK("DMUL.RZ", 75, rounded(mul, ZERO), PAIR, {D1 + 1, D1 + 1, 0, D1 + 2});
    CHECK("DMUL.RP", 75, rounded(mul, UP), PAIR, {D1 + 1, D1 + 1, 0, D1 + 3});
    const struct word fma = word_of(0x22b);
    /* (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104 */
    CHECK("DFMA", 75, fma, PAIR, {D1 + 1, D1 + 1, (D1 + 2) | DNEG, UINT64_C(0x3970000000000000)});
    CHECK("DFMA.RM", 75, rounded(fma, DOWN), PAIR, {D1, D1, 1 | DNEG, D1 - 1});
    /* form 2: B in slot 64, C an immediate, which is the high word */
    struct word immediate = with(with(word_of(0x42b), 64, 8, RB), 32, 32, 0x3ff00000);
    CHECK("DFMA imm", 75, immediate, PAIR, {D1, D1, 0, D2});
}

static void dsetp(void **state)
{
    (void)state;
    struct machine machine;
    static const uint64_t pair[8][2] = {{D1, D2},   {D2, D1},   {DNEG, 0},    {0, DNEG},
                                        {DNAN, D1}, {D1, DNAN}, {DNAN, DNAN}, {D1, D1}};
    uint32_t found[2];
    machine_start(&machine, 75);
    for (unsigned i = 0; i < 32; i++) {
        set_pair(&machine, RA, i, pair[i % 8][0]);
        set_pair(&machine, RB, i, pair[i % 8][1]);
    }
    const struct word word = word_of(0x22a);
    compare(&machine, with(word, 76, 4, 1), found); /* .LT */
    assert_int_equal(found[0], 0x01010101);
    compare(&machine, with(word, 76, 4, 12), found); /* .GTU */
    assert_int_equal(found[0], 0x72727272);
    /* .MIN: P0 takes A; P1 both NaN */
    compare(&machine, with(word, 76, 4, 0), found);
    assert_int_equal(found[0] & 0x3f, 0x25);
    assert_int_equal(found[1], 0x40404040);
    compare(&machine, with(word, 76, 4, 15), found); /* .MAX */
    assert_int_equal(found[0] & 0x3f, 0x2a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fadd),      cmocka_unit_test(fmul),
        cmocka_unit_test(ffma),      cmocka_unit_test(random_rounding),
        cmocka_unit_test(fmnmx),     cmocka_unit_test(fsetp),
        cmocka_unit_test(fset_fsel), cmocka_unit_test(fchk),
        cmocka_unit_test(doubles),   cmocka_unit_test(dsetp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
