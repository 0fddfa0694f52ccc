/* L1: what it holds, and its miss registers. */
#include "mem_fixture.h"

#include "mem/l1.h"
#include "mem/mshr.h"

static struct arena arena;

static uint32_t valid(const struct l1 *l1, uint64_t line)
{
    uint32_t set = l1_set(l1, line);
    uint32_t way = tags_find(&l1->tags, set, line);
    return way == TAGS_NONE ? 0 : tags_valid(*tags_entry(&l1->tags, set, way));
}

static void fill(struct l1 *l1, uint64_t line, uint32_t mask)
{
    l1_fill(l1, l1_set(l1, line), line, mask);
}

/* Whatever the carve-out leaves, an aligned run of lines as large as L1 fits without a loss. */
static void holds_its_size(void **state)
{
    (void)state;
    static const struct {
        uint32_t bytes, ways;
    } sizes[] = {{32768, 4},   {28 * 1024, 4},  {24 * 1024, 6}, {7 * 128, 7},
                 {9 * 128, 2}, {64 * 1024, 64}, {128, 4},       {36 * 1024, 9}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct l1 l1 = {.none = false};
        assert_true(l1_init(&l1, &arena, sizes[i].bytes, 128, sizes[i].ways));
        uint64_t lines = (uint64_t)l1.sets.n * l1.tags.ways;
        assert_true((lines + sizes[i].ways) * 128 > sizes[i].bytes);
        assert_true(lines * 128 <= sizes[i].bytes);
        for (uint64_t line = 0; line < lines; line++)
            fill(&l1, 1000 * lines + line, 1);
        for (uint64_t line = 0; line < lines; line++)
            assert_int_equal(valid(&l1, 1000 * lines + line), 1);
        arena_free(&arena);
    }
}

static void nothing_left(void **state)
{
    (void)state;
    struct l1 l1 = {.none = false};
    assert_true(l1_init(&l1, &arena, 100, 128, 4));
    assert_true(l1.none);
    l1_store(&l1, 5, 0);
    l1_drop(&l1, 5, 1);
    arena_free(&arena);
}

/* Lines of one set against a list kept in order of use. */
static void least_recently_used_goes(void **state)
{
    (void)state;
    static const uint32_t all_ways[] = {1, 2, 3, 4, 7, 8, 9, 16, 33};
    for (unsigned w = 0; w < sizeof all_ways / sizeof *all_ways; w++) {
        enum { LINES = 60 };
        uint32_t ways = all_ways[w];
        uint64_t used[LINES] = {0}, random = 5;
        bool held[LINES] = {false};
        struct tags tags;
        assert_true(tags_init(&tags, &arena, 3, ways, false));
        for (uint64_t now = 1; now < 20000; now++) {
            uint64_t line = next_random(&random) % LINES, evicted;
            uint32_t oldest = LINES, count = 0;
            for (uint32_t i = 0; i < LINES; i++) {
                count += held[i];
                if (held[i] && (oldest == LINES || used[i] < used[oldest]))
                    oldest = i;
            }
            uint32_t way = tags_take(&tags, 1, line, &evicted);
            assert_int_equal(tags_line(*tags_entry(&tags, 1, way)), line);
            if (!held[line] && count == ways) {
                assert_int_equal(tags_line(evicted), oldest);
                held[oldest] = false;
            } else {
                assert_true(evicted == TAGS_EMPTY);
            }
            held[line] = true;
            used[line] = now;
            for (uint32_t i = 0; i < LINES; i++)
                assert_int_equal(tags_find(&tags, 1, i) != TAGS_NONE, held[i]);
            assert_int_equal(tags_find(&tags, 0, line), TAGS_NONE);
        }
        arena_free(&arena);
    }
}

static void sectors_and_stores(void **state)
{
    (void)state;
    struct l1 l1 = {.none = false};
    assert_true(l1_init(&l1, &arena, 4 * 128, 128, 4));
    fill(&l1, 7, 1);
    fill(&l1, 7, 4);
    assert_int_equal(valid(&l1, 7), 5);
    l1_drop(&l1, 7, 4);
    assert_int_equal(valid(&l1, 7), 1);
    l1_store(&l1, 8, 0); /* allocates nothing */
    assert_int_equal(tags_find(&l1.tags, l1_set(&l1, 8), 8), TAGS_NONE);
    fill(&l1, 1, 15);
    fill(&l1, 2, 15);
    fill(&l1, 3, 15);
    l1_store(&l1, 7, 0); /* but counts as a use */
    fill(&l1, 4, 15);
    assert_int_equal(valid(&l1, 7), 1);
    assert_int_equal(valid(&l1, 1), 0);
    l1_store(&l1, 9, 6); /* leaves what it fills, the oldest line giving way */
    assert_int_equal(valid(&l1, 9), 6);
    assert_int_equal(valid(&l1, 2), 0);
    arena_free(&arena);
}

/* Stores leave words; a sector is there when all of its words are, or all that a load asks for. */
static void parts_of_sectors(void **state)
{
    (void)state;
    struct l1 l1 = {.none = false};
    assert_true(l1_init(&l1, &arena, 4 * 128, 128, 4));
    uint32_t set = l1_set(&l1, 7);
    l1_store_words(&l1, 7, 0x0f00000f);
    uint32_t way = tags_find(&l1.tags, set, 7);
    assert_int_not_equal(way, TAGS_NONE);
    assert_int_equal(valid(&l1, 7), 0);
    assert_int_equal(l1_sectors_of(&l1, set, way, 15, 0x01000003), 9);
    assert_int_equal(l1_sectors_of(&l1, set, way, 1, 0x01000003), 1);
    assert_int_equal(l1_sectors_of(&l1, set, way, 15, 0x10000010), 0);
    l1_store_words(&l1, 7, 0xf0);
    assert_int_equal(valid(&l1, 7), 1);
    for (uint64_t line = 8; line < 12; line++)
        fill(&l1, line, 15); /* line 7 gives way, and what is known of its words */
    fill(&l1, 7, 2);
    way = tags_find(&l1.tags, set, 7);
    assert_int_equal(valid(&l1, 7), 2);
    assert_int_equal(l1_sectors_of(&l1, set, way, 15, 0x0f), 0);
    l1_store_words(&l1, 7, 0x0f);
    l1_drop(&l1, 7, 1);
    assert_int_equal(l1_sectors_of(&l1, set, way, 15, 0x0f), 0);
    arena_free(&arena);
}

