/* Text traces: registers, addresses, expressions, and what single instructions carry. */
#include "trace_fixture.h"

static void random_with_key_is_a_function(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "loop 2 {\nLDG R1, [a + 4*random(1024, thread)]\n"
                                           "LDG R1, [a + 4*random(1024, thread)]\n}\n");
    struct lane_addresses first = addresses_at(front, 0, 1, 0, 1);
    struct lane_addresses again = addresses_at(front, 3, 1, 1, 2);
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(lane_address(&first, l), lane_address(&again, l));
    front_close(front);
}

static void affine_addresses(void **state)
{
    (void)state;
    struct front *front = open_text(
        HEADER "param k = 3\nLDG R1, [R2 + a + 4*thread]\nLDG.128 R4, [a + 16*(63 - thread)]\n"
               "loop 3 as i { repeat 2 as j { LDS R1, [512*i + 64*j + 4*lane] } }\n"
               "LDG R1, [a + 4*(block*threads + thread) + k]\nLDG R1, [a]\n"
               "LDG R1, [a + 4*lane + 8*(block % 3)]\n");
    struct lane_addresses got = addresses_at(front, 0, 1, 0, 1);
    assert_int_equal(front->memory.buffers, 1);
    const struct front_buffer a = front->memory.buffer[0];
    expect_affine(&got, a.base + 128, 4);
    got = addresses_at(front, 0, 0, 1, 1);
    expect_affine(&got, a.base + 16 * 63, -16);
    got = addresses_at(front, 0, 0, 2, 4);
    expect_affine(&got, 512 + 64, 4);
    got = addresses_at(front, 2, 1, 4, 1);
    expect_affine(&got, a.base + 4 * (2 * 64 + 32) + 3, 4);
    got = addresses_at(front, 0, 0, 5, 1);
    expect_affine(&got, a.base, 0);
    got = addresses_at(front, 2, 0, 6, 1);
    expect_affine(&got, a.base + 16, 4);
    front_close(front);
}

static void listed_addresses(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "loop 5 as i { loop 1 + lane % 2 { repeat 3 as j {\n"
                                           "LDS R1, [128*i + 4*((lane * (j + 1)) % 32)]\n} } }\n");
    /* 4 iterations of two trips of 3, then the 2nd of the next first trip */
    struct lane_addresses got = addresses_at(front, 0, 0, 1, 4 * 6 + 2);
    assert_false(got.affine);
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(got.lane[l], 128 * 4 + 4 * ((l * 2) % 32));
    front_close(front);
}

static void block_shapes(void **state)
{
    (void)state;
    struct front *front = open_text("kernel t\ngrid 3, 2, 2\nblock 8, 4, 2\nregisters 16\n"
                                    "LDG R1, [tid.x + 100*tid.y + 1000*tid.z]\n"
                                    "LDG R1, [ctaid.x + 10*ctaid.y + 100*ctaid.z + 1000*block]\n");
    struct lane_addresses got = addresses_at(front, 0, 1, 0, 1);
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(lane_address(&got, l), l % 8 + 100 * (l / 8) + 1000);
    got = addresses_at(front, 11, 0, 1, 1);
    expect_affine(&got, 2 + 10 + 100 + 11000, 0);
    front_close(front);
    front =
        open_text("kernel t\ngrid 1\nblock 64, 4\nregisters 16\nLDG R1, [tid.x + 1000*tid.y]\n");
    got = addresses_at(front, 0, 5, 0, 1); /* a warp lies in one row: affine */
    expect_affine(&got, 32 + 2000, 1);
    front_close(front);
}

static void local_memory(void **state)
{
    (void)state;
    struct front *front = open_text(HEADER "LDL R1, [8]\nSTL.64 [8], R2\nLDL R1, [4*(lane % 2)]\n");
    uint64_t base = front->memory.local_base;
    uint64_t warp = base + (3 * 2 + 1) * 64 * 32;
    struct lane_addresses got = addresses_at(front, 3, 1, 0, 1);
    expect_affine(&got, warp + 8 * 32, 4);
    got = addresses_at(front, 3, 1, 1, 1); /* of the first of two words */
    expect_affine(&got, warp + 8 * 32, 4);
    got = addresses_at(front, 3, 1, 2, 1);
    assert_int_equal(lane_address(&got, 3), warp + 4 * 32 + 3 * 4);
    front_close(front);
}

