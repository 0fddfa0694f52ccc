/* The queues of the memory system against a search through everything. */
#include "mem_fixture.h"

#include "mem/calendar.h"
#include "mem/flat.h"
#include "mem/port.h"
#include "mem/replies.h"

static struct arena arena;

enum { IDS = 500 };

/* Near and far ahead, in bursts; sometimes more than a turn of any wheel away. */
static uint64_t ahead(uint64_t *random)
{
    uint64_t span = UINT64_C(1) << next_random(random) % 17;
    return next_random(random) % (next_random(random) % 8 ? span % 700 + 1 : span);
}

static void calendar_is_ordered(void **state)
{
    (void)state;
    static struct calendar calendar;
    uint64_t cycle[IDS], random = 1, now = 0;
    uint32_t order[IDS];
    bool in[IDS] = {false};
    assert_true(calendar_init(&calendar, &arena, IDS));
    for (uint32_t step = 0; step < 100000; step++) {
        uint32_t id = (uint32_t)(next_random(&random) % IDS);
        if (!in[id] && next_random(&random) % 8 < (step / 2000 % 2 ? 3 : 6)) {
            in[id] = true;
            cycle[id] = now + ahead(&random);
            order[id] = (uint32_t)next_random(&random) % 1000 - 500;
            calendar_add(&calendar, id, cycle[id], order[id]);
        }
        uint32_t first = IDS;
        for (uint32_t i = 0; i < IDS; i++) {
            if (in[i] && (first == IDS || cycle[i] < cycle[first] ||
                          (cycle[i] == cycle[first] && (int32_t)(order[i] - order[first]) < 0)))
                first = i;
        }
        assert_true(calendar.next == (first == IDS ? CALENDAR_NEVER : cycle[first]));
        if (first == IDS || next_random(&random) % 2)
            continue;
        uint32_t taken = calendar_take(&calendar);
        assert_int_equal(cycle[taken], cycle[first]);
        assert_int_equal(order[taken], order[first]);
        in[taken] = false;
        now = cycle[taken];
    }
    arena_free(&arena);
}

static void replies_are_ordered(void **state)
{
    (void)state;
    static struct replies replies;
    uint64_t cycle[IDS], added[IDS], random = 2, now = 0, adds = 0;
    bool in[IDS] = {false};
    assert_true(replies_init(&replies, &arena, IDS));
    for (uint32_t step = 0; step < 100000; step++) {
        uint16_t id = (uint16_t)(next_random(&random) % IDS);
        if (!in[id] && next_random(&random) % 8 < (step / 2000 % 2 ? 3 : 6)) {
            in[id] = true;
            cycle[id] = now + ahead(&random);
            added[id] = adds++;
            replies_add(&replies, (struct reply){.cycle = cycle[id], .mshr = id});
        }
        uint32_t first = IDS, count = 0;
        for (uint32_t i = 0; i < IDS; i++) {
            count += in[i];
            if (in[i] && (first == IDS || cycle[i] < cycle[first] ||
                          (cycle[i] == cycle[first] && added[i] < added[first])))
                first = i;
        }
        assert_true(replies.next == (first == IDS ? REPLIES_NEVER : cycle[first]));
        assert_true(replies_nth(&replies, count + 1) == REPLIES_NEVER);
        if (first == IDS)
            continue;
        uint32_t n = (uint32_t)(next_random(&random) % count) + 1, earlier = 0;
        uint64_t bound = replies_nth(&replies, n);
        for (uint32_t i = 0; i < IDS; i++)
            earlier += in[i] && cycle[i] < bound;
        assert_true(earlier < n);
        assert_true(bound >= cycle[first]);
        if (next_random(&random) % 2)
            continue;
        struct reply reply = replies_take(&replies);
        assert_int_equal(reply.mshr, first);
        assert_int_equal(reply.cycle, cycle[first]);
        in[first] = false;
        now = cycle[first];
    }
    arena_free(&arena);
}

static void port_rates(void **state)
{
    (void)state;
    struct port port = {.rate = 24};
    assert_int_equal(port_send(&port, 10, 32), 10); /* 1 1/3 cycles */
    assert_int_equal(port_last(&port), 11);
    assert_int_equal(port_send(&port, 10, 32), 11);
    assert_int_equal(port_send(&port, 10, 32), 12); /* 96 bytes end with cycle 13 */
    assert_int_equal(port_last(&port), 13);
    assert_int_equal(port_send(&port, 10, 1), 14);
    assert_int_equal(port_send(&port, 100, 24), 100);
    assert_int_equal(port_last(&port), 100);
}

/* Room for all that one cycle after another can bring, and no more is promised. */
static void flat_keeps_up(void **state)
{
    (void)state;
    struct flat flat;
    struct mem_done done[8];
    uint32_t tag = 0, collected = 0;
    assert_true(flat_init(&flat, &arena, 4, 20, 3));
    for (uint64_t now = 0; now < 200; now++) {
        unsigned count = flat_collect(&flat, now, done, 8);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(done[i].cycle, now);
        collected += count;
        for (unsigned i = 0; i < 4; i++)
            assert_true(flat_add(&flat, i % 2 ? FLAT_SHARED : FLAT_GLOBAL, now, tag++));
    }
    while (flat_next(&flat) != MEM_NEVER)
        collected += flat_collect(&flat, flat_next(&flat), done, 8);
    assert_int_equal(collected, tag);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calendar_is_ordered),
        cmocka_unit_test(replies_are_ordered),
        cmocka_unit_test(port_rates),
        cmocka_unit_test(flat_keeps_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
