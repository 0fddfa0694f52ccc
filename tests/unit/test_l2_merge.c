/* Accesses that merge on their way to L2, and dirty lines of L2. */
#include "mem_fixture.h"

#include "config/gpcs.h"
#include "mem/l2.h"
#include "mem/lrc.h"

static struct arena arena;

struct device {
    struct simsm_config config;
    struct l2 l2;
    struct tally tally;
    uint64_t now; /* of the last read_time */
};

/* Opens a device with one slice, which has one set of 4 ways. */
static void device_open(struct device *d, uint32_t dirty_ways, uint32_t part_ways)
{
    memset(d, 0, sizeof *d);
    d->config = mem_config(SIMSM_FULL_memory_model);
    d->config.l2_slices = 1;
    d->config.l2_ways = 4;
    d->config.l2_bytes = 4 * d->config.l2_line_bytes;
    d->config.l2_dirty_ways = dirty_ways;
    d->config.l2_part_ways = part_ways;
    assert_true(l2_init(&d->l2, &arena, &arena, &d->config, 0));
}

static void put(struct device *d, uint64_t line, uint32_t mask, uint64_t words)
{
    struct l2_request request = {1000, line, l2_places(&d->l2, line, 0), mask, words};
    (void)l2_write(&d->l2, &d->tally, &request);
}

static uint64_t read_bytes(const struct device *d)
{
    return d->tally.counter[SIMSM_COUNTER_DRAM_READ_BYTES];
}

static uint64_t written_bytes(const struct device *d)
{
    return d->tally.counter[SIMSM_COUNTER_DRAM_WRITE_BYTES];
}

/* If too many lines are dirty, the oldest is written to DRAM, and stays in L2. */
static void oldest_dirty_line_is_written(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    device_open(&d, 2, 0);
    put(&d, 1, 15, UINT64_MAX);
    put(&d, 2, 3, UINT64_MAX);
    put(&d, 1, 15, UINT64_MAX);
    assert_int_equal(written_bytes(&d), 0);
    put(&d, 3, 15, UINT64_MAX);
    assert_int_equal(written_bytes(&d), 64); /* line 2 */
    struct l2_request again = {2000, 2, l2_places(&d.l2, 2, 0), 3, 0};
    assert_int_equal(l2_read(&d.l2, &d.tally, &again, reply), 1);
    assert_int_equal(reply[0].level, SIMSM_LEVEL_L2);
    assert_int_equal(read_bytes(&d), 0);
    arena_free(&arena);
}

/* Lines that another launch has left, or a copy before it, count as well. */
static void lines_of_before_count(void **state)
{
    (void)state;
    struct device d, before;
    device_open(&before, 3, 1);
    put(&before, 1, 15, UINT64_MAX);
    put(&before, 2, 15, UINT64_MAX);
    put(&before, 3, 1, 0x0F);
    device_open(&d, 2, 1);
    l2_give_lines(&d.l2, &before.l2.tags, &before.l2.unwritten.part);
    l2_hold(&d.l2, &(struct mem_written){.address = 4 * d.config.l2_line_bytes,
                                         .bytes = d.config.l2_line_bytes,
                                         .kept = d.config.l2_line_bytes});
    assert_int_equal(d.l2.unwritten.dirty[0], 3); /* one of the four is clean now */
    put(&d, 5, 15, UINT64_MAX);                   /* takes the place of that one */
    assert_int_equal(written_bytes(&d), 128);
    assert_int_equal(read_bytes(&d), 0);
    arena_free(&arena);
}

enum { FAR = 60, PIECES = 64 }; /* cycles to the other partition and back; pieces of 4 KB */

/* Opens a device of two partitions, of which each has one of two pieces of 4 KB. */
static void open_two_partitions(struct device *d)
{
    memset(d, 0, sizeof *d);
    d->config = mem_config(SIMSM_FULL_memory_model);
    d->config.l2_partitions = 2;
    d->config.l2_slices = 8;
    d->config.l2_far_latency = FAR;
    assert_true(l2_init(&d->l2, &arena, &arena, &d->config, 0));
}

/* Returns how many cycles a read of the first sector of the line by partition 0 takes in L2. */
static uint64_t read_time(struct device *d, uint64_t line)
{
    const uint64_t cycle = d->now += 10000; /* the slices are idle */
    struct l2_reply reply[L2_REPLIES];
    struct l2_request request = {cycle, line, l2_places(&d->l2, line, 0), 1, 0};
    assert_int_equal(l2_read(&d->l2, &d->tally, &request, reply), 1);
    assert_int_equal(reply[0].level, SIMSM_LEVEL_L2);
    return reply[0].cycle - cycle;
}

