/* Operations across lanes, predicates and uniform registers of machine code. */
#include "sass_alu_fixture.h"

/* Each lane's A is a number of its own. */
static void start(struct machine *machine, uint32_t sm)
{
    machine_start(machine, sm);
    for (unsigned i = 0; i < 32; i++)
        machine->warp->r[RA][i] = 100 + i;
}

static struct word vote_of(unsigned kind)
{
    /* Pu = P1, Pp = P0 */
    return with(with(with(word_of(0x806), 72, 2, kind), 81, 3, 1), 87, 3, 0);
}

static void votes(void **state)
{
    (void)state;
    enum { ALL, ANY, EQ };
    static const struct {
        uint32_t ballot, lanes;
        bool holds[3];
    } cases[] = {{0xff, 0xff, {true, true, true}},
                 {0x0f, 0xff, {false, true, false}},
                 {0x00, 0xff, {false, false, true}},
                 {0xffffff00, 0xff, {false, false, true}}};
    struct machine machine;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned kind = ALL; kind <= EQ; kind++) {
            start(&machine, 75);
            machine.warp->p[0] = cases[k].ballot;
            machine_run(&machine, vote_of(kind), cases[k].lanes);
            assert_int_equal(machine.warp->p[1], cases[k].holds[kind] ? cases[k].lanes : 0);
            assert_int_equal(machine.warp->r[RD][3], cases[k].ballot & cases[k].lanes);
            assert_int_equal(machine.warp->r[RD][9], 0);
        }
    start(&machine, 75); /* VOTEU: UR2 and UP1 */
    machine.warp->p[0] = 0xf0f0;
    machine_run(&machine, with(with(with(word_of(0x886), 72, 2, ANY), 81, 3, 1), 87, 3, 0), 0xff);
    assert_int_equal(machine.warp->ur[RD], 0xf0);
    assert_int_equal(machine.warp->up[1], UINT32_MAX);
    assert_int_equal(machine.warp->p[1], 0);
}

static void matches(void **state)
{
    (void)state;
    struct machine machine;
    start(&machine, 75);
    for (unsigned i = 0; i < 32; i++)
        machine.warp->r[RA][i] = i % 3;
    machine_run(&machine, with(word_of(0x3a1), 79, 1, 1), 0xffff);
    assert_int_equal(machine.warp->r[RD][0], 0x9249);
    assert_int_equal(machine.warp->r[RD][1], 0x2492);
    assert_int_equal(machine.warp->r[RD][5], 0x4924);
    assert_int_equal(machine.warp->r[RD][16], 0);
    assert_int_equal(machine.grid.token, 3);
    machine_run(&machine, with(word_of(0x3a1), 79, 1, 1), 0x9);
    assert_int_equal(machine.grid.token, 1);
    machine_run(&machine, with(word_of(0x3a1), 81, 3, 2), 0x9);
    assert_int_equal(machine.warp->r[RD][0], 0x9);
    assert_int_equal(machine.warp->p[2], 0x9);
    machine_run(&machine, with(word_of(0x3a1), 81, 3, 2), 0xb);
    assert_int_equal(machine.warp->r[RD][0], 0);
    assert_int_equal(machine.warp->p[2], 0);
}

/* SHFL with register B and C. PTX ISA, shfl: c = (32 - width) << 8 | bound. */
static void shuffle(struct machine *machine, unsigned mode, uint32_t b, uint32_t c)
{
    start(machine, 75);
    for (unsigned i = 0; i < 32; i++) {
        machine->warp->r[RB][i] = b;
        machine->warp->r[RC][i] = c;
    }
    machine_run(machine, with(with(word_of(0x389), 58, 2, mode), 81, 3, 0), UINT32_MAX);
}

