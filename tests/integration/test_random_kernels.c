/*
 * Random kernels under random configurations and all policies: the invariants hold, and neither
 * skipping idle cycles nor the length of the windows changes a single event.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/err.h"
#include "gpu/gpu.h"
#include "unit/often.h"
#include "unit/random_front.h"

enum { KERNELS = OFTEN(600), MAX_SMS = 4 };

struct record {
    uint64_t hash[MAX_SMS]; /* of all events of each SM, in order */
    uint64_t events;
    uint64_t issues;
};

static int on_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct record *record = context;
    for (size_t i = 0; i < count; i++) {
        const struct simsm_event *e = &events[i];
        uint64_t hash = record->hash[sm];
        hash = (hash ^ e->cycle) * UINT64_C(0x100000001B3);
        hash = (hash ^ e->arg) * UINT64_C(0x100000001B3);
        hash = (hash ^ ((uint64_t)e->unit << 16 | (uint64_t)e->kind << 8 | e->sub)) *
               UINT64_C(0x100000001B3);
        record->hash[sm] = hash ^ hash >> 29;
        record->issues += e->kind == SIMSM_EVENT_ISSUE;
    }
    record->events += count;
    return 0;
}

static const struct simsm_scheduler *scheduler_for(uint64_t seed)
{
    unsigned count = 0;
    while (simsm_schedulers[count])
        count++;
    return simsm_schedulers[seed % count];
}

static const struct simsm_dispatcher *dispatcher_for(uint64_t seed)
{
    return simsm_dispatchers[seed / 5 % 2];
}

/* Small caches of code and constants behind which the GPC's cache and L2 are asked often, and small
 * pages. */
static void random_supply(struct simsm_config *config, uint64_t *random)
{
    if (random_below(random, 2))
        config->fetch_launch_bytes = config->constant_launch_bytes = 0;
    if (random_below(random, 2))
        config->fetch_l15_bytes = 1024;
    config->fetch_line_bytes = 32;
    config->fetch_l0_bytes = 128;
    config->fetch_l1_bytes = 256;
    config->fetch_gpc_line_bytes = 32u << random_below(random, 3);
    config->fetch_gpc_interval = 0.7 * (double)random_below(random, 40);
    config->fetch_l15_interval = 0.3 * (double)random_below(random, 20);
    config->fetch_l15_latency = 1 + random_below(random, 50);
    config->constant_l1_latency = 1 + random_below(random, 50);
    config->tlb_entries = random_below(random, 20);
    config->tlb_reach_bytes = 1 << 16;
    config->tlb_page_bytes = (1u << 16) << random_below(random, 4);
}

static void random_config(struct simsm_config *config, uint64_t seed)
{
    struct simsm_error error;
    uint64_t random = seed ^ 0xC0FFEE;
    static const char *const names[] = {"t4", "h200", "gtx1080", "a100", "h100"};
    assert_int_equal(simsm_config_load(config, names[random_below(&random, 5)], &error), SIMSM_OK);
    config->gpu_sms = 1 + random_below(&random, MAX_SMS);
    config->memory_model = (enum simsm_memory_model)random_below(&random, 4);
    config->fetch_ideal = random_below(&random, 4) == 0;
    config->fetch_latency = 1 + random_below(&random, 6);
    config->fetch_l0_bytes = 256u << random_below(&random, 4);
    config->issue_branch_resolve = random_below(&random, 12);
    config->issue_register_ports = random_below(&random, 2);
    config->mio_queue_entries = 1 + random_below(&random, 6);
    config->barrier_latency = random_below(&random, 20);
    config->dispatch_block_latency = 1 + random_below(&random, 300);
    config->dispatch_end_interval = 0.7 * (double)random_below(&random, 30);
    config->gpu_launch_cycles = random_below(&random, 100);
    config->dispatch_slot_rotation = random_below(&random, 2);
    config->l1_mshrs = 1 + random_below(&random, 64);
    if (random_below(&random, 2))
        random_supply(config, &random);
}

struct variant {
    bool no_skip;
    uint64_t window, slice;
};

static void run(uint64_t seed, struct variant variant, struct record *record,
                struct simsm_stats *stats)
{
    struct simsm_config config;
    struct simsm_error error = {0};
    struct simsm_occupancy occupancy;
    random_config(&config, seed);
    struct front *front = random_front_open(seed);
    front->launch.untranslated = seed % 2;
    struct simsm_observer observer = {.wants = UINT32_MAX, .batch = on_events, .context = record};
    const struct simsm_observer *observers[] = {&observer, NULL};
    *record = (struct record){0};
    assert_int_equal(simsm_occupancy(&config, &front->launch, &occupancy, &error), SIMSM_OK);
    struct gpu_setup setup = {
        .config = &config,
        .front = front,
        .occupancy = &occupancy,
        .scheduler = scheduler_for(seed),
        .dispatcher = dispatcher_for(seed),
        .observers = observers,
        .no_skip = variant.no_skip,
        .check = true,
        .window = variant.window,
    };
    struct gpu *gpu = gpu_create(&setup);
    assert_non_null(gpu);
    enum simsm_status status = SIMSM_LIMIT;
    for (uint64_t until = variant.slice; status == SIMSM_LIMIT; until += variant.slice) {
        uint64_t bound = variant.slice ? until : UINT64_MAX;
        status = gpu_run(gpu, bound, bound, &error);
    }
    if (status != SIMSM_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    gpu_stats(gpu, stats);
    stats->lines = NULL;
    gpu_destroy(gpu);
    front->ops->close(front);
}

static void compare(uint64_t seed, const char *what, const struct record *a, const struct record *b)
{
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("seed %llu: %s changes the run: %llu events become %llu", (unsigned long long)seed,
                 what, (unsigned long long)a->events, (unsigned long long)b->events);
}

static void check_kernel(uint64_t seed)
{
    struct record plain, other;
    struct simsm_stats stats, other_stats;
    run(seed, (struct variant){0}, &plain, &stats);
    assert_int_equal(plain.issues, stats.counter[SIMSM_COUNTER_INST_EXECUTED]);
    assert_true(stats.complete);
    run(seed, (struct variant){.window = 1 + seed % 7, .slice = seed % 3 ? 0 : 100 + seed % 991},
        &other, &other_stats);
    compare(seed, "the window", &plain, &other);
    assert_memory_equal(stats.counter, other_stats.counter, sizeof stats.counter);
    assert_memory_equal(stats.states, other_stats.states, sizeof stats.states);
    if (seed % 4 == 0) {
        run(seed, (struct variant){.no_skip = true}, &other, &other_stats);
        compare(seed, "--no-skip", &plain, &other);
        assert_memory_equal(stats.counter, other_stats.counter, sizeof stats.counter);
    }
}

static void random_kernels(void **state)
{
    (void)state;
    const char *one = getenv("SEED"); /* to repeat one that failed */
    if (one)
        check_kernel(strtoull(one, NULL, 10));
    for (uint64_t seed = 0; !one && seed < KERNELS; seed++)
        check_kernel(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