/* A chase visits every place once before it repeats, and threads walk independently. */
static void chase_is_a_cycle(void **state)
{
    (void)state;
    enum { PLACES = 64 };
    struct front *front =
        open_text(HEADER "repeat 2 { loop 64 { LDG R4, [R4 + chase(a, 64*32, 32)] } }\n");
    const struct front_buffer a = front->memory.buffer[0];
    unsigned seen[PLACES] = {0}, follow[PLACES] = {0}, last = 0, sequential = 0;
    for (unsigned n = 1; n <= 2 * PLACES; n++) {
        struct lane_addresses got = addresses_at(front, 0, 0, 0, n);
        unsigned place = (unsigned)((got.lane[5] - a.base) / 32);
        assert_int_equal((got.lane[5] - a.base) % 32, 0);
        assert_in_range(place, 0, PLACES - 1);
        seen[place]++;
        sequential += n > 1 && place == last + 1;
        if (n > 1 && follow[last])
            assert_int_equal(follow[last], place + 1); /* a function of the place before */
        if (n > 1)
            follow[last] = place + 1;
        last = place;
    }
    for (unsigned i = 0; i < PLACES; i++)
        assert_int_equal(seen[i], 2);
    assert_true(sequential < PLACES / 4);
    front_close(front);
}

static void registers_of_instructions(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum simsm_op_class op;
        unsigned width, destination, source; /* registers, in all */
    } cases[] = {
        {"LDG.E.128 R4, [R2.64 + a]", SIMSM_OP_LD_GLOBAL, 16, 4, 2},
        {"LDG.U8 R4, [R2 + a]", SIMSM_OP_LD_GLOBAL, 1, 1, 1},
        {"STG.64 [R2.64 + a], R6", SIMSM_OP_ST_GLOBAL, 8, 0, 4},
        {"@P1 ATOMG.CAS R1, [a], R2, R3", SIMSM_OP_ATOM_GLOBAL, 4, 1, 3},
        {"RED.ADD [a], R2", SIMSM_OP_RED_GLOBAL, 4, 0, 1},
        {"DFMA R2, R4, R6, R2", SIMSM_OP_FP64, 0, 2, 6},
        {"HMMA.16816.F32 R4, R8, R12, R4", SIMSM_OP_HMMA, 0, 4, 10},
        {"HMMA.1688.F16 R4, R8, R12, R4", SIMSM_OP_HMMA, 0, 2, 5},
        {"IMAD.WIDE R2, R4, R5, R6", SIMSM_OP_IMAD_WIDE, 0, 2, 4},
        {"IMAD R2, R4, 4, RZ", SIMSM_OP_IMAD, 0, 1, 1},
        {"F2F.F64.F32 R2, R4", SIMSM_OP_CONVERT, 0, 2, 1},
        {"I2F.F64 R2, R4", SIMSM_OP_CONVERT, 0, 2, 1},
        {"F2I.F64 R2, R4", SIMSM_OP_CONVERT, 0, 1, 2},
        {"ISETP.GE.AND P0, PT, R1, R2, PT", SIMSM_OP_INT, 0, 1, 2},
        {"SHFL.BFLY PT, R1, R2, 16, 0x1f", SIMSM_OP_SHUFFLE, 0, 1, 1},
        {"VOTE.ANY R1, PT, P0", SIMSM_OP_VOTE, 0, 1, 1},
        {"UIADD3 UR4, UR5, 1, URZ", SIMSM_OP_UNIFORM, 0, 1, 1},
        {"LDGSTS.E.128 [R1], [R2.64 + a]", SIMSM_OP_COPY_ASYNC, 16, 0, 3},
        {"LDSM.16.M88.4 R4, [R1 + 16*lane]", SIMSM_OP_LD_SHARED, 16, 4, 1},
        {"MUFU.RCP R1, |R2|", SIMSM_OP_XU, 0, 1, 1},
        {"FADD R1, -R2, -1.5e-3", SIMSM_OP_FP32, 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s%s\n", HEADER, cases[i].line);
        struct front *front = open_text(text);
        const struct inst *inst = &front->code[0];
        unsigned destination = 0, source = 0;
        for (unsigned r = 0; r < inst->n_destinations; r++)
            destination += inst->destination[r].count;
        for (unsigned r = 0; r < inst->n_sources; r++)
            source += inst->source[r].count;
        if (inst->op != cases[i].op || inst->width != cases[i].width ||
            destination != cases[i].destination || source != cases[i].source)
            fail_msg("%s: class %s, width %u, %u destinations, %u sources", cases[i].line,
                     simsm_ops[inst->op].name, inst->width, destination, source);
        front_close(front);
    }
}

