/* The network between the SMs of a cluster: rates, the order of service, and who is held back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mem/coalesce.h"
#include "mem/sm_network.h"

enum { SMS = 3, WINDOW = 64, LATENCY = 200, RATE = 16, RECEIVED = 32 };

struct rig {
    struct arena arena;
    struct network network;
    struct network_end *end[SMS];
    struct requests requests[SMS];
};

static void begin(struct rig *rig)
{
    const struct mem_timing timing = {.remote_bytes = RATE, .receive_bytes = RECEIVED};
    *rig = (struct rig){.network = {.sms = SMS, .window = WINDOW}};
    for (uint32_t i = 0; i < SMS; i++) {
        assert_true(requests_init(&rig->requests[i], &rig->arena, 64));
        rig->end[i] = network_join(&rig->network, &rig->arena, &timing, i, &rig->requests[i]);
        assert_non_null(rig->end[i]);
    }
}

/* SM `from` sends an access of one part at `now`. */
static void send(struct rig *rig, uint32_t from, uint64_t now, struct network_part part)
{
    const struct network_access access = {.parts = 1, .part = {part}};
    const uint32_t id = requests_open(&rig->requests[from], 0);
    network_send(rig->end[from], now, &access, id, LATENCY);
    requests_arrived(&rig->requests[from], id, now + LATENCY, 0);
    requests_finish_part(&rig->requests[from], id);
}

/* Returns the cycle at which the next access of an SM is over. */
static uint64_t end_of(struct rig *rig, uint32_t sm)
{
    struct mem_done done;
    assert_int_equal(requests_collect(&rig->requests[sm], MEM_NEVER - 1, &done, 1), 1);
    return done.cycle;
}

static void answers_follow_one_another(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig);
    send(&rig, 1, 10, (struct network_part){.to = 0, .sent = 1, .answers = 4});
    network_exchange(&rig.network, WINDOW);
    assert_int_equal(end_of(&rig, 1), 10 + LATENCY + 3 * SECTOR_BYTES / RATE);
    arena_free(&rig.arena);
}

static void all_ask_one(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig);
    send(&rig, 2, 10, (struct network_part){.to = 0, .sent = 8, .answers = 8});
    send(&rig, 1, 10, (struct network_part){.to = 0, .sent = 8, .answers = 8});
    network_exchange(&rig.network, WINDOW);
    const uint64_t first = 10 + LATENCY + 7 * SECTOR_BYTES / RATE;
    assert_int_equal(end_of(&rig, 1), first); /* of one cycle, the lower SM comes first */
    assert_int_equal(end_of(&rig, 2), first + 8 * SECTOR_BYTES / RATE);
    arena_free(&rig.arena);
}

/* A store takes the way in of the other SM, and none back. */
static void stores_have_no_answer(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig);
    send(&rig, 1, 10, (struct network_part){.to = 0, .sent = 8});
    send(&rig, 2, 10, (struct network_part){.to = 0, .sent = 8});
    network_exchange(&rig.network, WINDOW);
    assert_int_equal(end_of(&rig, 1), 10 + LATENCY);
    assert_int_equal(end_of(&rig, 2), 10 + LATENCY + 8 * SECTOR_BYTES / RECEIVED);
    assert_int_equal(rig.end[0]->out.cycle, 0);
    arena_free(&rig.arena);
}

/* What leaves behind an exchange waits for the next one: an earlier packet may still come. */
static void service_is_in_the_order_of_time(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig);
    send(&rig, 1, 10, (struct network_part){.to = 2, .sent = 40});
    send(&rig, 1, 10, (struct network_part){.to = 0, .sent = 1, .answers = 8}); /* leaves at 90 */
    network_exchange(&rig.network, WINDOW);
    assert_int_equal(rig.end[1]->next, 90 + LATENCY);
    send(&rig, 2, 80, (struct network_part){.to = 0, .sent = 1, .answers = 8});
    network_exchange(&rig.network, 2 * WINDOW);
    const uint64_t first = 80 + LATENCY + 7 * SECTOR_BYTES / RATE;
    assert_int_equal(end_of(&rig, 2), first);
    assert_int_equal(end_of(&rig, 1), 10 + LATENCY); /* the store */
    assert_int_equal(end_of(&rig, 1), first + 8 * SECTOR_BYTES / RATE);
    assert_int_equal(rig.end[1]->next, MEM_NEVER);
    arena_free(&rig.arena);
}

static void who_is_behind_holds_senders_back(void **state)
{
    (void)state;
    struct rig rig;
    const struct network_access access = {.parts = 1, .part = {{.to = 0, .sent = 1, .answers = 1}}};
    begin(&rig);
    send(&rig, 1, 0, (struct network_part){.to = 0, .sent = 1, .answers = 200});
    assert_true(network_room(rig.end[2], &access) <= 1); /* not known yet */
    network_exchange(&rig.network, WINDOW);
    const uint64_t busy = 200 * SECTOR_BYTES / RATE;
    assert_int_equal(network_room(rig.end[2], &access), busy - 64);
    arena_free(&rig.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_follow_one_another),
        cmocka_unit_test(all_ask_one),
        cmocka_unit_test(stores_have_no_answer),
        cmocka_unit_test(service_is_in_the_order_of_time),
        cmocka_unit_test(who_is_behind_holds_senders_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
