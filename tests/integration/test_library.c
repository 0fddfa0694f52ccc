/*
 * The public library as a program uses it: simulations side by side, in slices, with limits, with
 * mistakes, and with policies that misbehave.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "simsm/simsm.h"

static const char divergent[] = "traces/divergent.trace";

/* One simulation, the events of its observer, and its status. */
struct job {
    const char *config, *scheduler;
    uint32_t sms;
    struct simsm_observer observer;
    const struct simsm_observer *observers[2];
    struct simsm_options options;
    struct simsm *simulation;
    struct simsm_error error;
    enum simsm_status status;
    uint64_t digest[8]; /* of all events of each SM, in order */
};

static int on_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    uint64_t *digest = &((struct job *)context)->digest[sm];
    for (size_t i = 0; i < count; i++) {
        *digest = (*digest ^ events[i].cycle) * UINT64_C(0x9E3779B97F4A7C15);
        *digest ^= (uint64_t)events[i].arg << 32 | (uint64_t)events[i].unit << 16 |
                   (uint64_t)events[i].kind << 8 | events[i].sub;
        *digest ^= *digest >> 29;
    }
    return 0;
}

static const char *const one_round[] = {"rounds=1", NULL};

static void job_open(struct job *job, const char *config, const char *scheduler)
{
    struct simsm_config loaded;
    struct simsm_options options = job->options;
    *job = (struct job){.config = config, .scheduler = scheduler, .sms = 3, .options = options};
    assert_int_equal(simsm_config_load(&loaded, config, &job->error), SIMSM_OK);
    loaded.gpu_sms = job->sms;
    if (scheduler)
        (void)snprintf(loaded.sm_scheduler, sizeof loaded.sm_scheduler, "%s", scheduler);
    job->observer =
        (struct simsm_observer){.wants = UINT32_MAX, .batch = on_events, .context = job};
    job->observers[0] = &job->observer;
    job->options.observers = job->observers;
    job->options.parameters = one_round;
    job->options.check = true;
    if (simsm_open(&job->simulation, &loaded, divergent, &job->options, &job->error) != SIMSM_OK)
        fail_msg("%s", job->error.message);
}

static void *job_run(void *context)
{
    struct job *job = context;
    job->status = simsm_run(job->simulation, UINT64_MAX, &job->error);
    return NULL;
}

/* Everything that has been counted and seen. */
static void assert_same(struct job *a, struct job *b)
{
    const struct simsm_stats *x = simsm_stats(a->simulation), *y = simsm_stats(b->simulation);
    assert_int_equal(a->status, SIMSM_OK);
    assert_int_equal(b->status, SIMSM_OK);
    assert_true(x->complete && y->complete);
    assert_int_equal(x->cycles, y->cycles);
    assert_memory_equal(x->counter, y->counter, sizeof x->counter);
    assert_memory_equal(x->states, y->states, sizeof x->states);
    assert_memory_equal(x->lanes, y->lanes, sizeof x->lanes);
    assert_memory_equal(&x->gap, &y->gap, sizeof x->gap);
    assert_memory_equal(a->digest, b->digest, sizeof a->digest);
}

static const char *const schedulers[] = {"gto", "two_level"};
static const char *const configs[] = {"t4", "h200"};

static void solo(struct job *jobs)
{
    for (int i = 0; i < 2; i++) {
        job_open(&jobs[i], configs[i], schedulers[i]);
        (void)job_run(&jobs[i]);
    }
}

static void close_all(struct job *jobs)
{
    for (int i = 0; i < 2; i++)
        simsm_close(jobs[i].simulation);
}

