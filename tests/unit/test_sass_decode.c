/*
 * Decoding machine code: every recorded instruction has the text that nvdisasm gives it and no bit
 * unread; operands, modifiers and what the timing model sees of some of them; words that are not
 * instructions. SASS_LISTING names another listing to compare (tests/tools/compare_disasm).
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sass/encoding.h"
#include "simsm/names.h"

static const uint32_t sms[] = {75, 80, 86, 89, 90};
enum { SMS = sizeof sms / sizeof *sms };

static struct sass_inst decode(uint32_t sm, uint64_t low, uint64_t high)
{
    struct sass_inst inst;
    sass_decode(&inst, (const uint64_t[]){low, high}, 0, sm);
    return inst;
}

static void tables_are_understood(void **state)
{
    (void)state;
    for (size_t i = 0; i < SMS; i++) {
        assert_true(sass_knows_sm(sms[i]));
        const char *error = encoding_table(sms[i])->error;
        if (error)
            print_error("sm_%u: %s\n", sms[i], error);
        assert_null(error);
    }
    assert_false(sass_knows_sm(70));
    assert_false(sass_knows_sm(87));
    assert_false(sass_knows_sm(100));
}

/* Replaces each run of blanks by one blank, and removes blanks at the end. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++)
        if (*at != ' ' || (at[1] != ' ' && at[1] != '\0' && at[1] != '\n'))
            *to++ = *at;
    while (to > text && (to[-1] == ' ' || to[-1] == '\n'))
        to--;
    *to = '\0';
}

/* Is the instruction what the listing says? Says so, for the first twenty that are not. */
static bool same(uint32_t sm, uint32_t pc, const uint64_t word[2], const char *expected)
{
    static unsigned reported;
    struct sass_inst inst;
    char text[512];
    sass_decode(&inst, word, pc, sm);
    assert_in_range(sass_text(&inst, text, sizeof text), 1, sizeof text - 1);
    squeeze(text);
    bool good = strcmp(text, expected) == 0 && !inst.unread[0] && !inst.unread[1];
    if (!good && reported++ < 20)
        print_error("sm_%u %016" PRIx64 " %016" PRIx64 "\n  nvdisasm: %s\n  simsm:    %s\n"
                    "  unread bits: %016" PRIx64 " %016" PRIx64 "\n",
                    sm, word[0], word[1], expected, text, inst.unread[0], inst.unread[1]);
    return good;
}

/* A line is: SMs, offset, low and high half of the word, text. */
static void listing_is_reproduced(void **state)
{
    (void)state;
    const char *path = getenv("SASS_LISTING");
    FILE *file = fopen(path ? path : "tests/data/sass/listings/instructions.txt", "r");
    assert_non_null(file);
    unsigned count = 0, good = 0;
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        char list[64];
        int at = 0;
        uint32_t pc;
        uint64_t word[2];
        assert_int_equal(sscanf(line, "%63s %" SCNx32 " %" SCNx64 " %" SCNx64 " %n", list, &pc,
                                &word[0], &word[1], &at),
                         4);
        squeeze(line + at);
        for (char *sm = list; *sm; sm += *sm == ',') {
            good += same((uint32_t)strtoul(sm, &sm, 10), pc, word, line + at);
            count++;
        }
    }
    fclose(file);
    print_message("%u of %u instructions as nvdisasm has them\n", good, count);
    assert_true(path || count > 10000);
    assert_int_equal(good, count);
}

