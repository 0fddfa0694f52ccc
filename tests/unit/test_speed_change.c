/* Why one run is faster than another: the rules of report/speed_change.h on made-up sums. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "report/speed_change.h"

static const double NOISE = 0.01;

/* A kernel of 10,000 cycles on 10 SMs that waits for data most of the time. */
static struct speed_side kernel(void)
{
    struct speed_side side = {.clock_mhz = 1000,
                              .calls = 1,
                              .cycles = 10000,
                              .launch_cycles = 1000,
                              .blocks = 100,
                              .block_threads = 128,
                              .registers = 32,
                              .shared_bytes = 0,
                              .warps_most = 32};
    side.counter[SIMSM_COUNTER_INST_EXECUTED] = 50000;
    side.counter[SIMSM_COUNTER_THREAD_INST_EXECUTED] = 1600000;
    side.counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE] = 90000;
    side.counter[SIMSM_COUNTER_WARPS_ACTIVE] = 900000;
    side.counter[SIMSM_COUNTER_GLOBAL_LD_REQUESTS] = 1000;
    side.counter[SIMSM_COUNTER_GLOBAL_LD_SECTORS] = 4000;
    side.counter[SIMSM_COUNTER_GLOBAL_ST_REQUESTS] = 1000;
    side.counter[SIMSM_COUNTER_GLOBAL_ST_SECTORS] = 4000;
    side.state[SIMSM_STATE_ISSUED] = 50000;
    side.state[SIMSM_STATE_WAIT] = 150000;
    side.state[SIMSM_STATE_LONG_SCOREBOARD] = 600000;
    side.state[SIMSM_STATE_SHORT_SCOREBOARD] = 100000;
    return side;
}

/* Multiplies the time after the first block, and what grows with it, by `factor`, and gives all of
 * the difference to a state. */
static void stretch(struct speed_side *side, double factor, enum simsm_warp_state state)
{
    const double live = side->counter[SIMSM_COUNTER_WARPS_ACTIVE];
    side->state[state] += live * (factor - 1);
    side->counter[SIMSM_COUNTER_WARPS_ACTIVE] *= factor;
    side->counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE] *= factor;
    side->cycles = side->launch_cycles + (side->cycles - side->launch_cycles) * factor;
}

static void explains(const struct speed_side *a, const struct speed_side *b, const char *rule,
                     const char *sentence)
{
    struct speed_change change;
    speed_change_find(a, b, NOISE, &change);
    assert_true(change.causes > 0);
    assert_string_equal(change.cause[0].rule, rule);
    assert_string_equal(change.sentence, sentence);
}

static void test_nothing_changed(void **state)
{
    (void)state;
    struct speed_side a = kernel(), b = kernel();
    struct speed_change change;
    speed_change_find(&a, &b, NOISE, &change);
    assert_true(change.noise && change.causes == 0 && change.ratio == 1);
    assert_string_equal(change.sentence, "As fast, to the cycle");
    b.cycles *= 1.005;
    speed_change_find(&a, &b, NOISE, &change);
    assert_string_equal(change.sentence, "As fast: 0.5 % more time");
}

/* More sectors a store explain waits for data, and nothing if there are as many sectors in all. */
static void test_sectors(void **state)
{
    (void)state;
    struct speed_side a = kernel(), b = kernel();
    stretch(&b, 4, SIMSM_STATE_LONG_SCOREBOARD);
    b.counter[SIMSM_COUNTER_GLOBAL_ST_SECTORS] *= 8;
    explains(&a, &b, "STORE_SECTORS",
             "3.70 times slower; stores went from 4 to 32 sectors a request");
    explains(&b, &a, "STORE_SECTORS",
             "3.70 times faster; stores went from 32 to 4 sectors a request");
    b.counter[SIMSM_COUNTER_GLOBAL_ST_SECTORS] = 4000;
    b.counter[SIMSM_COUNTER_GLOBAL_ST_REQUESTS] = 125;
    explains(&a, &b, "long_scoreboard",
             "3.70 times slower; waiting for data from global, local or texture memory went from "
             "6.00 k to 33.0 k cycles");
}

/* A few stores beside many loads explain little, by whatever factor they grow. */
static void test_share_of_work(void **state)
{
    (void)state;
    struct speed_side a = kernel(), b = kernel();
    a.counter[SIMSM_COUNTER_GLOBAL_ST_REQUESTS] = a.counter[SIMSM_COUNTER_GLOBAL_ST_SECTORS] = 1;
    b.counter[SIMSM_COUNTER_GLOBAL_ST_REQUESTS] = b.counter[SIMSM_COUNTER_GLOBAL_ST_SECTORS] = 8;
    stretch(&b, 2, SIMSM_STATE_LONG_SCOREBOARD);
    struct speed_change change;
    speed_change_find(&a, &b, NOISE, &change);
    assert_string_equal(change.cause[0].rule, "long_scoreboard");
}

/* With half the warps on an SM, and as many cycles of each, the same takes twice the time. */
static void test_occupancy(void **state)
{
    (void)state;
    struct speed_side a = kernel(), b = kernel();
    b.cycles = 19000;
    b.counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE] *= 2;
    b.warps_most = 16;
    explains(&a, &b, "RESIDENT", "1.90 times slower; warps on a busy SM went from 10 to 5");
    b.registers = 64;
    explains(&a, &b, "REGISTERS", "1.90 times slower; registers went from 32 to 64 a thread");
}

/* Half the warps with a third of the cycles: fewer warps do not make a run faster. */
static void test_opposed_factor(void **state)
{
    (void)state;
    struct speed_side a = kernel(), b = kernel();
    for (unsigned s = 0; s < SIMSM_STATE_COUNT; s++)
        b.state[s] /= 2;
    b.state[SIMSM_STATE_SHORT_SCOREBOARD] = 0;
    b.counter[SIMSM_COUNTER_WARPS_ACTIVE] = 400000;
    b.counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE] = 80000;
    b.cycles = 9000;
    struct speed_change change;
    speed_change_find(&a, &b, NOISE, &change);
    assert_string_equal(change.cause[0].rule, "short_scoreboard");
}

static void test_launches(void **state)
{
    (void)state;
    struct speed_side a = kernel(), b = kernel(), more = kernel();
    speed_side_merge(&b, &more);
    explains(&a, &b, "LAUNCHES", "2.00 times slower; launches went from 1 to 2");
}

/* The causes of a difference never explain more than all parts that changed its way. */
static void test_shares(void **state)
{
    (void)state;
    struct speed_side a = kernel(), b = kernel();
    struct speed_change change;
    stretch(&b, 1.5, SIMSM_STATE_SHORT_SCOREBOARD);
    stretch(&b, 1.5, SIMSM_STATE_LONG_SCOREBOARD);
    speed_change_find(&a, &b, NOISE, &change);
    assert_int_equal(change.causes, 2);
    assert_true(fabs(change.cause[0].share + change.cause[1].share - 1) < 1e-9);
}

static void test_counters(void **state)
{
    (void)state;
    bool used[SIMSM_COUNTER_COUNT];
    speed_counters(used);
    assert_true(used[SIMSM_COUNTER_SHARED_LD_CONFLICTS] && used[SIMSM_COUNTER_DRAM_WRITE_BYTES]);
    assert_false(used[SIMSM_COUNTER_TLB_WALKS]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_changed), cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_share_of_work),   cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_opposed_factor),  cmocka_unit_test(test_launches),
        cmocka_unit_test(test_shares),          cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