static void shuffles(void **state)
{
    (void)state;
    enum { IDX, UP, DOWN, BFLY };
    struct machine machine;
    shuffle(&machine, DOWN, 4, 0x1f);
    assert_int_equal(machine.warp->r[RD][0], 104);
    assert_int_equal(machine.warp->r[RD][28], 128);
    assert_int_equal(machine.warp->p[0], 0x0fffffff);
    shuffle(&machine, UP, 1, 0);
    assert_int_equal(machine.warp->r[RD][0], 100);
    assert_int_equal(machine.warp->r[RD][31], 130);
    assert_int_equal(machine.warp->p[0], 0xfffffffe);
    shuffle(&machine, UP, 1, 24 << 8); /* width 8 */
    assert_int_equal(machine.warp->p[0], 0xfefefefe);
    shuffle(&machine, BFLY, 16, 0x1f);
    assert_int_equal(machine.warp->r[RD][3], 119);
    shuffle(&machine, IDX, 9, (24 << 8) | 0x1f); /* lane 1 of each group of eight */
    assert_int_equal(machine.warp->r[RD][0], 101);
    assert_int_equal(machine.warp->r[RD][13], 109);
    assert_int_equal(machine.warp->p[0], UINT32_MAX);
    shuffle(&machine, BFLY, 8, (24 << 8) | 0x1f); /* leaves the group */
    assert_int_equal(machine.warp->r[RD][3], 103);
}

static void reductions(void **state)
{
    (void)state;
    enum { AND, OR, XOR, SUM, MIN, MAX };
    static const uint32_t expected[6] = {5 & 0xfffffff0, 0xfffffff5, 0xfffffff0 ^ 5 ^ 5,
                                         0xfffffffa,     5,          0xfffffff0};
    struct machine machine;
    for (unsigned kind = AND; kind <= MAX; kind++) {
        start(&machine, 80);
        machine.warp->r[RA][1] = machine.warp->r[RA][7] = 5;
        machine.warp->r[RA][9] = 0xfffffff0;
        machine_run(&machine, with(word_of(0x3c4), 78, 3, kind), 1u << 1 | 1u << 7 | 1u << 9);
        assert_int_equal(machine.warp->ur[RD], expected[kind]);
    }
    machine_run(&machine, with(with(word_of(0x3c4), 78, 3, MIN), 73, 1, 1), 0x282);
    assert_int_equal(machine.warp->ur[RD], 0xfffffff0);
}

static void to_uniform(void **state)
{
    (void)state;
    struct machine machine;
    start(&machine, 90);
    machine_run(&machine, with(word_of(0x2ca), 84, 3, 0), 0xf8);
    assert_int_equal(machine.warp->ur[RD], 103);
    machine_run(&machine, with(word_of(0x82f), 81, 3, 0), 0xf8); /* ELECT P0 */
    assert_int_equal(machine.warp->p[0], 0x08);
    assert_int_equal(machine.warp->ur[RD], 3);
}

/* Uniform operations write one register, whatever the lanes. */
static void uniform(void **state)
{
    (void)state;
    struct machine machine;
    start(&machine, 80);
    machine.warp->ur[RA] = 7;
    machine.warp->ur[RB] = 5;
    machine.warp->ur[RC] = 1;
    machine_run(&machine, with(word_of(0x1290), 90, 1, 1), UINT32_MAX);
    assert_int_equal(machine.warp->ur[RD], 13);
    /* UISETP.LT.AND UP0, UP1 */
    const struct word less = with(with(with(word_of(0x128c), 76, 3, 1), 81, 3, 0), 84, 3, 1);
    machine_run(&machine, with(less, 73, 1, 1), UINT32_MAX);
    assert_int_equal(machine.warp->up[0], 0);
    assert_int_equal(machine.warp->up[1], UINT32_MAX);
    assert_int_equal(machine.warp->p[0], 0);
    machine_run(&machine, with(with(word_of(0x1287), 87, 3, 1), 16, 8, 63), 1); /* USEL URZ */
    assert_int_equal(machine.warp->ur[63], 0);
    /* a uniform register as the operand of a general operation: form 6 */
    machine_run(&machine, with(with(word_of(0x1c10), 90, 1, 1), 64, 8, 255), UINT32_MAX);
    assert_int_equal(machine.warp->r[RD][31], 131 + 5);
}