static void operands_have_roles(void **state)
{
    (void)state;
    struct sass_inst inst = decode(86, 0xfffff00c04047981, 0x000000000c1e1d00);
    assert_int_equal(inst.op, SASS_OP_LDG); /* LDG.E.128 R4, [R4.64+-0x10] */
    assert_string_equal(sass_op_name((enum sass_op)inst.op), "LDG");
    assert_int_equal(inst.operand[SASS_D].kind, SASS_REGISTER);
    assert_int_equal(inst.operand[SASS_D].words, 4);
    assert_int_equal(inst.operand[SASS_A].words, 2);
    assert_int_equal(inst.operand[SASS_UR].kind, SASS_NONE);
    assert_int_equal(inst.operand[SASS_DESC].kind, SASS_UNIFORM);
    assert_int_equal(inst.offset, -16);
    assert_int_equal(sass_mod(&inst, SASS_MOD_SIZE), 6);
    assert_int_equal(sass_mod(&inst, SASS_MOD_E), 1);
    assert_int_equal(sass_mod(&inst, SASS_MOD_CMP), 0);

    inst = decode(75, 0x00000008020a722b, 0x0000000000000106); /* DFMA R10, -R2, R8, R6 */
    assert_int_equal(inst.op, SASS_OP_DFMA);
    assert_int_equal(inst.form, 1);
    assert_int_equal(inst.operand[SASS_A].words, 2);
    assert_true(inst.operand[SASS_A].negate);
    assert_false(inst.operand[SASS_B].negate);
    assert_int_equal(inst.operand[SASS_C].index, 6);

    inst = decode(80, 0x000004b000009947, 0x0000000005000000); /* @!P1 BRA !P2, 0x4c0 */
    assert_int_equal(inst.op, SASS_OP_BRA);
    assert_int_equal(inst.guard.index, 1);
    assert_true(inst.guard.negate);
    assert_int_equal(inst.operand[SASS_PP].index, 2);
    assert_true(inst.operand[SASS_PP].negate);
    assert_int_equal(inst.target, 0x4c0);

    inst = decode(80, 0x8000000004047890, 0x000000000fffe13f); /* UIADD3 UR4, -UR4, imm, URZ */
    assert_int_equal(inst.guard.kind, SASS_UNIFORM_PREDICATE);
    assert_int_equal(inst.operand[SASS_A].kind, SASS_UNIFORM);
    assert_true(inst.operand[SASS_A].negate);
    assert_int_equal(inst.operand[SASS_B].kind, SASS_IMMEDIATE);
    assert_int_equal(inst.operand[SASS_B].value, 0x80000000);
    assert_int_equal(inst.operand[SASS_C].index, SASS_URZ);
}

/* An atomic type has other bits on sm_90; each modifier has one value. */
static void modifiers_have_one_meaning(void **state)
{
    (void)state;
    struct sass_inst inst = decode(75, 0x00000804020273a9, 0x00000000001f0506);
    assert_int_equal(sass_mod(&inst, SASS_MOD_ATOM_OP), 9); /* ATOMG.E.CAS.64.STRONG.CTA */
    assert_int_equal(sass_mod(&inst, SASS_MOD_ATOM_TYPE), 2);
    assert_int_equal(inst.operand[SASS_DATA].words, 2);
    assert_int_equal(inst.operand[SASS_DATA2].index, 6);
}

static void unknown_bits_are_reported(void **state)
{
    (void)state;
    struct sass_inst inst = decode(80, 0x00000008020a722b, 0x0000000000000106 | UINT64_C(1) << 20);
    assert_int_equal(inst.op, SASS_OP_DFMA);
    assert_int_equal(inst.unread[0], 0);
    assert_int_equal(inst.unread[1], UINT64_C(1) << 20);
    /* IADD3 without .X takes no carry: the predicates must be !PT. */
    inst = decode(80, 0x0000000504037210, 0x0000000007ffe0ff);
    assert_int_equal(inst.unread[1], 0);
    inst = decode(80, 0x0000000504037210, 0x0000000007ffe0ff & ~(UINT64_C(1) << 23));
    assert_int_equal(inst.unread[1], UINT64_C(1) << 23);
    /* MEMBAR's semantics are 0 or 1: 3 does not occur. */
    inst = decode(80, 0x0000000000007992, 0x0000000000003000 | 3 << 15);
    assert_int_equal(inst.unread[1], 3 << 15);
    /* VIADD is of sm_90. */
    assert_int_equal(decode(90, 0x0000000504037236, 0).op, SASS_OP_VIADD);
    inst = decode(86, 0x0000000504037236, 0);
    assert_int_equal(inst.op, SASS_OP_UNKNOWN);
    assert_int_equal(inst.unread[0], 0x0000000504037236);
    assert_int_equal(decode(70, 0x00000008020a722b, 0x106).op, SASS_OP_UNKNOWN);
}

