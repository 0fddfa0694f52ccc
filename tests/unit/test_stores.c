/* Stores on their way out of an SM: which join, when lines leave, and how many wait. */
#include "mem_fixture.h"

#include "mem/mem_sm.h"
#include "mem/stores.h"

static struct arena arena;

struct bench {
    struct simsm_config config;
    struct mem_timing timing;
    struct mem_sm sm;
    struct tally tally;
};

enum { STAY = 11, LIMIT = 4, PLACES = 2 };

static void open_with(struct bench *b, uint32_t in_flight)
{
    memset(b, 0, sizeof *b);
    b->config = mem_config(SIMSM_FULL_memory_model);
    b->config.l1_store_lines = LIMIT;
    b->config.xbar_store_packets = PLACES;
    b->config.xbar_request_bytes = 32;
    b->config.xbar_mask_bytes = 32;
    b->config.xbar_stores_in_flight = in_flight;
    timing_init(&b->timing, &b->config);
    assert_true(mem_sm_init(&b->sm, &arena, &b->config, &b->timing, 0, 64));
    b->sm.tally = &b->tally;
}

static void put_of(struct bench *b, uint32_t request, uint64_t now, uint64_t line, uint32_t mask,
                   uint64_t words)
{
    struct packet packet = {.line = line,
                            .mask = (uint8_t)mask,
                            .words = words,
                            .owner = (uint16_t)request,
                            .kind = PACKET_WRITE};
    stores_advance(&b->sm, now);
    stores_put(&b->sm, now, now + STAY, packet);
}

static void put(struct bench *b, uint64_t now, uint64_t line, uint32_t mask, uint64_t words)
{
    put_of(b, requests_open(&b->sm.requests, 0), now, line, mask, words);
}

static uint32_t waiting(struct bench *b, uint64_t now)
{
    stores_advance(&b->sm, now);
    return b->sm.stores.tail - b->sm.stores.head;
}

/* A store joins a line that has not left, whatever sectors it has; the line then stays longer. */
static void stores_join(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    put(&b, 100, 7, 1, 0x0F);
    put(&b, 110, 7, 3, 0xF0F0);
    assert_int_equal(waiting(&b, 120), 1);
    assert_int_equal(waiting(&b, 121), 0);
    const struct packet *packet = outbox_head(&b.sm.outbox);
    assert_int_equal(packet->mask, 3);
    assert_int_equal(packet->words, 0xF0FF);
    assert_true(packet->partial);
    assert_int_equal(b.sm.stores.join[packet->joined].request, 1);
    put(&b, 122, 7, 1, 0xFF); /* too late */
    assert_int_equal(waiting(&b, 122), 1);
    assert_int_equal(waiting(&b, 133), 0);
    assert_int_equal(b.sm.outbox.tail - b.sm.outbox.head, 2);
    arena_free(&arena);
}

/* Words of several stores that make a sector whole leave as a whole sector. */
static void parts_make_a_whole(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    put(&b, 100, 7, 1, 0x0F);
    put(&b, 101, 7, 1, 0xF0);
    assert_int_equal(waiting(&b, 200), 0);
    assert_false(outbox_head(&b.sm.outbox)->partial);
    arena_free(&arena);
}

/* Lines leave one a cycle until the places at the port are taken: one of a whole sector takes a
 * cycle there, one of parts two, and then its place STORES_CREDIT more. */
static void lines_leave_in_order(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    for (uint64_t line = 0; line < LIMIT; line++)
        put(&b, 100, line, 1, 0x01);
    assert_int_equal(waiting(&b, 110), 4);
    assert_int_equal(waiting(&b, 111), 3);
    assert_int_equal(waiting(&b, 112), 2);
    assert_int_equal(waiting(&b, 114), 2);
    assert_int_equal(waiting(&b, 115), 1); /* the first left the port at 111 */
    assert_int_equal(waiting(&b, 116), 1);
    assert_int_equal(waiting(&b, 117), 0);
    arena_free(&arena);
}

/* When all places for lines are taken, only stores to one of them have room. */
static void lines_are_few(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    for (uint64_t line = 0; line < LIMIT; line++)
        put(&b, 100, line, 1, 0xFF);
    assert_false(stores_have_room(&b.sm.stores, 77));
    assert_true(stores_have_room(&b.sm.stores, 2));
    assert_int_equal(waiting(&b, 111), 3);
    assert_true(stores_have_room(&b.sm.stores, 77));
    arena_free(&arena);
}

