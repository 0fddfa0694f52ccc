/* Text traces: the order in which warps run what is written, and with which lanes. */
#include "trace_fixture.h"

static void straight_code(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "FFMA R1, R2, R3, R1\nIADD3 R4, R4, 1, RZ\n");
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, all, 0}, {2, all, all, L});
    assert_int_equal(front->code_size, 3);
    assert_int_equal(front->code[0].op, SIMSM_OP_FP32);
    assert_int_equal(front->code[1].pc, 16);
    assert_int_equal(front->code[1].line, 9);
    assert_int_equal(front->code[2].op, SIMSM_OP_EXIT);
    assert_string_equal(front->text[0], "FFMA R1, R2, R3, R1");
    assert_string_equal(front->text[2], "EXIT");
    assert_string_equal(front->launch.name, "t");
    assert_int_equal(front->launch.registers, 64);
    assert_int_equal(front->launch.carveout, SIMSM_CARVEOUT_DEFAULT);
    front_close(front);
}

static void repeat_costs_nothing(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "repeat 2 { NOP\n repeat 3 { MOV R1, R2 } }\n"
                                           "repeat 0 { NOP }\n");
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, all, T}, {1, all, all, T}, {1, all, all, T},
           {0, all, all, 0}, {1, all, all, T}, {1, all, all, T}, {1, all, all, T},
           {3, all, all, L});
    front_close(front);
}

/* A repeat in which a warp finds nothing to do must not keep it busy. */
static void empty_repeat_ends(void **state)
{
    (void)state;
    struct front *front = open_text(
        HEADER "repeat 4000000000 { repeat 4000000000 { warps 0 { NOP } } }\nMOV R1, R2\n");
    EXPECT(front, 0, 1, {1, all, all, 0}, {2, all, all, L});
    front_close(front);
}

static void uniform_loop(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "loop @P1 3 { NOP }\n");
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, all, T}, {0, all, all, 0}, {1, all, all, T},
           {0, all, all, 0}, {1, all, 0, 0}, {2, all, all, L});
    assert_true(front->code[1].conditional);
    assert_int_equal(front->code[1].n_sources, 1);
    assert_int_equal(front->code[1].source[0].first, REG_P0 + 1);
    assert_string_equal(front->text[1], "@P1 BRA 0x0000");
    front_close(front);
}

/* Trips by warp; warp 1 makes none and the guard's branch skips the loop. */
static void loop_by_warp(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "loop 2 - 2*warp { NOP }\n");
    EXPECT(front, 0, 0, {0, all, 0, 0}, {1, all, all, 0}, {2, all, all, T}, {1, all, all, 0},
           {2, all, 0, 0}, {3, all, all, L});
    EXPECT(front, 0, 1, {0, all, all, T}, {3, all, all, L});
    front_close(front);
}

/* Sixteen nested branches hold barriers B0 to B15 open at once; each branch sheds lanes. */
static void branches_as_deep_as_allowed(void **state)
{
    (void)state;
    enum { DEEP = 16, INNERMOST = 2 * DEEP, EXITS = INNERMOST + 1 + DEEP };
    char text[1024];
    int length = snprintf(text, sizeof text, HEADER);
    for (int level = 0; level < DEEP; level++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "lanes 0-%d { ", DEEP - level);
    length += snprintf(text + length, sizeof text - (size_t)length, "NOP");
    for (int level = 0; level < DEEP; level++)
        length += snprintf(text + length, sizeof text - (size_t)length, " }");
    struct front *front = open_text(text);
    void *stream = begin(front, 0, 0);
    unsigned runs[EXITS + 1] = {0};
    struct warp_inst inst;
    do {
        front->ops->warp_next(front, stream, &inst);
        assert_in_range(inst.index, 0, EXITS);
        runs[inst.index]++;
        if (inst.index == INNERMOST)
            assert_int_equal(inst.active, 3);
    } while (!(inst.flags & L));
    assert_int_equal(inst.index, EXITS);
    assert_int_equal(inst.active, all);
    for (unsigned i = 0; i <= EXITS; i++) /* both sides of each branch come to its BSYNC */
        assert_int_equal(runs[i], i > INNERMOST && i < EXITS ? 2 : 1);
    free(stream);
    front_close(front);
}