/* A store of whole sectors leaves a copy in the SM's partition, as a load does; one of a part of a
 * sector none. */
static void stores_leave_copies(void **state)
{
    (void)state;
    unsigned far = 0;
    for (uint64_t piece = 0; piece < PIECES; piece++) {
        struct device d;
        const uint64_t line = piece * 32;
        open_two_partitions(&d);
        const bool is_far = l2_owner(&d.l2, line) != 0;
        put(&d, line, 15, UINT64_MAX);
        assert_int_equal(read_time(&d, line), 0);
        put(&d, line + 1, 1, 0x0F);
        put(&d, line + 1, 1, 0xF0);
        assert_int_equal(read_time(&d, line + 1), is_far ? FAR : 0);
        far += is_far;
        arena_free(&arena);
    }
    assert_in_range(far, PIECES / 4, 3 * PIECES / 4);
}

/* Writes before a launch: kernels leave copies of half of the lines, the host drops copies. Where
 * the host writes lines that L2 lacks, L2 takes in the last `kept` bytes of them. */
static void writes_before_a_launch(void **state)
{
    (void)state;
    unsigned far = 0, copied = 0;
    struct device d;
    open_two_partitions(&d);
    const uint64_t bytes = (uint64_t)PIECES * 32 * d.config.l2_line_bytes;
    l2_hold(&d.l2, &(struct mem_written){.bytes = bytes, .kept = bytes});
    for (uint64_t line = 0; line < PIECES * 32; line += 32) {
        const uint64_t time = read_time(&d, line);
        assert_true(time == 0 || (time == FAR && l2_owner(&d.l2, line) != 0));
        far += l2_owner(&d.l2, line) != 0;
        copied += l2_owner(&d.l2, line) != 0 && time == 0;
    }
    assert_in_range(copied, far / 4, 3 * far / 4);
    l2_hold(&d.l2, &(struct mem_written){.bytes = bytes, .by_host = true});
    for (uint64_t line = 0; line < PIECES * 32; line += 32)
        assert_int_equal(read_time(&d, line), l2_owner(&d.l2, line) != 0 ? FAR : 0);
    arena_free(&arena);
    open_two_partitions(&d);
    l2_hold(&d.l2, &(struct mem_written){.bytes = bytes, .kept = bytes / 4, .by_host = true});
    for (uint64_t line = 0; line < PIECES * 32; line++) {
        const struct l2_place own = l2_place(&d.l2, line, l2_owner(&d.l2, line), false);
        const bool kept = tags_find(&d.l2.tags, own.set, line) != TAGS_NONE;
        assert_int_equal(kept, line >= PIECES * 24);
    }
    arena_free(&arena);
}

/* A sector that is known in part is read when another line needs its place, or a load its rest. */
static void parts_are_read(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    device_open(&d, 0, 1);
    put(&d, 1, 1, 0x0F);
    put(&d, 1, 1, 0xF0); /* whole now */
    put(&d, 2, 2, 0x0F00);
    assert_int_equal(read_bytes(&d), 0);
    put(&d, 3, 1, 0x0F);
    assert_int_equal(read_bytes(&d), 32);
    assert_int_equal(written_bytes(&d), 32);
    struct l2_request load = {2000, 3, l2_places(&d.l2, 3, 0), 1, 0};
    (void)l2_read(&d.l2, &d.tally, &load, reply);
    assert_int_equal(reply[0].level, SIMSM_LEVEL_DRAM);
    assert_int_equal(read_bytes(&d), 64);
    arena_free(&arena);
}

/* What a launch has filled in part the next one must read, unless it stores the rest. */
static void parts_stay_for_the_next_launch(void **state)
{
    (void)state;
    struct device d, before;
    struct l2_reply reply[L2_REPLIES];
    device_open(&before, 0, 2);
    put(&before, 1, 1, 0x0F);
    put(&before, 2, 1, 0x0F);
    device_open(&d, 0, 2);
    assert_true(l2_give_lines(&d.l2, &before.l2.tags, &before.l2.unwritten.part));
    put(&d, 1, 1, 0xF0);
    for (uint64_t line = 1; line <= 2; line++) {
        struct l2_request load = {2000, line, l2_places(&d.l2, line, 0), 1, 0};
        (void)l2_read(&d.l2, &d.tally, &load, reply);
        assert_int_equal(reply[0].level, line == 1 ? SIMSM_LEVEL_L2 : SIMSM_LEVEL_DRAM);
    }
    arena_free(&arena);
}

