/* Integer operations of machine code, by cases whose answers are worked out by hand (PTX ISA) and
 * by comparison with 64- and 128-bit arithmetic on random operands. */
#include "sass_alu_fixture.h"

static void iadd3(void **state)
{
    (void)state;
    const struct word plain = with(word_of(0x210), 90, 1, 1);
    CHECK("IADD3", 75, plain, WORD, {1, 2, 3, 6}, {0xffffffff, 1, 0, 0},
          {0x80000000, 0x80000000, 5, 5}, {0x7fffffff, 1, 0, 0x80000000});
    CHECK("IADD3 -A", 75, with(plain, 72, 1, 1), WORD, {1, 2, 3, 4}, {0, 0, 0, 0},
          {0x80000000, 0, 0, 0x80000000});
    CHECK("IADD3 -B", 90, with(plain, 63, 1, 1), WORD, {1, 2, 3, 2}, {0, 1, 0, 0xffffffff});
    CHECK("IADD3 -C", 80, with(plain, 75, 1, 1), WORD, {1, 2, 3, 0}, {0, 0, 4, 0xfffffffc});
    /* B an immediate, C RZ */
    struct word immediate = with(word_of(0x810), 32, 32, 0xfffffff0);
    immediate = with(with(immediate, 64, 8, 255), 90, 1, 1);
    CHECK("IADD3 imm", 75, immediate, WORD, {0x20, 0, 9, 0x10}, {0, 0, 0, 0xfffffff0});
}

/* A 64-bit sum of two words each: IADD3 with a carry into P0, then IADD3.X. */
static void iadd3_carries(void **state)
{
    (void)state;
    struct word low = with(with(word_of(0x210), 90, 1, 1), 81, 3, 0); /* P0 */
    struct word high = with(word_of(0x210), 16, 8, RD + 1);
    high = with(with(with(high, 24, 8, RA + 1), 32, 8, RB + 1), 64, 8, 255);
    high = with(high, 74, 1, 1); /* .X */
    high = with(high, 87, 3, 0); /* Pp = P0 */
    high = with(with(high, 77, 3, 7), 80, 1, 1);
    low = with(low, 64, 8, 255);
    uint64_t seed = 12345;
    struct machine machine;
    for (unsigned round = 0; round < 2000; round++) {
        const bool subtract = round & 1;
        const struct word first = with(low, 63, 1, subtract);
        const struct word second = with(high, 63, 1, subtract);
        uint64_t a[32], b[32];
        machine_start(&machine, 80);
        for (unsigned i = 0; i < 32; i++) {
            a[i] = next_random(&seed) >> next_random(&seed) % 64;
            b[i] = next_random(&seed) % 4 ? next_random(&seed) >> next_random(&seed) % 64 : a[i];
            set_pair(&machine, RA, i, a[i]);
            set_pair(&machine, RB, i, b[i]);
        }
        machine_run(&machine, first, UINT32_MAX);
        machine_run(&machine, second, UINT32_MAX);
        for (unsigned i = 0; i < 32; i++)
            assert_true(get_pair(&machine, RD, i) == (subtract ? a[i] - b[i] : a[i] + b[i]));
    }
}

/* Three full words carry up to 2: P0 says at least one, P1 at least two. */
static void iadd3_two_carries(void **state)
{
    (void)state;
    struct word word = with(with(word_of(0x210), 90, 1, 1), 81, 3, 0);
    word = with(word, 84, 3, 1);
    struct machine machine;
    machine_start(&machine, 90);
    const uint32_t full = UINT32_MAX;
    const uint32_t operand[4][3] = {
        {full, full, full}, {full, 1, 0}, {full, 0, 0}, {full, full, 2}};
    for (unsigned i = 0; i < 4; i++) {
        machine.warp->r[RA][i] = operand[i][0];
        machine.warp->r[RB][i] = operand[i][1];
        machine.warp->r[RC][i] = operand[i][2];
    }
    machine_run(&machine, word, 0xf);
    assert_int_equal(machine.warp->p[0], 0xb);
    assert_int_equal(machine.warp->p[1], 0x9);
    assert_int_equal(machine.warp->r[RD][0], 0xfffffffd);
    assert_int_equal(machine.warp->r[RD][3], 0);
}