/* Lanes 0-7: 1 trip, 8-15: 2 trips, others 3: those that leave wait at BSYNC. */
static void divergent_loop(void **state)
{
    (void)state;
    const char *text = HEADER "loop lane < 8 ? 1 : lane < 16 ? 2 : 3 { NOP }\n";
    struct front *front = open_text(text);
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, all, 0}, {2, all, 0xffffff00, D},
           {3, 0xff, 0xff, T}, {1, 0xffffff00, 0xffffff00, 0}, {2, 0xffffff00, 0xffff0000, D},
           {3, 0xff00, 0xff00, T}, {1, 0xffff0000, 0xffff0000, 0}, {2, 0xffff0000, 0, 0},
           {3, 0xffff0000, 0xffff0000, 0}, {4, all, all, L});
    assert_string_equal(front->text[0], "BSSY B0, 0x0040");
    front_close(front);
}

/* If the side with more lanes goes first, lanes that leave wait until the loop is over. */
static void divergent_loop_more_first(void **state)
{
    (void)state;
    struct simsm_config config = rules(SIMSM_BARRIER_divergence_model, SIMSM_MORE_divergence_first);
    struct front *front =
        open_with(HEADER "loop lane < 8 ? 1 : lane < 16 ? 2 : 3 { NOP }\n", &config, NULL);
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, all, 0}, {2, all, 0xffffff00, D | T},
           {1, 0xffffff00, 0xffffff00, 0}, {2, 0xffffff00, 0xffff0000, D | T},
           {1, 0xffff0000, 0xffff0000, 0}, {2, 0xffff0000, 0, 0}, {3, 0xffff0000, 0xffff0000, T},
           {3, 0xff00, 0xff00, T}, {3, 0xff, 0xff, 0}, {4, all, all, L});
    front_close(front);
}

/* All lanes leave early, one after another, and a guard keeps lane 0 out. */
static void loop_of_every_length(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "loop lane { NOP }\n");
    void *cursor = begin(front, 0, 0);
    struct warp_inst inst;
    uint32_t nops = 0, syncs = 0, divergent = 0;
    do {
        front->ops->warp_next(front, cursor, &inst);
        nops += front->code[inst.index].op == SIMSM_OP_NOP;
        syncs += inst.index == 4;
        divergent += (inst.flags & D) != 0;
    } while (!(inst.flags & L));
    assert_int_equal(nops, 31);
    assert_int_equal(syncs, 32); /* each lane arrives alone */
    assert_int_equal(divergent, 31);
    assert_int_equal(inst.active, all);
    free(cursor);
    front_close(front);
}

static void branch_sides(void **state)
{
    (void)state;
    const char *text = HEADER "lanes @P2 0-15,20 { MOV R1, R2 } else { MOV R3, R4 }\n";
    struct front *front = open_text(text);
    /* 17 lanes in the set: the 15 others are fewer and go first */
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0xffef0000, D | T},
           {4, 0xffef0000, 0xffef0000, 0}, {5, 0xffef0000, 0xffef0000, T},
           {2, 0x0010ffff, 0x0010ffff, 0}, {3, 0x0010ffff, 0x0010ffff, T},
           {5, 0x0010ffff, 0x0010ffff, 0}, {6, all, all, L});
    assert_string_equal(front->text[0], "BSSY B0, 0x0060");
    assert_string_equal(front->text[1], "@!P2 BRA 0x0040");
    assert_string_equal(front->text[3], "BRA 0x0050");
    assert_string_equal(front->text[5], "BSYNC B0");
    assert_int_equal(front->code[1].op, SIMSM_OP_BRANCH);
    assert_true(front->code[1].conditional);
    assert_false(front->code[3].conditional);
    assert_int_equal(front->code[5].op, SIMSM_OP_BSYNC);
    front_close(front);
}

static void tie_falls_through(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "lanes 0-15 { NOP } else { NOP }\n");
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0xffff0000, D}, {2, 0xffff, 0xffff, 0},
           {3, 0xffff, 0xffff, T}, {5, 0xffff, 0xffff, T}, {4, 0xffff0000, 0xffff0000, 0},
           {5, 0xffff0000, 0xffff0000, 0}, {6, all, all, L});
    front_close(front);
}

static void side_by_configuration(void **state)
{
    (void)state;
    static const struct {
        enum simsm_divergence_first first;
        uint32_t lanes; /* of the side that runs first */
    } cases[] = {{SIMSM_FEWER_divergence_first, 0xff},
                 {SIMSM_MORE_divergence_first, 0xffffff00},
                 {SIMSM_FALL_THROUGH_divergence_first, 0xff},
                 {SIMSM_TAKEN_divergence_first, 0xffffff00}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct simsm_config config = rules(SIMSM_BARRIER_divergence_model, cases[i].first);
        struct front *front =
            open_with(HEADER "lanes 0-7 { NOP } else { MOV R1, R2 }\n", &config, NULL);
        void *cursor = begin(front, 0, 0);
        struct warp_inst inst;
        for (int n = 0; n < 3; n++)
            front->ops->warp_next(front, cursor, &inst);
        assert_int_equal(inst.active, cases[i].lanes);
        free(cursor);
        front_close(front);
    }
}