static void control_bits(void **state)
{
    (void)state;
    struct front *front = open_text(
        HEADER "FFMA R1, R2.reuse, R3, R1 ; stall=4 yield\nLDG R4, [a] ; write=0 read=3 wait=1,5\n"
               "NOP\nlanes 0 { NOP }\n");
    const struct inst *code = front->code;
    assert_true(code[0].control.present && code[0].control.yield);
    assert_int_equal(code[0].control.stall, 4);
    assert_int_equal(code[0].source[0].reuse, 1);
    assert_int_equal(code[0].source[1].reuse, 0);
    assert_int_equal(code[0].control.write_barrier, 7);
    assert_int_equal(code[1].control.write_barrier, 0);
    assert_int_equal(code[1].control.read_barrier, 3);
    assert_int_equal(code[1].control.wait_mask, 1 << 1 | 1 << 5);
    assert_true(code[2].control.present); /* one has them, so all have */
    assert_int_equal(code[2].control.stall, 1);
    assert_true(code[4].control.present); /* a branch that nobody wrote */
    assert_int_equal(code[4].control.stall, 5);
    assert_string_equal(front->text[0], "FFMA R1, R2.reuse, R3, R1");
    front_close(front);
    front = open_text(HEADER "NOP\n");
    assert_false(front->code[0].control.present);
    front_close(front);
}

static void barriers_fences_sleep(void **state)
{
    (void)state;
    struct simsm_config config =
        rules(SIMSM_BARRIER_divergence_model, SIMSM_FEWER_divergence_first);
    struct front *front =
        open_with(HEADER "BAR.SYNC 0\nBAR.ARV 3, 64\nMEMBAR.SC.GPU\nMEMBAR.SYS\nNANOSLEEP 100\n"
                         "LDGDEPBAR\nDEPBAR.LE GROUPS, 2\nDEPBAR.LE SB4, 1\n",
                  &config, NULL);
    const struct inst *code = front->code;
    assert_int_equal(code[0].barrier, 0);
    assert_int_equal(code[0].barrier_threads, 0);
    assert_int_equal(code[0].barrier_arrive, 0);
    assert_int_equal(code[1].barrier, 3);
    assert_int_equal(code[1].barrier_threads, 64);
    assert_int_equal(code[1].barrier_arrive, 1);
    assert_int_equal(code[2].scope, 1);
    assert_int_equal(code[3].scope, 2);
    assert_int_equal(code[4].sleep, 200); /* 100 ns at 2 GHz */
    assert_int_equal(code[5].depbar_index, DEPBAR_COMMIT);
    assert_int_equal(code[6].depbar_index, DEPBAR_GROUPS);
    assert_int_equal(code[6].depbar_count, 2);
    assert_int_equal(code[7].depbar_index, 4);
    front_close(front);
}

static void names_and_params(void **state)
{
    (void)state;
    static const char text[] = "param n = 2   # comment\nlet twice = 2*n // another\n"
                               "kernel names\ngrid twice, n\nblock 32\nregisters 255\n"
                               "shared 1K\ndynamic 0x10\ncarveout 50%\nlet mine = 8*lane + n\n"
                               "buffer a = 3M\nbuffer b = 100\nLDG R1, [b + mine]\n";
    static const char *const params[] = {"n=0x5", NULL};
    struct simsm_config config =
        rules(SIMSM_BARRIER_divergence_model, SIMSM_FEWER_divergence_first);
    struct front *front = open_with(text, &config, params);
    assert_int_equal(front->launch.grid[0], 10);
    assert_int_equal(front->launch.grid[1], 5);
    assert_int_equal(front->launch.grid[2], 1);
    assert_int_equal(front->launch.shared_static, 1024);
    assert_int_equal(front->launch.shared_dynamic, 16);
    assert_int_equal(front->launch.carveout, 32768);
    assert_int_equal(front->memory.buffers, 2);
    const struct front_buffer a = front->memory.buffer[0], b = front->memory.buffer[1];
    assert_string_equal(b.name, "b");
    assert_true(a.base % (2 << 20) == 0 && b.base >= a.base + a.bytes && b.base % 256 == 0);
    struct lane_addresses got = addresses_at(front, 0, 0, 0, 1);
    expect_affine(&got, b.base + 5, 8);
    front_close(front);
}