static void lea(void **state)
{
    (void)state;
    const struct word plain = with(with(word_of(0x211), 90, 1, 1), 75, 5, 4);
    CHECK("LEA", 75, plain, WORD, {3, 5, 0, 53}, {0xf0000000, 1, 0, 1});
    CHECK("LEA -A", 75, with(plain, 72, 1, 1), WORD, {3, 100, 0, 52}, {0, 7, 0, 7});
    const struct word high = with(plain, 80, 1, 1);
    CHECK("LEA.HI", 80, high, WORD, {0xf0000000, 1, 0x10, 0x110}, {0x12345678, 0, 0, 1});
    CHECK("LEA.HI.SX32", 80, with(high, 73, 1, 1), WORD, {0xf0000000, 0, 99, 0xffffffff},
          {0x70000000, 2, 99, 9});
}

static void multiply(void **state)
{
    (void)state;
    const struct word imad = with(with(word_of(0x224), 73, 1, 1), 90, 1, 1);
    CHECK("IMAD", 75, imad, WORD, {3, 5, 7, 22}, {0xffffffff, 0xffffffff, 0, 1},
          {0x10000, 0x10000, 9, 9}, {0x80000000, 0x80000000, 1, 1});
    CHECK("IMAD -C", 75, with(imad, 75, 1, 1), WORD, {3, 5, 7, 8}, {0, 0, 1, 0xffffffff});
    CHECK("IMAD.MOV", 75, with(with(imad, 24, 8, 255), 32, 8, 255), WORD, {3, 5, 7, 7});
    const struct word wide = with(with(word_of(0x225), 73, 1, 1), 90, 1, 1);
    CHECK("IMAD.WIDE", 75, wide, PAIR, {0xffffffff, 0xffffffff, 0, 1},
          {0x80000000, 0x80000000, 0, UINT64_C(0x4000000000000000)},
          {0x80000000, 1, 0, UINT64_C(0xffffffff80000000)},
          {2, 3, UINT64_C(0xffffffffffffffff), 5});
    CHECK("IMAD.WIDE.U32", 75, with(wide, 73, 1, 0), PAIR,
          {0xffffffff, 0xffffffff, 0, UINT64_C(0xfffffffe00000001)},
          {0xffffffff, 0xffffffff, UINT64_C(0x1ffffffff), 0}, {0x80000000, 1, 0, 0x80000000});
    CHECK("IMAD.WIDE -C", 75, with(wide, 75, 1, 1), PAIR, {2, 3, 10, (uint64_t)-4});
    const struct word hi = with(with(word_of(0x227), 73, 1, 1), 90, 1, 1);
    CHECK("IMAD.HI", 80, hi, WORD, {0xffffffff, 1, 0, 0xffffffff}, {0x80000000, 2, 0, 0xffffffff},
          {0x40000000, 8, 0, 2});
    CHECK("IMAD.HI.U32", 80, with(hi, 73, 1, 0), WORD, {0xffffffff, 0xffffffff, 0, 0xfffffffe},
          {0xffffffff, 0xffffffff, UINT64_C(0x1ffffffff), 0});
}

/* Wide multiplications by an immediate: the addend, a signed immediate, is extended. */
static void wide_immediates(void **state)
{
    (void)state;
    /* form 2: B at 64, C immediate */
    struct word word = with(with(word_of(0x425), 73, 1, 1), 90, 1, 1);
    word = with(with(word, 64, 8, RB), 32, 32, 0xfffffffe);
    CHECK("IMAD.WIDE imm", 80, word, PAIR, {3, 5, 0, 13}, {0, 0, 0, (uint64_t)-2});
    CHECK("IMAD.WIDE.U32 imm", 80, with(word, 73, 1, 0), PAIR, {3, 5, 0, 0x10000000dull});
}