static void agreeing_lanes(void **state)
{
    (void)state;
    struct front *front =
        open_text(HEADER "if (thread < 32) { NOP } else { MOV R1, R2 }\nif (block == 1) { NOP }\n");
    /* lanes could disagree, but do not; of the second the compiler knows: no barrier */
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0, 0}, {2, all, all, 0}, {3, all, all, T},
           {5, all, all, 0}, {6, all, all, T}, {8, all, all, L});
    EXPECT(front, 1, 1, {0, all, all, 0}, {1, all, all, T}, {4, all, all, 0}, {5, all, all, 0},
           {6, all, 0, 0}, {7, all, all, 0}, {8, all, all, L});
    assert_string_equal(front->text[6], "@!(block == 1) BRA 0x0080");
    front_close(front);
}

static void nested_branches(void **state)
{
    (void)state;
    struct front *front =
        open_text(HEADER "lanes 0-15 {\n lanes 0-3 { NOP }\n MOV R1, R2\n} else if (lane < 24) {\n"
                         " NOP\n}\n");
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0xffff0000, D}, {2, 0xffff, 0xffff, 0},
           {3, 0xffff, 0xfff0, D}, {4, 0xf, 0xf, 0}, {5, 0xf, 0xf, T}, {5, 0xfff0, 0xfff0, 0},
           {6, 0xffff, 0xffff, 0}, {7, 0xffff, 0xffff, T}, {12, 0xffff, 0xffff, T},
           {8, 0xffff0000, 0xffff0000, 0}, {9, 0xffff0000, 0xff000000, D},
           {10, 0xff0000, 0xff0000, 0}, {11, 0xff0000, 0xff0000, T},
           {11, 0xff000000, 0xff000000, 0}, {12, 0xffff0000, 0xffff0000, 0}, {13, all, all, L});
    front_close(front);
}

/* The stack names its instructions otherwise; structured code runs in the same order. */
static void stack_model(void **state)
{
    (void)state;
    struct simsm_config config =
        rules(SIMSM_STACK_divergence_model, SIMSM_FALL_THROUGH_divergence_first);
    struct front *front =
        open_with(HEADER "lanes 0-7 { NOP } else { MOV R1, R2 }\nloop 1 + lane / 16 { NOP }\n",
                  &config, NULL);
    assert_string_equal(front->text[0], "SSY 0x0060");
    assert_string_equal(front->text[5], "SYNC");
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0xffffff00, D}, {2, 0xff, 0xff, 0},
           {3, 0xff, 0xff, T}, {5, 0xff, 0xff, T}, {4, 0xffffff00, 0xffffff00, 0},
           {5, 0xffffff00, 0xffffff00, 0}, {6, all, all, 0}, {7, all, all, 0},
           {8, all, 0xffff0000, D}, {9, 0xffff, 0xffff, T}, {7, 0xffff0000, 0xffff0000, 0},
           {8, 0xffff0000, 0, 0}, {9, 0xffff0000, 0xffff0000, 0}, {10, all, all, L});
    front_close(front);
}

static void early_exit(void **state)
{
    (void)state;
    const char *text = HEADER "lanes 0-7 { EXIT } else { NOP }\nMOV R1, R2\n"
                              "@P0{8-15} EXIT\nlanes 16-31 { EXIT }\n";
    for (int model = 0; model < SIMSM_COUNT_divergence_model; model++) {
        struct simsm_config config =
            rules((enum simsm_divergence_model)model, SIMSM_FEWER_divergence_first);
        struct front *front = open_with(text, &config, NULL);
        EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0xffffff00, D}, {2, 0xff, 0xff, T},
               {4, 0xffffff00, 0xffffff00, 0}, {5, 0xffffff00, 0xffffff00, 0},
               {6, 0xffffff00, 0xffffff00, 0}, {7, 0xffffff00, 0xff00, 0},
               {8, 0xffff0000, 0xffff0000, 0}, {9, 0xffff0000, 0, 0},
               {10, 0xffff0000, 0xffff0000, L});
        front_close(front);
    }
}