/* Without part_ways a store of a part counts as whole. */
static void parts_can_count_as_whole(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    device_open(&d, 0, 0);
    put(&d, 1, 1, 0x0F);
    struct l2_request load = {2000, 1, l2_places(&d.l2, 1, 0), 1, 0};
    (void)l2_read(&d.l2, &d.tally, &load, reply);
    assert_int_equal(reply[0].level, SIMSM_LEVEL_L2);
    assert_int_equal(read_bytes(&d), 0);
    arena_free(&arena);
}

/* Reads by SMs of a GPC of the same sectors become one, up to so many and until the data leave. */
static void reads_join(void **state)
{
    (void)state;
    struct lrc lrc = {0};
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.gpu_sms = 12;
    c.gpu_gpc_tpcs_count = 2;
    c.gpu_gpc_tpcs[0] = 2;
    c.gpu_gpc_tpcs[1] = 3; /* TPCs 0 and 2, and 1, 3 and 4; 5 is the first one's */
    c.xbar_coalesce_cycles = 5;
    c.xbar_coalesce_reads = 3;
    assert_true(lrc_init(&lrc, &arena, &c, 90));
    struct lrc_read *read = lrc_place(&lrc, 0, 9);
    assert_ptr_equal(read, lrc_place(&lrc, 1, 9)); /* the other SM of the TPC */
    assert_ptr_equal(read, lrc_place(&lrc, 4, 9));
    assert_ptr_equal(read, lrc_place(&lrc, 10, 9));
    assert_ptr_not_equal(read, lrc_place(&lrc, 2, 9)); /* another GPC */
    *read = (struct lrc_read){.reply = {{.cycle = 60}, {.cycle = 50}}, .replies = 2};
    lrc_note(&lrc, read, &(struct lrc_request){50, 9, 0, 3});
    assert_false(lrc_join(&lrc, read, &(struct lrc_request){51, 9, 1, 1})); /* other sectors */
    assert_false(lrc_join(&lrc, read, &(struct lrc_request){51, 8, 1, 3}));
    assert_true(lrc_join(&lrc, read, &(struct lrc_request){51, 9, 1, 3}));
    assert_false(lrc_join(&lrc, read, &(struct lrc_request){66, 9, 4, 3}));
    assert_true(lrc_join(&lrc, read, &(struct lrc_request){65, 9, 4, 3}));
    assert_false(lrc_join(&lrc, read, &(struct lrc_request){65, 9, 5, 3})); /* three already */
    lrc_note(&lrc, read, &(struct lrc_request){65, 9, 5, 2});
    assert_false(lrc_join(&lrc, read, &(struct lrc_request){65, 9, 1, 2})); /* 3 was on its way */
    lrc_note(&lrc, read, &(struct lrc_request){66, 9, 5, 1});
    assert_true(lrc_join(&lrc, read, &(struct lrc_request){65, 9, 1, 1}));
    arena_free(&arena);
}

/* GPCs have their TPCs by turns, and SMs are visited GPC by GPC, those left over first. */
static void gpcs_are_visited_in_order(void **state)
{
    (void)state;
    static const uint32_t gpc[] = {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0};
    static const uint32_t all[] = {10, 11, 0, 1, 4, 5, 2, 3, 6, 7, 8, 9};
    static const uint32_t eight[] = {10, 11, 0, 1, 4, 2, 6, 8};
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    uint32_t order[12];
    c.gpu_sms = 12;
    c.gpu_gpc_tpcs_count = 2;
    c.gpu_gpc_tpcs[0] = 2;
    c.gpu_gpc_tpcs[1] = 3;
    for (uint32_t sm = 0; sm < 12; sm++)
        assert_int_equal(gpcs_of_sm(&c, sm), gpc[sm]);
    gpcs_order(&c, 500, order);
    assert_memory_equal(order, all, sizeof all);
    gpcs_order(&c, 8, order); /* two, three and three; one a TPC before any gets two */
    assert_memory_equal(order, eight, sizeof eight);
    c.gpu_gpc_tpcs_count = 0;
    c.gpu_sms = 3;
    gpcs_order(&c, 3, order);
    assert_true(order[0] == 0 && order[1] == 2 && order[2] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oldest_dirty_line_is_written),
        cmocka_unit_test(stores_leave_copies),
        cmocka_unit_test(writes_before_a_launch),
        cmocka_unit_test(lines_of_before_count),
        cmocka_unit_test(parts_are_read),
        cmocka_unit_test(parts_stay_for_the_next_launch),
        cmocka_unit_test(parts_can_count_as_whole),
        cmocka_unit_test(reads_join),
        cmocka_unit_test(gpcs_are_visited_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