/* The carry out of IMAD.WIDE and the carry into .X, against 128-bit arithmetic by halves. */
static void wide_carries(void **state)
{
    (void)state;
    struct word word = with(with(word_of(0x225), 90, 1, 1), 81, 3, 2); /* P2 */
    uint64_t seed = 99;
    struct machine machine;
    machine_start(&machine, 80);
    uint64_t c[32];
    for (unsigned i = 0; i < 32; i++) {
        set_pair(&machine, RA, i, next_random(&seed));
        set_pair(&machine, RB, i, next_random(&seed));
        c[i] = i % 2 ? next_random(&seed) | UINT64_C(0xff) << 56 : next_random(&seed) >> 20;
        set_pair(&machine, RC, i, c[i]);
    }
    machine_run(&machine, word, UINT32_MAX);
    uint32_t carries = 0;
    for (unsigned i = 0; i < 32; i++) {
        const uint64_t product = (uint64_t)machine.warp->r[RA][i] * machine.warp->r[RB][i];
        carries |= (product > UINT64_MAX - c[i] ? 1u : 0) << i;
        assert_true(get_pair(&machine, RD, i) == product + c[i]);
    }
    assert_true(carries != 0 && carries != UINT32_MAX);
    assert_int_equal(machine.warp->p[2], carries);
    word = with(with(with(word, 74, 1, 1), 87, 3, 2), 90, 1, 0); /* .X, Pp = P2 */
    machine_run(&machine, with(word, 81, 3, 7), UINT32_MAX);
    for (unsigned i = 0; i < 32; i++) {
        const uint64_t product = (uint64_t)machine.warp->r[RA][i] * machine.warp->r[RB][i];
        assert_true(get_pair(&machine, RD, i) == product + c[i] + (carries >> i & 1));
    }
}

static void dot_products(void **state)
{
    (void)state;
    const struct word idp = word_of(0x226);
    CHECK("IDP.4A.U8.U8", 75, idp, WORD, {0x01020304, 0x05060708, 10, 5 + 12 + 21 + 32 + 10},
          {0xffffffff, 0xffffffff, 0, 4 * 255 * 255});
    CHECK("IDP.4A.S8.S8", 75, with(idp, 73, 2, 3), WORD, {0xffffffff, 0x02020202, 0, (uint32_t)-8},
          {0x80808080, 0x80808080, 0, 4 * 16384});
    CHECK("IDP.4A.S8.U8", 75, with(idp, 73, 1, 1), WORD,
          {0xffffffff, 0xffffffff, 0, (uint32_t)-1020});
    const struct word two = with(idp, 76, 1, 1);
    CHECK("IDP.2A.LO.U16.U8", 75, two, WORD, {0x00030002, 0x99990504, 1, 15 + 8 + 1});
    CHECK("IDP.2A.HI.U16.U8", 75, with(two, 77, 1, 1), WORD, {0x00030002, 0x05049999, 1, 24});
    CHECK("IDP.2A.LO.S16.S8", 75, with(two, 73, 2, 3), WORD,
          {0xffff8000, 0x000002ff, 0, 32768 - 2});
}

