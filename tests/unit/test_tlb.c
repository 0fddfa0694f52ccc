/* Address translation: what a buffer reaches, who waits for whom, and packets that wait. */
#include "mem/late.h"
#include "mem/tlb.h"
#include "mem_fixture.h"

static const uint64_t mb = 1 << 20;

struct rig {
    struct arena arena;
    struct tally tally;
    struct tlb tlb;
};

/* Eight SMs: TPCs 0 to 3 are in GPCs 0, 1, 0 and 1. */
static void begin(struct rig *rig, bool known)
{
    struct simsm_config config = {.gpu_sms = 8,
                                  .gpu_gpc_tpcs = {2, 2},
                                  .gpu_gpc_tpcs_count = 2,
                                  .tlb_entries = 4,
                                  .tlb_reach_bytes = 16u << 20,
                                  .tlb_miss_latency = 10,
                                  .tlb_miss_interval = 2,
                                  .tlb_page_bytes = 32u << 20,
                                  .tlb_fill_latency = 100,
                                  .tlb_fill_interval = 5,
                                  .tlb_walk_latency = 800,
                                  .tlb_walk_interval = 40};
    memset(rig, 0, sizeof *rig);
    assert_true(tlb_init(&rig->tlb, &rig->arena, &config));
    rig->tlb.all_known = known;
}

static void end(struct rig *rig)
{
    tlb_free(&rig->tlb);
    arena_free(&rig->arena);
}

static uint64_t ask(struct rig *rig, uint32_t sm, uint64_t megabyte, uint64_t now)
{
    return tlb_translate(&rig->tlb, &rig->tally, sm, megabyte * mb, now) - now;
}

/* Four entries of 16 MB: the fifth piece displaces the least recently used one. */
static void an_sm_reaches_its_entries(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig, true);
    for (uint64_t piece = 0; piece < 4; piece++) /* known from earlier launches */
        assert_int_equal(ask(&rig, 0, 16 * piece, 1000 * (piece + 1)), 0);
    assert_int_equal(ask(&rig, 0, 15, 5000), 0);
    assert_int_equal(ask(&rig, 0, 64, 6000), 10); /* displaces 16 to 32 MB */
    assert_int_equal(ask(&rig, 0, 1, 7000), 0);
    assert_int_equal(ask(&rig, 0, 16, 8000), 10);
    assert_int_equal(rig.tally.counter[SIMSM_COUNTER_TLB_MISSES], 2);
    assert_int_equal(rig.tally.counter[SIMSM_COUNTER_TLB_WALKS], 0);
    end(&rig);
}

/* The SMs of TPCs 0 and 2 are in CPCs of their own; those of one TPC share a CPC. */
static void misses_of_a_cpc_take_turns(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig, true);
    for (uint32_t sm = 0; sm < 8; sm++) /* fills the buffers */
        for (uint64_t piece = 1; piece < 5; piece++)
            (void)ask(&rig, sm, 16 * piece, 10);
    assert_int_equal(ask(&rig, 0, 0, 100), 10);
    assert_int_equal(ask(&rig, 1, 0, 100), 12);
    assert_int_equal(ask(&rig, 4, 0, 100), 10);
    assert_int_equal(ask(&rig, 2, 0, 100), 10);
    assert_int_equal(ask(&rig, 0, 3, 101), 9); /* waits for the translation that is on its way */
    end(&rig);
}

/* The first use of a page reads its entry; other CPCs then get it from the first. */
static void a_page_is_walked_once(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig, false);
    assert_int_equal(ask(&rig, 0, 0, 1000), 810);
    assert_int_equal(ask(&rig, 1, 0, 1000), 810); /* the same CPC: at cycle 1810 for both */
    assert_int_equal(ask(&rig, 4, 0, 1200), 610); /* another CPC: not before the walk's end */
    assert_int_equal(ask(&rig, 2, 0, 3000), 110); /* after it */
    assert_int_equal(ask(&rig, 0, 16, 4000), 10); /* the other half of the page */
    assert_int_equal(rig.tally.counter[SIMSM_COUNTER_TLB_WALKS], 1);
    end(&rig);
}

static void walks_and_fills_are_apart(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig, false);
    for (uint64_t page = 0; page < 100; page++) /* more than the table holds at first */
        assert_int_equal(ask(&rig, 0, 32 * page, 1000), 810 + (page ? 40 * page : 0));
    for (uint64_t page = 0; page < 3; page++)
        assert_int_equal(ask(&rig, 2, 32 * page, 100000), 110 + 5 * page);
    assert_int_equal(ask(&rig, 6, 32 * 99, 200000), 110);
    assert_int_equal(rig.tally.counter[SIMSM_COUNTER_TLB_WALKS], 100);
    end(&rig);
}

static void late_packets_keep_their_order(void **state)
{
    (void)state;
    static const uint32_t leaves[] = {50, 20, 50, 10, 20, 40, 20};
    static const uint32_t expected[] = {3, 1, 4, 6, 5, 0, 2};
    struct arena arena = {0};
    struct late late = {0};
    const struct simsm_config config = {.tlb_entries = 4,
                                        .l1_line_bytes = 128,
                                        .l2_line_bytes = 128,
                                        .l1_mshrs = 8,
                                        .xbar_stores_in_flight = 1};
    assert_true(late_init(&late, &arena, &config, 1));
    assert_true(late_next(&late) == MEM_NEVER);
    for (uint32_t i = 0; i < 7; i++)
        late_add(&late, &(struct packet){.leaves = 1}, i, leaves[i]);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(late_next(&late), leaves[expected[i]]);
        assert_int_equal(late_take(&late).sm, expected[i]);
    }
    arena_free(&arena);
}

/* There is room if all registers of two SMs wait for each of their sectors apart. */
static void every_sector_can_be_late(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct late late = {0};
    struct simsm_config config = mem_config(SIMSM_FULL_memory_model);
    const uint32_t registers = 2 * config.l1_mshrs, sectors = config.l1_line_bytes / SECTOR_BYTES;
    config.tlb_entries = 1;
    config.xbar_stores_in_flight = 0;
    assert_true(late_init(&late, &arena, &config, 2));
    assert_true(registers * sectors > registers + 2 * COALESCE_LINES);
    for (uint32_t i = 0; i < registers * sectors; i++)
        late_add(&late, &(struct packet){.leaves = 1}, i % 2, 100);
    assert_int_equal(late_next(&late), 100);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_sm_reaches_its_entries),
        cmocka_unit_test(misses_of_a_cpc_take_turns),
        cmocka_unit_test(a_page_is_walked_once),
        cmocka_unit_test(walks_and_fills_are_apart),
        cmocka_unit_test(late_packets_keep_their_order),
        cmocka_unit_test(every_sector_can_be_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