static void text_is_cut_off(void **state)
{
    (void)state;
    struct sass_inst inst = decode(75, 0x00000008020a722b, 0x0000000000000106);
    char text[8] = "#######";
    assert_int_equal(sass_text(&inst, NULL, 0), 21);
    assert_int_equal(sass_text(&inst, text, 6), 21);
    assert_string_equal(text, "DFMA ");
    assert_int_equal(text[6], '#');
}

static void control_bits_are_decoded(void **state)
{
    (void)state;
    /* stall 4, stay, write barrier 1, read barrier none, wait for 0 and 5 */
    uint64_t control = 4 | 1 << 4 | 1 << 5 | 7 << 8 | 0x21 << 11;
    struct sass_inst inst = decode(75, 0x00000008020a722b, 0x106 | control << 41);
    char text[32];
    assert_int_equal(inst.unread[1], 0);
    assert_int_equal(inst.control.stall, 4);
    assert_int_equal(inst.control.wait_mask, 0x21);
    assert_false(inst.control.yield);
    assert_int_equal(sass_control_text(&inst, text, sizeof text), 19);
    assert_string_equal(text, "B0----5:R-:W1:-:S04");
}

static struct inst lower(uint32_t sm, uint64_t low, uint64_t high)
{
    struct sass_inst inst = decode(sm, low, high);
    struct inst lowered;
    sass_lower(&inst, &lowered);
    return lowered;
}

static void assert_range(struct reg_range range, unsigned first, unsigned count)
{
    assert_int_equal(range.first, first);
    assert_int_equal(range.count, count);
}

static void registers_are_lowered(void **state)
{
    (void)state;
    /* IADD3.X R0, P0, RZ, R0, RZ, P0, !PT */
    struct inst inst = lower(75, 0x00000000ff007210, 0x000000000071e4ff);
    assert_int_equal(inst.op, SIMSM_OP_INT);
    assert_int_equal(inst.n_destinations, 2);
    assert_range(inst.destination[0], REG_R0, 1);
    assert_range(inst.destination[1], REG_P0, 1);
    assert_int_equal(inst.n_sources, 2);
    assert_range(inst.source[0], REG_R0, 1);
    assert_range(inst.source[1], REG_P0, 1);
    assert_false(inst.guarded);

    /* STG.E.64 [R2.64-8], R12 with descriptor UR6 */
    inst = lower(80, 0xfffff80c02007986, 0x000000000c101b06);
    assert_int_equal(inst.op, SIMSM_OP_ST_GLOBAL);
    assert_int_equal(inst.width, 8);
    assert_int_equal(inst.n_destinations, 0);
    assert_int_equal(inst.n_sources, 3);
    assert_range(inst.source[0], REG_R0 + 2, 2);
    assert_range(inst.source[1], REG_R0 + 12, 2);
    assert_range(inst.source[2], REG_UR0 + 6, 2);

    /* HMMA.16816.F32 R4, R4, R20, RZ */
    inst = lower(90, 0x000000140404723c, 0x00000000000018ff);
    assert_int_equal(inst.op, SIMSM_OP_HMMA);
    assert_range(inst.destination[0], REG_R0 + 4, 4);
    assert_range(inst.source[0], REG_R0 + 4, 4);
    assert_range(inst.source[1], REG_R0 + 20, 2);
    assert_int_equal(inst.n_sources, 2);

    /* R2P PR, R0, 0x3 writes P0 and P1. */
    inst = lower(75, 0x0000000300007804, 0);
    assert_int_equal(inst.n_destinations, 1);
    assert_range(inst.destination[0], REG_P0, 2);

    /* ULDC.64 UR4, c[0x0][0x118] */
    inst = lower(80, 0x0000460000047ab9, 0x0a00);
    assert_int_equal(inst.op, SIMSM_OP_UNIFORM);
    assert_range(inst.destination[0], REG_UR0 + 4, 2);
    assert_int_equal(inst.constant, 0x119);
}