/* If as many sectors are in flight as L2 accepts, the next line waits until one is answered. */
static void lines_wait_for_l2(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 4);
    put(&b, 100, 1, 15, UINT32_MAX);
    put(&b, 100, 2, 15, UINT32_MAX);
    assert_int_equal(waiting(&b, 200), 1);
    b.sm.requests.store_sectors = 0;
    stores_answered(&b.sm, 300);
    assert_int_equal(waiting(&b, 300), 0);
    assert_int_equal(outbox_head(&b.sm.outbox)[1].leaves, 300);
    arena_free(&arena);
}

/* At most as many sectors are in flight as L2 accepts, or all sectors of one instruction if it
 * has more. */
static void sectors_in_flight(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 8);
    for (uint64_t line = 1; line <= 3; line++)
        put(&b, 100, line, 15, UINT32_MAX);
    assert_int_equal(waiting(&b, 200), 1);
    assert_int_equal(b.sm.requests.store_sectors, 8);
    arena_free(&arena);
    open_with(&b, 4);
    const uint32_t large = requests_open(&b.sm.requests, 0);
    put_of(&b, large, 100, 1, 15, UINT32_MAX);
    put_of(&b, large, 100, 2, 15, UINT32_MAX);
    put(&b, 100, 3, 1, 0xFF); /* of another one, behind it */
    assert_int_equal(waiting(&b, 200), 1);
    arena_free(&arena);
}

/* No line leaves while as many reductions wait in L2 as it has room for. */
static void lines_wait_for_reductions(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    b.timing.waiting_limit = 5;
    put(&b, 100, 1, 1, 0xFF);
    put(&b, 100, 2, 1, 0xFF);
    b.sm.requests.waiting = 5;
    assert_int_equal(waiting(&b, 200), 1); /* the first is alone in flight */
    b.sm.requests.waiting = 4;
    assert_int_equal(waiting(&b, 200), 0);
    arena_free(&arena);
}

/* A reduction counts as waiting from the cycle of its arrival on. */
static void reductions_count_when_they_come(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    b.timing.waiting_limit = 1;
    put(&b, 100, 1, 1, 0xFF);
    put(&b, 100, 2, 1, 0xFF);
    put(&b, 100, 3, 1, 0xFF);
    requests_reach_l2(&b.sm.requests, requests_open(&b.sm.requests, 0), 113, true);
    assert_int_equal(waiting(&b, 200), 1); /* two have left, at 111 and 112 */
    arena_free(&arena);
}

/* L1 has been done with it before now: it leaves now. */
static void nothing_leaves_in_the_past(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    const struct packet packet = {.line = 1,
                                  .mask = 1,
                                  .words = 0xFF,
                                  .owner = (uint16_t)requests_open(&b.sm.requests, 0),
                                  .kind = PACKET_WRITE};
    stores_put(&b.sm, 100, 50, packet);
    assert_int_equal(waiting(&b, 99), 1);
    assert_int_equal(waiting(&b, 100), 0);
    assert_true(outbox_head(&b.sm.outbox)->leaves >= 100);
    arena_free(&arena);
}

/* Behind something else that goes to the line, a store begins it anew; as many join as may. */
static void lines_are_sealed(void **state)
{
    (void)state;
    struct bench b;
    open_with(&b, 64);
    put(&b, 100, 7, 1, 0xFF);
    put(&b, 100, 7, 1, 0xFF);
    assert_int_equal(waiting(&b, 101), 1);
    stores_seal(&b.sm.stores, 7);
    put(&b, 101, 7, 1, 0xFF);
    assert_int_equal(waiting(&b, 101), 2);
    put(&b, 102, 7, 1, 0xFF); /* the latest is the one that is joined */
    assert_int_equal(waiting(&b, 102), 2);
    assert_int_equal(waiting(&b, 112), 1);
    assert_int_equal(waiting(&b, 113), 0);
    arena_free(&arena);
    open_with(&b, 64);
    for (uint32_t i = 0; i < 1 + STORES_JOINS; i++)
        put(&b, 100, 7, 1, 0xFF);
    assert_int_equal(waiting(&b, 100), 1);
    put(&b, 100, 7, 1, 0xFF);
    assert_int_equal(waiting(&b, 100), 2);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_join),
        cmocka_unit_test(parts_make_a_whole),
        cmocka_unit_test(lines_leave_in_order),
        cmocka_unit_test(lines_are_few),
        cmocka_unit_test(lines_wait_for_l2),
        cmocka_unit_test(sectors_in_flight),
        cmocka_unit_test(lines_are_sealed),
        cmocka_unit_test(lines_wait_for_reductions),
        cmocka_unit_test(reductions_count_when_they_come),
        cmocka_unit_test(nothing_leaves_in_the_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