static void two_threads_do_not_meet(void **state)
{
    (void)state;
    static struct job alone[2], together[2];
    pthread_t thread[2];
    solo(alone);
    for (int i = 0; i < 2; i++)
        job_open(&together[i], configs[i], schedulers[i]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, job_run, &together[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < 2; i++)
        assert_same(&alone[i], &together[i]);
    close_all(alone);
    close_all(together);
}

static void interleaved_in_slices(void **state)
{
    (void)state;
    static struct job alone[2], together[2];
    static const uint64_t slice[] = {137, 1009};
    uint64_t until[2] = {0, 0};
    bool running = true;
    solo(alone);
    for (int i = 0; i < 2; i++) {
        job_open(&together[i], configs[i], schedulers[i]);
        together[i].status = SIMSM_LIMIT;
    }
    while (running) {
        running = false;
        for (int i = 0; i < 2; i++) {
            struct job *job = &together[i];
            if (job->status != SIMSM_LIMIT)
                continue;
            until[i] += slice[i];
            job->status = simsm_run(job->simulation, until[i], &job->error);
            running = true;
        }
    }
    for (int i = 0; i < 2; i++)
        assert_same(&alone[i], &together[i]);
    close_all(alone);
    close_all(together);
}

static void limits_are_exact(void **state)
{
    (void)state;
    static struct job job;
    static const uint64_t limits[] = {0, 1, 1499, 1501, 2000, 2001, 1700, 0, 4000};
    uint64_t reached = 0;
    job_open(&job, "t4", NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        assert_int_equal(simsm_run(job.simulation, limits[i], &job.error), SIMSM_LIMIT);
        reached = limits[i] > reached ? limits[i] : reached; /* never back */
        const struct simsm_stats *stats = simsm_stats(job.simulation);
        assert_int_equal(stats->cycles, reached);
        assert_false(stats->complete);
        uint64_t sum = 0;
        for (int s = 0; s < SIMSM_STATE_COUNT; s++)
            sum += stats->states[s];
        assert_int_equal(sum, reached * stats->sms * 32);
    }
    assert_int_equal(simsm_run(job.simulation, UINT64_MAX, &job.error), SIMSM_OK);
    uint64_t cycles = simsm_stats(job.simulation)->cycles;
    assert_true(cycles > 4000);
    assert_int_equal(simsm_run(job.simulation, 1, &job.error), SIMSM_OK); /* it has ended */
    assert_int_equal(simsm_stats(job.simulation)->cycles, cycles);
    simsm_close(job.simulation);
}

static void parameters_change_the_trace(void **state)
{
    (void)state;
    static const char *const values[][2] = {{"rounds=1", NULL}, {"rounds=2", NULL}};
    uint64_t instructions[2];
    for (int i = 0; i < 2; i++) {
        struct simsm_config config;
        struct simsm_error error;
        struct simsm *simulation;
        struct simsm_options options = {.parameters = values[i]};
        assert_int_equal(simsm_config_load(&config, "t4", &error), SIMSM_OK);
        config.memory_model = SIMSM_IDEAL_memory_model;
        assert_int_equal(simsm_open(&simulation, &config, divergent, &options, &error), SIMSM_OK);
        assert_int_equal(simsm_run(simulation, UINT64_MAX, &error), SIMSM_OK);
        assert_string_equal(simsm_launch_of(simulation)->name, "divergent");
        instructions[i] = simsm_stats(simulation)->counter[SIMSM_COUNTER_INST_EXECUTED];
        simsm_close(simulation);
    }
    assert_true(instructions[1] > instructions[0] * 3 / 2);
}

/* Checks that a mistake gives no simulation, this status, and these words. */
static void assert_refused(const struct simsm_config *config, const char *trace,
                           const struct simsm_options *options, const char *words)
{
    struct simsm_error error = {0};
    struct simsm *simulation = (struct simsm *)&error; /* must be overwritten */
    char text[1200];
    assert_int_equal(simsm_open(&simulation, config, trace, options, &error), SIMSM_BAD_INPUT);
    assert_null(simulation);
    assert_int_equal(error.status, SIMSM_BAD_INPUT);
    if (!strstr(simsm_error_text(&error, text, sizeof text), words))
        fail_msg("expected \"%s\" in: %s", words, text);
}

static void mistakes_have_messages(void **state)
{
    (void)state;
    struct simsm_config good, config;
    struct simsm_error error;
    static const char *const unknown[] = {"turns=3", NULL}, *const no_number[] = {"rounds=x", NULL};
    assert_int_equal(simsm_config_load(&good, "t4", &error), SIMSM_OK);
    assert_int_equal(simsm_config_load(&config, "no/such.yaml", &error), SIMSM_BAD_INPUT);
    char text[1200];
    assert_non_null(strstr(simsm_error_text(&error, text, sizeof text), "no/such.yaml"));
    assert_refused(&good, "no/such.trace", NULL, "no/such.trace");
    assert_refused(&good, divergent, &(struct simsm_options){.parameters = unknown}, "turns");
    assert_refused(&good, divergent, &(struct simsm_options){.parameters = no_number}, "rounds");
    config = good;
    (void)snprintf(config.sm_scheduler, sizeof config.sm_scheduler, "fifo");
    assert_refused(&config, divergent, NULL, "fifo");
    config = good;
    (void)snprintf(config.dispatch_policy, sizeof config.dispatch_policy, "random");
    assert_refused(&config, divergent, NULL, "random");
    config = good;
    config.sm_dependence = SIMSM_CONTROL_BITS_dependence;
    assert_refused(&config, divergent, NULL, "control_bits");
    config = good;
    config.sm_shared_bytes = config.sm_l1_shared_bytes + 1;
    assert_refused(&config, divergent, NULL, "shared_bytes");
    config = good;
    config.sm_registers = config.sm_registers_per_block = 2048;
    assert_refused(&config, divergent, NULL, "divergent.trace");
}

/* Opens a trace that is written here, on one SM of the teaching GPU. */
static struct simsm *open_text(const char *text, const struct simsm_options *options)
{
    char path[] = "/tmp/simsm-library-XXXXXX";
    struct simsm_config config;
    struct simsm_error error;
    struct simsm *simulation = NULL;
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(simsm_config_load(&config, "configs/teaching.yaml", &error), SIMSM_OK);
    enum simsm_status status = simsm_open(&simulation, &config, path, options, &error);
    (void)unlink(path); /* the library does not need it any more */
    if (status != SIMSM_OK)
        fail_msg("%s", error.message);
    return simulation;
}

static void deadlock_is_named(void **state)
{
    (void)state;
    struct simsm_error error;
    struct simsm *simulation = open_text("kernel k\ngrid 1\nblock 64\nregisters 16\n"
                                         "warps 0 { BAR.SYNC 1, 64 } else { BAR.SYNC 2, 64 }\n",
                                         &(struct simsm_options){.check = true});
    assert_int_equal(simsm_run(simulation, UINT64_MAX, &error), SIMSM_FAILED);
    assert_non_null(strstr(error.message, "deadlock"));
    assert_non_null(strstr(error.message, "BAR.SYNC 1, 64"));
    assert_false(simsm_stats(simulation)->complete);
    simsm_close(simulation);
    simsm_close(NULL);
}

static int refuse(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    (void)context;
    (void)sm;
    (void)events;
    (void)count;
    return 1;
}

static void observers_can_stop_a_run(void **state)
{
    (void)state;
    struct simsm_error error;
    struct simsm_observer observer = {.wants = 1u << SIMSM_EVENT_ISSUE, .batch = refuse};
    const struct simsm_observer *observers[] = {&observer, NULL};
    struct simsm *simulation =
        open_text("kernel k\ngrid 1\nblock 32\nregisters 16\nloop 100000 { NOP }\n",
                  &(struct simsm_options){.observers = observers});
    assert_int_equal(simsm_run(simulation, UINT64_MAX, &error), SIMSM_FAILED);
    assert_true(simsm_stats(simulation)->cycles < 10000);
    simsm_close(simulation);
}

/* Answers anything that is allowed: an eligible slot or, often, none. */
static int pick_anything(void *state, const struct simsm_sched_view *view)
{
    uint64_t *random = state;
    *random = *random * UINT64_C(6364136223846793005) + view->cycle + 1442695040888963407u;
    uint64_t skip = (*random >> 33) % view->slots, mask = view->eligible;
    while (skip-- && mask & (mask - 1))
        mask &= mask - 1;
    return *random >> 62 ? __builtin_ctzll(mask) : -1;
}

/* Holds back after every few blocks. */
static uint32_t pick_any_sm(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    (void)freed;
    uint32_t *calls = state, sm = ++*calls % count;
    while (!sms[sm].free_blocks)
        sm = (sm + 1) % count;
    return *calls % 7 ? sm : SIMSM_HOLD;
}

/* Ends what holds back, and counts on what it has been told. */
static uint64_t tick_any(void *state, const struct simsm_sm_view *sms, uint32_t count,
                         uint64_t cycle)
{
    uint32_t *calls = state;
    for (uint32_t i = 0; i < count; i++)
        *calls += (uint32_t)(sms[i].active * 3 + sms[i].idle * 5 + sms[i].memory * 7);
    return cycle + 333;
}

static const struct simsm_scheduler wild = {
    .name = "wild",
    .summary = "anything",
    .state_size = sizeof(uint64_t),
    .pick = pick_anything,
};

static const struct simsm_dispatcher wild_dispatcher = {
    .name = "wild",
    .summary = "anything",
    .state_size = sizeof(uint32_t),
    .pick = pick_any_sm,
    .tick = tick_any,
};

static void wild_policies_break_nothing(void **state)
{
    (void)state;
    static struct job tame, run[3];
    job_open(&tame, "t4", NULL);
    (void)job_run(&tame);
    for (int i = 0; i < 3; i++) {
        run[i].options = (struct simsm_options){.scheduler = &wild,
                                                .dispatcher = &wild_dispatcher,
                                                .no_skip = i == 1,
                                                .window = i == 2 ? 7 : 0};
        job_open(&run[i], "t4", NULL);
        (void)job_run(&run[i]);
        assert_same(&run[0], &run[i]);
    }
    const struct simsm_stats *a = simsm_stats(tame.simulation), *b = simsm_stats(run[0].simulation);
    assert_int_equal(a->counter[SIMSM_COUNTER_INST_EXECUTED],
                     b->counter[SIMSM_COUNTER_INST_EXECUTED]);
    assert_int_equal(a->blocks_done, b->blocks_done);
    assert_memory_equal(a->lanes, b->lanes, sizeof a->lanes);
    assert_true(b->cycles > a->cycles);
    simsm_close(tame.simulation);
    for (int i = 0; i < 3; i++)
        simsm_close(run[i].simulation);
}

static int pick_none(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    (void)view;
    return -1;
}

static void a_scheduler_that_never_picks_meets_the_limit(void **state)
{
    (void)state;
    static const struct simsm_scheduler idle = {.name = "idle", .summary = "", .pick = pick_none};
    static struct job job;
    job.options = (struct simsm_options){.scheduler = &idle};
    job_open(&job, "t4", NULL);
    assert_int_equal(simsm_run(job.simulation, 20000, &job.error), SIMSM_LIMIT);
    const struct simsm_stats *stats = simsm_stats(job.simulation);
    assert_int_equal(stats->cycles, 20000);
    assert_int_equal(stats->counter[SIMSM_COUNTER_INST_EXECUTED], 0);
    assert_true(stats->states[SIMSM_STATE_NOT_SELECTED] > 0);
    simsm_close(job.simulation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads_do_not_meet),
        cmocka_unit_test(interleaved_in_slices),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(parameters_change_the_trace),
        cmocka_unit_test(mistakes_have_messages),
        cmocka_unit_test(deadlock_is_named),
        cmocka_unit_test(observers_can_stop_a_run),
        cmocka_unit_test(wild_policies_break_nothing),
        cmocka_unit_test(a_scheduler_that_never_picks_meets_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