static void control_flow_is_lowered(void **state)
{
    (void)state;
    /* @!P1 BRA !P2: the guard is the last source. */
    struct inst inst = lower(80, 0x000004b000009947, 0x0000000005000000);
    assert_int_equal(inst.op, SIMSM_OP_BRANCH);
    assert_true(inst.conditional);
    assert_true(inst.guarded);
    assert_int_equal(inst.n_sources, 2);
    assert_range(inst.source[0], REG_P0 + 2, 1);
    assert_range(inst.source[1], REG_P0 + 1, 1);
    inst = lower(80, 0x000004b000007947, 0x0000000003800000);
    assert_false(inst.conditional);

    inst = lower(75, 0x00c1800000007b1d, 0); /* BAR.SYNC 0x3, 0x60 */
    assert_int_equal(inst.op, SIMSM_OP_BARRIER);
    assert_int_equal(inst.barrier, 3);
    assert_int_equal(inst.barrier_threads, 96);
    assert_int_equal(inst.barrier_arrive, 0);
    assert_int_equal(lower(75, 0x00c1800000007b1d, 0x2000).barrier_arrive, 1);

    assert_int_equal(lower(80, 0x00000000000079af, 0).depbar_index, DEPBAR_COMMIT);
    inst = lower(80, UINT64_C(0x000080400000791a), 0); /* DEPBAR.LE SB0, 0x1 */
    assert_int_equal(inst.op, SIMSM_OP_DEPBAR);
    assert_int_equal(inst.depbar_index, DEPBAR_GROUPS);
    assert_int_equal(inst.depbar_count, 1);
    assert_int_equal(lower(80, 0x0000000000007992, 0x3000).scope, 2);
    assert_int_equal(lower(80, 0x000000640000795d, 0x3800000).sleep, 100);
}

static void kinds_of_atomics(void **state)
{
    (void)state;
    static const struct {
        uint64_t low, high;
        enum inst_atomic kind;
    } words[] = {
        {0x000000040005738d, 0x000fe20000000005, ATOMIC_CAS},     /* ATOMS.CAS */
        {0x00000004020573a9, 0x000ea200001ee105, ATOMIC_CAS},     /* ATOMG.E.CAS */
        {0x000000070400798e, 0x0001e4000c10e186, ATOMIC_INTEGER}, /* REDG.E.ADD.STRONG */
        {0x00000007021479a3, 0x000ea800081ef3c6, ATOMIC_FLOAT},   /* ATOMG.E.ADD.F32 */
        {0x00000007040079a6, 0x0001e4000c10e186, ATOMIC_FLOAT},   /* REDG.E.ADD.F16x2 */
        {0x000000001dff7f8c, 0x000fe2000d80003f, ATOMIC_COUNT},   /* ATOMS.POPC.INC.32 */
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_int_equal(lower(90, words[i].low, words[i].high).atomic, words[i].kind);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Words that no compiler made: something is said of each, within bounds. */
static void any_word_is_decoded(void **state)
{
    (void)state;
    uint64_t seed = 0x9e3779b97f4a7c15;
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t low = next_random(&seed), high = next_random(&seed);
        struct sass_inst inst = decode(sms[i % SMS], low, high);
        struct inst lowered;
        char text[512];
        int length = sass_text(&inst, text, sizeof text);
        assert_in_range(length, 1, sizeof text - 1);
        assert_int_equal(strlen(text), length);
        sass_lower(&inst, &lowered);
        assert_in_range(lowered.op, 0, SIMSM_OP_COUNT - 1);
        for (unsigned j = 0; j < lowered.n_sources; j++)
            assert_in_range(lowered.source[j].first + lowered.source[j].count, 1, REG_COUNT);
        for (unsigned j = 0; j < lowered.n_destinations; j++)
            assert_in_range(lowered.destination[j].first + lowered.destination[j].count, 1,
                            REG_COUNT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_atomics),
        cmocka_unit_test(tables_are_understood),
        cmocka_unit_test(listing_is_reproduced),
        cmocka_unit_test(operands_have_roles),
        cmocka_unit_test(modifiers_have_one_meaning),
        cmocka_unit_test(unknown_bits_are_reported),
        cmocka_unit_test(text_is_cut_off),
        cmocka_unit_test(control_bits_are_decoded),
        cmocka_unit_test(registers_are_lowered),
        cmocka_unit_test(control_flow_is_lowered),
        cmocka_unit_test(any_word_is_decoded),
    };
    const struct CMUnitTest comparison[] = {cmocka_unit_test(listing_is_reproduced)};
    if (getenv("SASS_LISTING"))
        return cmocka_run_group_tests(comparison, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