static void arithmetic_of_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        int64_t value;
    } cases[] = {
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {"7 / 2", 3},
        {"-7 % 4", -3},
        {"1 << 4 | 3", 19},
        {"6 & 3", 2},
        {"5 ^ 1", 4},
        {"~0", -1},
        {"!5", 0},
        {"3 < 4 && 4 <= 4", 1},
        {"2 > 3 || 3 >= 4", 0},
        {"1 ? 2 : 3", 2},
        {"min(3, 4)", 3},
        {"max(3, 4)", 4},
        {"0x10", 16},
        {"2K", 2048},
        {"1MiB", 1 << 20},
        {"100 - 10 - 1", 89},
        {"1 == 2", 0},
        {"1 != 2", 1},
        {"256 >> 4", 16},
        {"- -3", 3},
        {"2 * -3", -6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        /* once folded when read, once computed when run */
        (void)snprintf(text, sizeof text,
                       "%sLDG R1, [%s]\nLDG R1, [%s + 0*(lane %% 3)]\nloop 2 as one { repeat 1 {"
                       " LDG R1, [(%s)*(one*one)] } }\n",
                       HEADER, cases[i].expression, cases[i].expression, cases[i].expression);
        struct front *front = open_text(text);
        struct lane_addresses got = addresses_at(front, 0, 0, 0, 1);
        if ((int64_t)lane_address(&got, 7) != cases[i].value)
            fail_msg("%s: expected %lld, got %lld", cases[i].expression, (long long)cases[i].value,
                     (long long)lane_address(&got, 7));
        got = addresses_at(front, 0, 0, 2, 2);
        assert_int_equal((int64_t)lane_address(&got, 7), cases[i].value);
        front_close(front);
    }
}

/* Formulas of lanes against the same arithmetic in C. */
static void lanes_of_expressions(void **state)
{
    (void)state;
    struct front *front = open_text(
        HEADER "LDG R1, [lane / 3 * 5 + lane % 7 - (lane ^ 21)]\n"
               "LDG R1, [lane < 9 ? lane << 2 : -lane]\nLDG R1, [max(lane, 12) & (lane | 3)]\n"
               "LDG R1, [(lane - 16) / 4 + (lane - 16) % 5 + (lane - 16 >> 1)]\n"
               "LDG R1, [16 / (lane - 4) + lane % (lane & 1)]\n");
    struct lane_addresses got[5];
    for (uint32_t i = 0; i < 5; i++)
        got[i] = addresses_at(front, 0, 0, i, 1);
    for (int64_t l = 0; l < 32; l++) {
        unsigned lane = (unsigned)l;
        int64_t d = l - 16, half = d < 0 ? -((-d + 1) / 2) : d / 2;
        assert_int_equal((int64_t)lane_address(&got[0], lane), l / 3 * 5 + l % 7 - (l ^ 21));
        assert_int_equal((int64_t)lane_address(&got[1], lane), l < 9 ? l << 2 : -l);
        assert_int_equal((int64_t)lane_address(&got[2], lane), (l > 12 ? l : 12) & (l | 3));
        assert_int_equal((int64_t)lane_address(&got[3], lane), d / 4 + d % 5 + half);
        /* a division by 0 gives 0; a remainder by 0 or 1 too */
        assert_int_equal((int64_t)lane_address(&got[4], lane), l == 4 ? 0 : 16 / (l - 4));
    }
    front_close(front);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_with_key_is_a_function),
        cmocka_unit_test(affine_addresses),
        cmocka_unit_test(listed_addresses),
        cmocka_unit_test(block_shapes),
        cmocka_unit_test(local_memory),
        cmocka_unit_test(chase_is_a_cycle),
        cmocka_unit_test(registers_of_instructions),
        cmocka_unit_test(control_bits),
        cmocka_unit_test(barriers_fences_sleep),
        cmocka_unit_test(names_and_params),
        cmocka_unit_test(arithmetic_of_expressions),
        cmocka_unit_test(lanes_of_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