struct registers {
    struct requests requests;
    struct mshrs mshrs;
};

static void open_registers(struct registers *r, const struct simsm_config *c)
{
    memset(r, 0, sizeof *r);
    assert_true(requests_init(&r->requests, &arena, 64));
    assert_true(mshr_init(&r->mshrs, &arena, &r->requests, c));
}

static void close_registers(struct registers *r)
{
    (void)r;
    arena_free(&arena);
}

/* A request that waits for `mask` of register `id`. */
static void waits(struct registers *r, uint64_t now, uint32_t id, uint32_t mask, uint32_t tag)
{
    uint32_t request = requests_open(&r->requests, tag);
    mshr_wait(&r->mshrs, now, id, request, mask);
    requests_finish_part(&r->requests, request);
}

/* Requests join a line on its way before and after its arrival is known, with the same result. */
static void requests_join(void **state)
{
    (void)state;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    for (int early = 0; early < 2; early++) {
        struct registers r;
        struct mem_done done[8];
        struct mshr_fill fill_now;
        open_registers(&r, &c);
        uint32_t id = mshr_open(&r.mshrs, 77, 0, true, true);
        assert_int_equal(mshr_find(&r.mshrs, 77), id);
        assert_int_equal(mshr_find(&r.mshrs, 78), MSHR_NONE);
        mshr_expect(&r.mshrs, id, 7, 1);
        waits(&r, 10, id, 3, 1);
        waits(&r, 10, id, 4, 2);
        if (early)
            waits(&r, 20, id, 6, 3);
        mshr_put_reply(&r.mshrs, id, 3, SIMSM_LEVEL_L2, 100);
        mshr_put_reply(&r.mshrs, id, 4, SIMSM_LEVEL_DRAM, 300);
        mshr_served(&r.mshrs);
        mshr_land(&r.mshrs, 400);
        if (!early)
            waits(&r, 20, id, 6, 3);
        assert_int_equal(requests_collect(&r.requests, 1000, done, 8), 3);
        assert_int_equal(done[0].tag, 1);
        assert_int_equal(done[0].cycle, 100);
        assert_int_equal(done[0].level, SIMSM_LEVEL_L2);
        assert_int_equal(done[1].tag, 2);
        assert_int_equal(done[1].cycle, 300);
        assert_int_equal(done[2].tag, 3);
        assert_int_equal(done[2].cycle, 300);
        assert_int_equal(done[2].level, SIMSM_LEVEL_DRAM);
        assert_false(mshr_take_fill(&r.mshrs, 99, &fill_now));
        assert_true(mshr_take_fill(&r.mshrs, 100, &fill_now));
        assert_int_equal(fill_now.mask, 3);
        assert_int_equal(r.mshrs.used, 1);
        assert_true(mshr_take_fill(&r.mshrs, 300, &fill_now));
        assert_int_equal(r.mshrs.used, 0);
        assert_int_equal(mshr_find(&r.mshrs, 77), MSHR_NONE);
        close_registers(&r);
    }
}

/* 64 bytes a cycle: four sectors that arrive together take two cycles. */
static void port_serialises(void **state)
{
    (void)state;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    struct registers r;
    struct mem_done done[8];
    open_registers(&r, &c);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t id = mshr_open(&r.mshrs, i, 0, true, true);
        mshr_expect(&r.mshrs, id, 1, 1);
        waits(&r, 0, id, 1, i);
        mshr_put_reply(&r.mshrs, id, 1, SIMSM_LEVEL_L2, 50);
        mshr_served(&r.mshrs);
    }
    mshr_land(&r.mshrs, 50);
    assert_int_equal(mshr_free_bound(&r.mshrs, 6), 50);
    mshr_land(&r.mshrs, 51);
    assert_int_equal(mshr_free_bound(&r.mshrs, 2), 50);
    assert_int_equal(mshr_free_bound(&r.mshrs, 6), 52);
    assert_int_equal(requests_collect(&r.requests, 52, done, 8), 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(done[i].tag, i);
        assert_int_equal(done[i].cycle, 50 + i / 2);
    }
    close_registers(&r);
}

static void merge_limit(void **state)
{
    (void)state;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    struct registers r;
    c.l1_mshr_merges = 3;
    open_registers(&r, &c);
    uint32_t id = mshr_open(&r.mshrs, 1, 0, true, true);
    mshr_expect(&r.mshrs, id, 1, 1);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(mshr_has_room(&r.mshrs, id));
        waits(&r, 0, id, 1, i);
    }
    assert_false(mshr_has_room(&r.mshrs, id));
    close_registers(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_its_size),           cmocka_unit_test(nothing_left),
        cmocka_unit_test(least_recently_used_goes), cmocka_unit_test(sectors_and_stores),
        cmocka_unit_test(parts_of_sectors),         cmocka_unit_test(requests_join),
        cmocka_unit_test(port_serialises),          cmocka_unit_test(merge_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