/* Lanes that wait at a barrier go on when the last of the others exits. */
static void exit_opens_barrier(void **state)
{
    (void)state;
    for (int model = 0; model < SIMSM_COUNT_divergence_model; model++) {
        struct simsm_config config =
            rules((enum simsm_divergence_model)model, SIMSM_FEWER_divergence_first);
        struct front *front =
            open_with(HEADER "lanes 0-7 { NOP } else { EXIT }\nNOP\n", &config, NULL);
        EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0xffffff00, D}, {2, 0xff, 0xff, 0},
               {3, 0xff, 0xff, T}, {5, 0xff, 0xff, T}, {4, 0xffffff00, 0xffffff00, T},
               {6, 0xff, 0xff, 0}, {7, 0xff, 0xff, L});
        front_close(front);
    }
}

static void choices_of_warps_and_blocks(void **state)
{
    (void)state;
    struct front *front =
        open_text(HEADER "warps 1 { NOP } else { MOV R1, R2 }\nblocks 0,2-3 { NOP }\n"
                         "warps (warp == 0 && block == 1) { NOP }\n");
    EXPECT(front, 0, 0, {1, all, all, 0}, {2, all, all, T}, {4, all, all, L});
    EXPECT(front, 1, 0, {1, all, all, T}, {3, all, all, 0}, {4, all, all, L});
    EXPECT(front, 3, 1, {0, all, all, T}, {2, all, all, T}, {4, all, all, L});
    front_close(front);
}

static void partial_warps(void **state)
{
    (void)state;
    struct front *front = open_text("kernel t\ngrid 1\nblock 40, 2\nregisters 16\n"
                                    "if (tid.y == 1 && tid.x == 39) { NOP }\n");
    assert_int_equal(simsm_block_warps(&front->launch), 3);
    EXPECT(front, 0, 2, {0, 0xffff, 0xffff, 0}, {1, 0xffff, 0x7fff, D}, {2, 0x8000, 0x8000, 0},
           {3, 0x8000, 0x8000, T}, {3, 0x7fff, 0x7fff, 0}, {4, 0xffff, 0xffff, L});
    front_close(front);
}

static void guards(void **state)
{
    (void)state;
    struct front *front = open_text(
        HEADER "@P0 MOV R1, R2\n@!P1{0-3,31} MOV R1, R2\n@P2(lane % 2 == 1) MOV R1, R2\n");
    EXPECT(front, 0, 0, {0, all, all, 0}, {1, all, 0x8000000f, 0}, {2, all, 0xaaaaaaaa, 0},
           {3, all, all, L});
    assert_int_equal(front->code[1].source[1].first, REG_P0 + 1);
    assert_string_equal(front->text[1], "@!P1{0-3,31} MOV R1, R2");
    front_close(front);
}

static void random_conditions_repeat(void **state)
{
    (void)state;
    const char *text = HEADER "loop 64 { if (random(4) == 0) { NOP } }\n";
    uint32_t sum[2] = {0, 0}, different = 0, last = 0;
    for (int run = 0; run < 2; run++) {
        struct front *front = open_text(text);
        void *cursor = begin(front, 2, 1);
        struct warp_inst inst;
        do {
            front->ops->warp_next(front, cursor, &inst);
            if (inst.index == 1) {
                sum[run] += 32u - (uint32_t)__builtin_popcount(inst.exec);
                different += inst.exec != last;
                last = inst.exec;
            }
        } while (!(inst.flags & L));
        free(cursor);
        front_close(front);
    }
    assert_int_equal(sum[0], sum[1]);
    assert_in_range(sum[0], 64 * 8 - 80, 64 * 8 + 80); /* 2048 draws, p = 1/4, 4 sigma */
    assert_true(different > 100);                      /* fresh in every iteration */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_code),
        cmocka_unit_test(repeat_costs_nothing),
        cmocka_unit_test(empty_repeat_ends),
        cmocka_unit_test(uniform_loop),
        cmocka_unit_test(loop_by_warp),
        cmocka_unit_test(branches_as_deep_as_allowed),
        cmocka_unit_test(divergent_loop),
        cmocka_unit_test(divergent_loop_more_first),
        cmocka_unit_test(loop_of_every_length),
        cmocka_unit_test(branch_sides),
        cmocka_unit_test(tie_falls_through),
        cmocka_unit_test(side_by_configuration),
        cmocka_unit_test(agreeing_lanes),
        cmocka_unit_test(nested_branches),
        cmocka_unit_test(stack_model),
        cmocka_unit_test(early_exit),
        cmocka_unit_test(exit_opens_barrier),
        cmocka_unit_test(choices_of_warps_and_blocks),
        cmocka_unit_test(partial_warps),
        cmocka_unit_test(guards),
        cmocka_unit_test(random_conditions_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