static void distances(void **state)
{
    (void)state;
    const struct word vabsdiff = word_of(0x214);
    CHECK("VABSDIFF.U32", 75, vabsdiff, WORD, {5, 7, 1, 3}, {0, 0xffffffff, 0, 0xffffffff});
    CHECK("VABSDIFF", 75, with(vabsdiff, 73, 1, 1), WORD, {0xffffffff, 1, 0, 2},
          {0x80000000, 0x7fffffff, 0, 0xffffffff});
    const struct word bytes = word_of(0x215);
    CHECK("VABSDIFF4.U8", 75, bytes, WORD, {0x01ff0010, 0x02010020, 7, 0x01fe0010});
    CHECK("VABSDIFF4.U8.ACC", 75, with(bytes, 75, 1, 1), WORD,
          {0x01ff0010, 0x02010020, 7, 1 + 0xfe + 0x10 + 7});
    CHECK("VABSDIFF4.S8.ACC", 75, with(with(bytes, 75, 1, 1), 73, 1, 1), WORD,
          {0x80000000, 0x7f000000, 0, 255});
    CHECK("IABS", 75, word_of(0x213), WORD, {0, 5, 0, 5}, {0, 0xffffffff, 0, 1},
          {0, 0x80000000, 0, 0x80000000});
}

static void minima(void **state)
{
    (void)state;
    const struct word signed_min = with(word_of(0x217), 73, 1, 1);
    CHECK("IMNMX", 75, signed_min, WORD, {0xffffffff, 1, 0, 0xffffffff}, {3, 2, 0, 2},
          {0x80000000, 0x7fffffff, 0, 0x80000000});
    CHECK("IMNMX !PT", 75, with(signed_min, 90, 1, 1), WORD, {0xffffffff, 1, 0, 1}, {3, 2, 0, 3});
    CHECK("IMNMX.U32", 75, with(signed_min, 73, 1, 0), WORD, {0xffffffff, 1, 0, 1});
    CHECK("VIMNMX", 90, with(word_of(0x248), 72, 2, 1), WORD, {0xffffffff, 1, 0, 0xffffffff});
    CHECK("VIMNMX.RELU", 90, with(with(word_of(0x248), 72, 2, 1), 76, 1, 1), WORD,
          {0xffffffff, 1, 0, 0}, {7, 5, 0, 5});
    CHECK("VIMNMX.U16x2", 90, with(word_of(0x248), 72, 2, 2), WORD,
          {0xffff0001, 0x00010002, 0, 0x00010001});
    CHECK("VIMNMX.S16x2", 90, with(word_of(0x248), 72, 2, 3), WORD,
          {0xffff0001, 0x00018000, 0, 0xffff8000});
    CHECK("VIADDMNMX", 90, with(word_of(0x246), 72, 1, 1), WORD, {1, 2, 5, 3}, {1, 9, 5, 5},
          {0xfffffffe, 1, 5, 0xffffffff});
    CHECK("VIADDMNMX.U32 !PT", 90, with(word_of(0x246), 90, 1, 1), WORD,
          {0xfffffffe, 1, 5, 0xffffffff});
    CHECK("VIADDMNMX.S16x2", 90, with(word_of(0x246), 72, 2, 3), WORD,
          {0x7fff0001, 0x0001fffe, 0x00000000, 0x8000ffff});
    CHECK("VIADDMNMX.RELU", 90, with(with(word_of(0x246), 72, 1, 1), 76, 1, 1), WORD,
          {0xfffffffe, 1, 5, 0}, {2, 1, 5, 3});
    const struct word three = with(word_of(0x20f), 72, 2, 1);
    CHECK("VIMNMX3", 90, three, WORD, {3, 0xffffffff, 2, 0xffffffff}, {3, 9, 2, 2}, {1, 9, 2, 1});
    CHECK("VIMNMX3 !PT", 90, with(three, 90, 1, 1), WORD, {3, 0xffffffff, 2, 3}, {3, 9, 11, 11});
    CHECK("VIADD", 90, word_of(0x236), WORD, {7, 8, 0, 15});
    CHECK("VIADD -B", 90, with(word_of(0x236), 63, 1, 1), WORD, {7, 8, 0, 0xffffffff});
    CHECK("VIADD.16x2", 90, with(word_of(0x236), 73, 1, 1), WORD,
          {0x0001ffff, 0x00010001, 0, 0x00020000});
}

