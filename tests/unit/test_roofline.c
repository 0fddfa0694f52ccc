/* The roofline and the costly lines, from statistics made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "report/costly.h"
#include "report/roofline.h"
#include "unit/synthetic_stats.h"

static void is(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, expected %.12g", value, expected);
}

/* 532,000 multiply-adds of threads in 11,000 ns; 2 SMs start an FFMA every 2 cycles in 4 pipes. */
static void multiply_adds_count_twice(void **state)
{
    (void)state;
    struct synthetic s;
    struct roofline r;
    synthetic_fill(&s);
    s.lines[0].threads_off = 32000;
    roofline_compute(&s.config, &s.stats, &r);
    is(r.type[FLOP_TYPE_FP32].flop, 1e6);
    is(r.type[FLOP_TYPE_FP32].rate, 1e6 / 11000);
    is(r.type[FLOP_TYPE_FP32].peak, 2 * 32 * 2 * 4 / 2.0);
    is(r.level[ROOFLINE_DRAM].bytes, 110000);
    is(r.level[ROOFLINE_L2].bytes, 12000 * 32);
    is(r.level[ROOFLINE_L1].bytes, 16000 * 32 + 1000 * 128);
    is(r.level[ROOFLINE_L1].bandwidth, 2 * 128);
    assert_true(r.type[FLOP_TYPE_FP64].flop == 0 && r.type[FLOP_TYPE_FP16].flop == 0);
}

static void the_lower_roof_limits(void **state)
{
    (void)state;
    struct synthetic s;
    struct roofline r;
    synthetic_fill(&s);
    roofline_compute(&s.config, &s.stats, &r);
    assert_int_equal(roofline_limit(&r, FLOP_TYPE_FP32), ROOFLINE_LEVELS);
    s.config.dram_bandwidth_gbs = 10; /* 10 bytes a cycle is what the launch moves */
    roofline_compute(&s.config, &s.stats, &r);
    assert_int_equal(roofline_limit(&r, FLOP_TYPE_FP32), ROOFLINE_DRAM);
    const struct roofline_point point = roofline_at(&r, FLOP_TYPE_FP32, ROOFLINE_DRAM);
    is(point.intensity, 1064000 / 110000.0);
    is(point.share, 100);
    assert_true(point.memory_bound);
}

static void products_have_the_operations_of_their_shape(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum simsm_op_class op;
        enum flop_type type;
        double flop; /* of a warp instruction */
    } cases[] = {
        {"HMMA.16816.F32 R4, R8, R4, RZ", SIMSM_OP_HMMA, FLOP_TYPE_TENSOR, 2 * 16 * 8 * 16},
        {"@P0 HMMA.1688.F32 R4, R8, R4, RZ", SIMSM_OP_HMMA, FLOP_TYPE_TENSOR, 2 * 16 * 8 * 8},
        {"HMMA.884.F32.STEP0 R4, R8, R4, RZ", SIMSM_OP_HMMA, FLOP_TYPE_TENSOR, 2 * 8 * 8 * 4},
        {"HGMMA.64x256x16.F32 R24, gdesc[UR4]", SIMSM_OP_GMMA, FLOP_TYPE_TENSOR, 2 * 16 * 256 * 16},
        {"DMMA.884 R4, R8, R4, R2", SIMSM_OP_DMMA, FLOP_TYPE_TENSOR_FP64, 2 * 8 * 8 * 4},
        {"IMMA.16832.S8.S8 R4, R8, R4, RZ", SIMSM_OP_IMMA, FLOP_TYPE_TENSOR, 0},
        {"HFMA2.MMA R5, -RZ, RZ, 0, 0", SIMSM_OP_HFMA2_MMA, FLOP_TYPE_FP16, 0},
        {"HFMA2 R5, R5, R6, R7", SIMSM_OP_FP16, FLOP_TYPE_FP16, 4 * 28},
        {"@!P1 DADD R2, R2, R4", SIMSM_OP_FP64, FLOP_TYPE_FP64, 28},
        {"FADD2 R2, R2, R4", SIMSM_OP_FP32, FLOP_TYPE_FP32, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct synthetic s;
        struct roofline r;
        synthetic_fill(&s);
        s.info[0].text = cases[i].text;
        s.info[0].op = cases[i].op;
        roofline_compute(&s.config, &s.stats, &r);
        if (r.type[cases[i].type].flop != 19000 * cases[i].flop)
            fail_msg("%s: %g", cases[i].text, r.type[cases[i].type].flop / 19000);
    }
}

static void source_lines_are_sums(void **state)
{
    (void)state;
    struct synthetic s;
    uint32_t count;
    synthetic_fill(&s);
    s.lines[1].sectors_least = 4000;
    s.lines[1].sector_hits = 8000;
    struct costly_line *lines = costly_lines(&s.stats, COSTLY_INSTRUCTIONS, &count);
    assert_non_null(lines);
    assert_int_equal(count, 2);
    assert_int_equal(lines[0].line, 1); /* the hottest */
    is(costly_sectors(&lines[0]), 16);
    is(costly_sectors_least(&lines[0]), 4);
    is(costly_hit_percent(&lines[0]), 50);
    assert_true(isnan(costly_sectors(&lines[1])));
    free(lines);
    s.info[0].file = s.info[1].file = "a.cu";
    s.info[0].line = s.info[1].line = 3;
    lines = costly_lines(&s.stats, COSTLY_SOURCE, &count);
    assert_non_null(lines);
    assert_int_equal(count, 1);
    assert_int_equal(lines[0].cycles, 150000);
    is(costly_sectors(&lines[0]), 16); /* of its memory instructions alone */
    enum simsm_warp_state order[COSTLY_STATES];
    assert_int_equal(costly_states(&lines[0], order), 3);
    assert_int_equal(order[0], SIMSM_STATE_LONG_SCOREBOARD);
    assert_int_equal(order[1], SIMSM_STATE_WAIT);
    free(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiply_adds_count_twice),
        cmocka_unit_test(the_lower_roof_limits),
        cmocka_unit_test(products_have_the_operations_of_their_shape),
        cmocka_unit_test(source_lines_are_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