static void predicates(void **state)
{
    (void)state;
    struct machine machine;
    start(&machine, 75);
    for (unsigned k = 0; k < 7; k++)
        machine.warp->p[k] = k == 2 || k == 5 ? 0xffff : 0xff00ff00;
    for (unsigned i = 0; i < 32; i++)
        machine.warp->r[RA][i] = 0xffffff00;
    machine_run(&machine, with(word_of(0x803), 32, 32, 0x7f), UINT32_MAX); /* P2R */
    assert_int_equal(machine.warp->r[RD][0], 0xffffff24);
    assert_int_equal(machine.warp->r[RD][8], 0xffffff7f);
    assert_int_equal(machine.warp->r[RD][16], 0xffffff00);
    for (unsigned i = 0; i < 32; i++)
        machine.warp->r[RA][i] = i;
    machine_run(&machine, with(word_of(0x804), 32, 32, 0x5), 0x0000ffff); /* R2P: P0 and P2 */
    assert_int_equal(machine.warp->p[0], 0xff00aaaa);
    assert_int_equal(machine.warp->p[1], 0xff00ff00);
    assert_int_equal(machine.warp->p[2], 0xf0f0);
    /* PLOP3: P4 = P0 & ~P1, P5 = the majority of P0, P1, P2; tables by index p x 4 + q x 2 + r */
    struct word word = with(with(word_of(0x81c), 81, 3, 4), 84, 3, 5);
    word = with(with(word, 64, 3, 0x30 & 7), 72, 5, 0x30 >> 3);
    word = with(with(word, 16, 8, 0xe8), 24, 8, 0);
    word = with(with(with(word, 87, 3, 0), 77, 3, 1), 80, 1, 0);
    word = with(with(with(word, 68, 3, 2), 71, 1, 0), 67, 1, 0);
    const uint32_t p = 0xff00aaaa, q = 0xff00ff00, r = 0xf0f0;
    machine_run(&machine, word, UINT32_MAX);
    assert_int_equal(machine.warp->p[4], p & ~q);
    assert_int_equal(machine.warp->p[5], (p & q) | (p & r) | (q & r));
}

/* ISETP on pairs: the low words unsigned, the high ones with .EX and what the low ones said. */
static void wide_comparisons(void **state)
{
    (void)state;
    enum { LT = 1, GE = 6 };
    struct machine machine;
    uint64_t seed = 17, a[32], b[32];
    start(&machine, 75);
    for (unsigned i = 0; i < 32; i++) {
        a[i] = next_random(&seed);
        b[i] = i % 3 ? next_random(&seed)
                     : (a[i] & ~UINT64_C(0xffffffff)) | (uint32_t)next_random(&seed);
        set_pair(&machine, RA, i, a[i]);
        set_pair(&machine, RB, i, b[i]);
    }
    for (unsigned code = LT; code <= GE; code += GE - LT) {
        struct word low = with(with(word_of(0x20c), 76, 3, code), 81, 3, 0);
        low = with(with(low, 68, 3, 7), 73, 1, 0);
        struct word high = with(with(with(low, 72, 2, 3), 24, 8, RA + 1), 32, 8, RB + 1);
        high = with(with(high, 81, 3, 1), 68, 3, 0);
        machine_run(&machine, low, UINT32_MAX);
        machine_run(&machine, high, UINT32_MAX);
        uint32_t expected = 0;
        for (unsigned i = 0; i < 32; i++) {
            const bool less = (int64_t)a[i] < (int64_t)b[i];
            expected |= (code == LT ? less : !less) ? 1u << i : 0;
        }
        assert_int_equal(machine.warp->p[1], expected);
    }
}

/* Refused instructions have a reason, and writes to RZ leave RZ zero. */
static void limits(void **state)
{
    (void)state;
    static const struct exec_bank none[EXEC_BANKS];
    struct sass_inst sass;
    struct exec_inst inst;
    const char *why = NULL;
    sass_decode(&sass, word_of(0x94d).half, 0, 75); /* EXIT */
    exec_fill(&inst, &sass, none);
    assert_false(exec_prepare_alu(&inst, &why));
    assert_non_null(why);
    struct machine machine;
    start(&machine, 75);
    machine_run(&machine, with(with(word_of(0x210), 16, 8, 255), 90, 1, 1), UINT32_MAX);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(exec_row(machine.warp, SASS_RZ)[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(votes),      cmocka_unit_test(matches),
        cmocka_unit_test(shuffles),   cmocka_unit_test(reductions),
        cmocka_unit_test(to_uniform), cmocka_unit_test(uniform),
        cmocka_unit_test(predicates), cmocka_unit_test(wide_comparisons),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