static void logic(void **state)
{
    (void)state;
    CHECK("MOV", 75, with(word_of(0x202), 72, 4, 15), WORD, {1, 2, 3, 2});
    CHECK("MOV 0x5", 75, with(word_of(0x202), 72, 4, 5), WORD, {1, 0x11223344, 3, 0xa522a544});
    /* every truth table, with operands that show all eight combinations */
    for (uint32_t table = 0; table < 256; table++) {
        const struct alu_case one = {0xf0f0ccaa, 0xccccf0cc, 0xaaaaaaf0, 0};
        struct alu_case expected = one;
        for (unsigned bit = 0; bit < 32; bit++) {
            const unsigned index = (unsigned)(one.a >> bit & 1) << 2 |
                                   (unsigned)(one.b >> bit & 1) << 1 | (unsigned)(one.c >> bit & 1);
            expected.d |= (uint64_t)(table >> index & 1) << bit;
        }
        check_cases("LOP3", 75, with(word_of(0x212), 72, 8, table), WORD, &expected, 1);
    }
}

static void permutes(void **state)
{
    (void)state;
    const struct word prmt = word_of(0x216);
    CHECK("PRMT", 75, prmt, WORD, {0x33221100, 0x3210, 0x77665544, 0x33221100},
          {0x33221100, 0x7654, 0x77665544, 0x77665544},
          {0x33221100, 0x0246, 0x77665544, 0x00224466},
          {0x80017f00, 0xb98f, 0xff665544, 0xff0000ff});
    struct word immediate = with(with(word_of(0x816), 32, 32, 0x5410), 64, 8, RC);
    CHECK("PRMT imm", 75, immediate, WORD, {0x33221100, 0, 0x77665544, 0x55441100});
    CHECK("PRMT imm sign", 75, with(immediate, 32, 32, 0xcba9), WORD,
          {0x80ff7f01, 0, 0x00000080, 0xffffff00});
    /* the other modes: PTX ISA, prmt */
    CHECK("PRMT.F4E", 75, with(prmt, 72, 3, 1), WORD, {0x33221100, 1, 0x77665544, 0x44332211});
    CHECK("PRMT.B4E", 75, with(prmt, 72, 3, 2), WORD, {0x33221100, 1, 0x77665544, 0x66770011});
    CHECK("PRMT.RC8", 75, with(prmt, 72, 3, 3), WORD, {0x33221100, 2, 0x77665544, 0x22222222});
    CHECK("PRMT.ECL", 75, with(prmt, 72, 3, 4), WORD, {0x33221100, 2, 0x77665544, 0x33222222});
    CHECK("PRMT.ECR", 75, with(prmt, 72, 3, 5), WORD, {0x33221100, 1, 0x77665544, 0x11111100});
    CHECK("PRMT.RC16", 75, with(prmt, 72, 3, 6), WORD, {0x33221100, 1, 0x77665544, 0x33223322});
}

/* An arithmetic shift of the pair, one place at a time. */
static uint64_t slow_shift(uint64_t pair, uint32_t by, bool right, bool is_signed)
{
    for (uint32_t i = 0; i < by; i++)
        pair = right ? pair >> 1 | (is_signed ? pair & UINT64_C(1) << 63 : 0) : pair << 1;
    return pair;
}

