/* A run in parts, as a person watches it, hands on the same events in the same order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "api/simsm_front.h"

struct log {
    uint64_t hash; /* FNV-1a */
    uint64_t events;
};

static void fold(struct log *log, uint64_t value)
{
    log->hash = (log->hash ^ value) * UINT64_C(0x100000001b3);
}

static int take(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct log *log = context;
    for (size_t i = 0; i < count; i++) {
        fold(log, sm);
        fold(log, events[i].cycle);
        fold(log, (uint64_t)events[i].kind << 48 | (uint64_t)events[i].unit << 32 | events[i].arg);
        log->events++;
    }
    return 0;
}

/* Runs divergent.trace on a T4 in parts of `part` cycles, not beyond `bound`. */
static struct log run(uint64_t part, uint64_t bound, uint64_t *visited)
{
    struct log log = {UINT64_C(0xcbf29ce484222325), 0};
    struct simsm_observer observer = {.wants = UINT32_MAX, .batch = take, .context = &log};
    const struct simsm_observer *const observers[] = {&observer, NULL};
    struct simsm_options options = {.observers = observers};
    struct simsm_config config;
    struct simsm_error error;
    struct simsm *simulation = NULL;
    assert_int_equal(simsm_config_load(&config, "configs/t4.yaml", &error), SIMSM_OK);
    assert_int_equal(simsm_open(&simulation, &config, "traces/divergent.trace", &options, &error),
                     SIMSM_OK);
    enum simsm_status status;
    uint64_t until = 0;
    do {
        until = bound - until < part ? bound : until + part;
        status = simsm_advance(simulation, until, bound, &error);
    } while (status == SIMSM_LIMIT && until < bound);
    assert_int_equal(status, bound == UINT64_MAX ? SIMSM_OK : SIMSM_LIMIT);
    *visited = simsm_stats(simulation)->visited_cycles;
    simsm_close(simulation);
    return log;
}

static void parts_do_not_show(void **state)
{
    (void)state;
    static const uint64_t parts[] = {1, 37, 4096};
    uint64_t visited, again;
    struct log whole = run(UINT64_MAX, UINT64_MAX, &visited);
    assert_true(whole.events > 1000);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct log log = run(parts[i], UINT64_MAX, &again);
        assert_int_equal(log.events, whole.events);
        assert_int_equal(log.hash, whole.hash);
        assert_int_equal(again, visited);
    }
}

static void a_bound_is_kept(void **state)
{
    (void)state;
    uint64_t visited, again;
    struct log whole = run(2000, 2000, &visited);
    struct log parts = run(37, 2000, &again);
    assert_int_equal(parts.hash, whole.hash);
    assert_int_equal(again, visited);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_do_not_show),
        cmocka_unit_test(a_bound_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