/* All kinds of SHF, by register and by immediate, amounts from 0 to beyond the width. */
static void shifts(void **state)
{
    (void)state;
    static const uint32_t amounts[] = {0, 1, 5, 31, 32, 33, 47, 63, 64, 65, 96, 0xffffffff};
    uint64_t seed = 7;
    for (unsigned kind = 0; kind < 64; kind++) {
        const unsigned type = kind & 3, right = kind >> 2 & 1, wrap = kind >> 3 & 1;
        const unsigned high = kind >> 4 & 1, immediate = kind >> 5;
        const uint32_t width = type < 2 ? 64 : 32;
        for (size_t k = 0; k < sizeof amounts / sizeof *amounts; k++) {
            struct word word = word_of(immediate ? 0x819 : 0x219);
            word = with(with(word, 73, 2, type), 75, 1, wrap);
            word = with(with(word, 76, 1, right), 80, 1, high);
            if (immediate)
                word = with(word, 32, 32, amounts[k]);
            const uint64_t pair = next_random(&seed);
            const uint32_t clamped = amounts[k] < width ? amounts[k] : width;
            const uint64_t moved = slow_shift(pair, wrap ? amounts[k] % width : clamped, right,
                                              type == 0 || type == 2);
            const struct alu_case one = {pair & WORD, amounts[k], pair >> 32,
                                         high ? moved >> 32 : moved};
            check_cases("SHF", 75, word, WORD, &one, 1);
        }
    }
}

static void bits(void **state)
{
    (void)state;
    const struct word sgxt = with(word_of(0x21a), 73, 1, 1);
    CHECK("SGXT", 75, sgxt, WORD, {0xff, 8, 0, 0xffffffff}, {0x7f, 8, 0, 0x7f}, {0x1234, 0, 0, 0},
          {0x80000000, 32, 0, 0x80000000}, {0x80000001, 99, 0, 0x80000001}, {3, 1, 0, 0xffffffff});
    CHECK("SGXT.U32", 75, with(sgxt, 73, 1, 0), WORD, {0xffff, 8, 0, 0xff}, {5, 32, 0, 5});
    CHECK("SGXT.W", 75, with(sgxt, 75, 1, 1), WORD, {0xff, 40, 0, 0xffffffff}, {0xff, 32, 0, 0});
    const struct word bmsk = word_of(0x21b);
    CHECK("BMSK", 75, bmsk, WORD, {4, 8, 0, 0xff0}, {0, 32, 0, 0xffffffff}, {32, 5, 0, 0},
          {28, 8, 0, 0xf0000000}, {3, 0, 0, 0}, {0xffffffff, 1, 0, 0});
    CHECK("BMSK.W", 75, with(bmsk, 75, 1, 1), WORD, {36, 40, 0, 0xff0}, {0, 32, 0, 0});
    CHECK("FLO.U32", 75, word_of(0x300), WORD, {0, 1, 0, 0}, {0, 0x80000000, 0, 31},
          {0, 0, 0, 0xffffffff}, {0, 0x00012345, 0, 16});
    CHECK("FLO.U32.SH", 75, with(word_of(0x300), 74, 1, 1), WORD, {0, 1, 0, 31},
          {0, 0x80000000, 0, 0}, {0, 0, 0, 0xffffffff});
    CHECK("FLO", 75, with(word_of(0x300), 73, 1, 1), WORD, {0, 0xffffffff, 0, 0xffffffff},
          {0, 0x80000000, 0, 30}, {0, 0xfffffffe, 0, 0}, {0, 4, 0, 2});
    CHECK("BREV", 75, word_of(0x301), WORD, {0, 1, 0, 0x80000000}, {0, 0x12345678, 0, 0x1e6a2c48});
    CHECK("POPC", 75, word_of(0x309), WORD, {0, 0, 0, 0}, {0, 0xffffffff, 0, 32},
          {0, 0x80018421, 0, 6});
    CHECK("POPC ~B", 75, with(word_of(0x309), 63, 1, 1), WORD, {0, 0, 0, 32}, {0, 0xff, 0, 24});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iadd3),
        cmocka_unit_test(iadd3_carries),
        cmocka_unit_test(iadd3_two_carries),
        cmocka_unit_test(lea),
        cmocka_unit_test(multiply),
        cmocka_unit_test(wide_immediates),
        cmocka_unit_test(wide_carries),
        cmocka_unit_test(dot_products),
        cmocka_unit_test(distances),
        cmocka_unit_test(minima),
        cmocka_unit_test(logic),
        cmocka_unit_test(permutes),
        cmocka_unit_test(shifts),
        cmocka_unit_test(bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
