/*
 * Policies of one's own: what they see, that it does not depend on windows, and what happens when
 * they answer what they must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "simsm/simsm.h"

enum { SMS = 3 };

static const char divergent[] = "traces/divergent.trace";
static const char reuse[] = "traces/policies/reuse.trace";
static const char *const one_round[] = {"rounds=1", NULL};
static const char *const two_rounds[] = {"rounds=2", NULL};

/* The result of one run. */
struct result {
    enum simsm_status status;
    struct simsm_error error;
    struct simsm_stats stats; /* its counters and states; pointers are gone */
};

/* The options of a run. Results must be equal for all of them. */
static const struct simsm_options ways[] = {{0}, {.no_skip = true}, {.window = 1}, {.window = 13}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void run_trace(struct result *result, const char *trace, const struct simsm_options *way,
                      const struct simsm_policy_module *module, const char *const *settings)
{
    struct simsm_config config;
    struct simsm_options options = *way;
    struct simsm *simulation;
    memset(result, 0, sizeof *result);
    options.parameters = trace == divergent ? one_round : two_rounds;
    options.module = module;
    options.check = true;
    assert_int_equal(simsm_config_load(&config, "t4", &result->error), SIMSM_OK);
    config.gpu_sms = SMS;
    for (; settings && *settings; settings++)
        assert_int_equal(simsm_config_set(&config, *settings, &result->error), SIMSM_OK);
    result->status = simsm_open(&simulation, &config, trace, &options, &result->error);
    if (result->status != SIMSM_OK)
        return;
    result->status = simsm_run(simulation, UINT64_MAX, &result->error);
    result->stats = *simsm_stats(simulation);
    simsm_close(simulation);
}

static void run(struct result *result, const struct simsm_options *way,
                const struct simsm_policy_module *module, const char *const *settings)
{
    run_trace(result, divergent, way, module, settings);
}

static const char *const use_scheduler[] = {"sm.scheduler=module", NULL};
static const char *const use_dispatcher[] = {"dispatch.policy=module", NULL};

/* Runs it in all ways; all fail with the same message, which holds `words`. */
static void assert_fails(const struct simsm_policy_module *module, const char *const *settings,
                         const char *words)
{
    static struct result first, other;
    for (int i = 0; i < WAYS; i++) {
        run(i ? &other : &first, &ways[i], module, settings);
        const struct result *result = i ? &other : &first;
        assert_int_equal(result->status, SIMSM_FAILED);
        if (!strstr(result->error.message, words))
            fail_msg("no \"%s\" in: %s", words, result->error.message);
        assert_string_equal(first.error.message, result->error.message);
    }
}

static struct simsm_policy_module with_scheduler(const struct simsm_scheduler *scheduler)
{
    return (struct simsm_policy_module){.head = SIMSM_POLICY_HEAD,
                                        .name = "mine",
                                        .summary = "",
                                        .schedulers = scheduler,
                                        .scheduler_count = 1};
}

static struct simsm_policy_module with_dispatcher(const struct simsm_dispatcher *dispatcher)
{
    return (struct simsm_policy_module){.head = SIMSM_POLICY_HEAD,
                                        .name = "mine",
                                        .summary = "",
                                        .dispatchers = dispatcher,
                                        .dispatcher_count = 1};
}

static int pick_lowest(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return __builtin_ctzll(view->eligible);
}

static int pick_beyond(void *state, const struct simsm_sched_view *view)
{
    return view->cycle < 3000 ? pick_lowest(state, view) : (int)view->slots;
}

static int pick_negative(void *state, const struct simsm_sched_view *view)
{
    return view->sm < 1 || view->cycle < 3000 ? pick_lowest(state, view) : -2;
}

static int pick_ineligible(void *state, const struct simsm_sched_view *view)
{
    uint64_t others = ~view->eligible & ((UINT64_C(1) << view->slots) - 1);
    return view->cycle < 3000 || !others ? pick_lowest(state, view) : __builtin_ctzll(others);
}

static void wrong_picks_end_the_run(void **state)
{
    (void)state;
    static const struct {
        int (*pick)(void *state, const struct simsm_sched_view *view);
        const char *words;
    } cases[] = {
        {pick_beyond, "the scheduler 'wrong' picked slot 8 of sub-partition "},
        {pick_negative, "picked slot -2 of sub-partition "},
        {pick_ineligible, "which cannot issue; it may pick "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct simsm_scheduler wrong = {
            .name = "wrong", .summary = "", .pick = cases[i].pick};
        const struct simsm_policy_module module = with_scheduler(&wrong);
        assert_fails(&module, use_scheduler, cases[i].words);
    }
}

static int pick_none(void *state, const struct simsm_sched_view *view)
{
    return view->cycle < 4000 ? pick_lowest(state, view) : -1;
}

static void a_scheduler_that_holds_back_for_ever_is_named(void **state)
{
    (void)state;
    const struct simsm_scheduler idle = {.name = "idle", .summary = "", .pick = pick_none};
    const struct simsm_policy_module module = with_scheduler(&idle);
    assert_fails(&module, use_scheduler, "no progress: the scheduler 'idle' holds back");
}

static uint32_t pick_no_sm(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    (void)state;
    (void)sms;
    return freed < 0 ? count : 0;
}

static uint32_t pick_full_sm(void *state, const struct simsm_sm_view *sms, uint32_t count,
                             int freed)
{
    (void)state;
    (void)freed;
    for (uint32_t sm = 0; sm < count; sm++)
        if (!sms[sm].free_blocks)
            return sm;
    return 0;
}

static uint32_t pick_first_then_hold(void *state, const struct simsm_sm_view *sms, uint32_t count,
                                     int freed)
{
    (void)state;
    (void)count;
    (void)freed;
    return sms[0].resident_blocks ? SIMSM_HOLD : 0;
}

static uint32_t pick_hold(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    (void)state;
    (void)sms;
    (void)count;
    (void)freed;
    return SIMSM_HOLD;
}

static uint64_t tick_often(void *state, const struct simsm_sm_view *sms, uint32_t count,
                           uint64_t cycle)
{
    (void)state;
    (void)sms;
    (void)count;
    return cycle + 100;
}

static void wrong_dispatchers_end_the_run(void **state)
{
    (void)state;
    static const struct {
        struct simsm_dispatcher dispatcher;
        const char *words;
    } cases[] = {
        {{.name = "nowhere", .summary = "", .pick = pick_no_sm},
         "the dispatcher 'nowhere' chose SM 3 of 3 for block 0 at cycle 0, which does not exist"},
        {{.name = "full", .summary = "", .pick = pick_full_sm},
         "the dispatcher 'full' chose SM 0 of 3 for block 8 at cycle 0, which has no room"},
        {{.name = "held", .summary = "", .pick = pick_hold},
         "no progress: the dispatcher 'held' holds back"},
        {{.name = "held", .summary = "", .pick = pick_hold, .tick = tick_often},
         "no progress: the dispatcher 'held' holds back"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct simsm_policy_module module = with_dispatcher(&cases[i].dispatcher);
        assert_fails(&module, use_dispatcher, cases[i].words);
    }
}

/* A dispatcher that lets one block run at a time completes, and takes longer. */
static void a_dispatcher_can_hold_back(void **state)
{
    (void)state;
    static struct result one, all;
    const struct simsm_dispatcher single = {
        .name = "single", .summary = "", .pick = pick_first_then_hold};
    const struct simsm_policy_module module = with_dispatcher(&single);
    run(&all, &ways[0], NULL, NULL);
    for (int i = 0; i < WAYS; i += 2) {
        run(&one, &ways[i], &module, use_dispatcher);
        assert_int_equal(one.status, SIMSM_OK);
        assert_int_equal(one.stats.blocks_done, all.stats.blocks_done);
        assert_true(one.stats.cycles > 4 * all.stats.cycles);
    }
}

/* Counts of a policy that looks at all that it can see. They belong to the test, not to the
 * policy. */
static uint64_t seen[SMS + 1], wrong_views, kinds, picks, busy, idle_cycles, memory_cycles;

static void mix(uint64_t *digest, uint64_t value)
{
    *digest = (*digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    *digest ^= *digest >> 29;
}

struct shared {
    uint64_t issues, slots;
};

static void sm_init(void *sm_state, const struct simsm_policy_setup *setup)
{
    struct shared *shared = sm_state;
    wrong_views += shared->issues != 0 || shared->slots != 0;
    shared->slots = (uint64_t)setup->slots * setup->sub_partitions;
}

static int pick_looking(void *state, const struct simsm_sched_view *view)
{
    uint64_t *issues = state;
    struct shared *shared = view->sm_state;
    int slot = pick_lowest(NULL, view);
    struct simsm_next next = view->next(view, (uint32_t)slot);
    bool global = next.kind == SIMSM_NEXT_LOAD || next.kind == SIMSM_NEXT_STORE;
    wrong_views += (view->to_memory & ~view->eligible) != 0;
    wrong_views += (view->eligible & ~view->resident) != 0;
    wrong_views += global != (view->to_memory >> slot & 1);
    wrong_views += next.index >= view->setup->instructions || view->sm >= SMS;
    wrong_views += view->setup->slots != view->slots || shared->slots != 32;
    wrong_views += view->next(view, 63).index != UINT32_MAX;
    kinds |= UINT64_C(1) << next.kind;
    picks++;
    (*issues)++;
    shared->issues++;
    mix(&seen[view->sm], view->cycle);
    mix(&seen[view->sm], view->eligible ^ view->memory_pending << 8 ^ view->synchronizing << 16);
    mix(&seen[view->sm], shared->issues << 32 | *issues << 8 | view->sub_partition);
    mix(&seen[view->sm], (uint64_t)next.index << 32 | next.lanes);
    return slot;
}

static uint64_t tick_looking(void *state, const struct simsm_sm_view *sms, uint32_t count,
                             uint64_t cycle)
{
    uint64_t *ticks = state;
    wrong_views += cycle != *ticks * 500;
    for (uint32_t i = 0; i < count; i++) {
        mix(&seen[SMS], sms[i].active);
        mix(&seen[SMS], sms[i].idle);
        mix(&seen[SMS], sms[i].memory);
        mix(&seen[SMS], sms[i].free_blocks);
        wrong_views += sms[i].memory > sms[i].idle || sms[i].idle > sms[i].active;
        wrong_views += sms[i].active > 4 * 500;
        busy += sms[i].active - sms[i].idle;
        idle_cycles += sms[i].idle;
        memory_cycles += sms[i].memory;
    }
    wrong_views += busy != picks; /* each of them an issue */
    return ++*ticks * 500;
}

static uint32_t pick_room(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    uint32_t sm = 0;
    (void)state;
    (void)freed;
    while (sm + 1 < count && !sms[sm].free_blocks)
        sm++;
    return sm;
}

/* Whatever a policy can see is the same however the run is made. */
static void views_do_not_depend_on_windows(void **state)
{
    (void)state;
    static struct result result;
    uint64_t first[SMS + 1];
    const struct simsm_scheduler scheduler = {
        .name = "looking", .summary = "", .state_size = sizeof(uint64_t), .pick = pick_looking};
    const struct simsm_dispatcher dispatcher = {.name = "looking",
                                                .summary = "",
                                                .state_size = sizeof(uint64_t),
                                                .pick = pick_room,
                                                .tick = tick_looking};
    struct simsm_policy_module module = with_scheduler(&scheduler);
    module.dispatchers = &dispatcher;
    module.dispatcher_count = 1;
    module.sm_state_size = sizeof(struct shared);
    module.sm_init = sm_init;
    static const char *const both[] = {"sm.scheduler=looking", "dispatch.policy=looking", NULL};
    for (int i = 0; i < WAYS; i++) {
        memset(seen, 0, sizeof seen);
        picks = busy = idle_cycles = memory_cycles = 0;
        run(&result, &ways[i], &module, both);
        assert_int_equal(result.status, SIMSM_OK);
        assert_int_equal(wrong_views, 0);
        if (i)
            assert_memory_equal(seen, first, sizeof seen);
        memcpy(first, seen, sizeof seen);
    }
    assert_true(memory_cycles > 1000 && idle_cycles > memory_cycles + 1000);
    assert_int_equal(kinds, 1u << SIMSM_NEXT_OTHER | 1u << SIMSM_NEXT_LOAD |
                                1u << SIMSM_NEXT_STORE | 1u << SIMSM_NEXT_SHARED |
                                1u << SIMSM_NEXT_BRANCH | 1u << SIMSM_NEXT_BARRIER);
}

/* The state that an L1 policy shares with the schedulers of its SM. */
struct told {
    uint64_t accesses, evictions;
};

static uint64_t accesses, evictions, owned, present;

static void look_at_l1(void *state, const struct simsm_l1_view *view,
                       struct simsm_l1_answer *answer)
{
    struct told *told = state;
    uint64_t *digest = &seen[view->sm];
    mix(digest, view->cycle);
    mix(digest, view->present);
    for (uint32_t i = 0; i < view->lines; i++)
        mix(digest, view->line[i]);
    for (uint32_t i = 0; i < view->evictions; i++) {
        mix(digest, view->evicted[i].line << 6 | view->evicted[i].slot);
        owned += view->evicted[i].slot < 32;
    }
    wrong_views += view->slot >= 32 || !view->lines || view->index >= view->setup->instructions;
    wrong_views += view->setup->l1_bytes != 64 * 1024 || view->setup->l1_line_bytes != 128;
    accesses++;
    told->accesses++;
    told->evictions += view->evictions;
    evictions += view->evictions;
    present += view->present != 0;
    answer->bypass = view->line[0] % 5 == 0;
    answer->prefetches = (uint32_t)(view->line[0] % 3);
    answer->prefetch[0] = view->line[0] + 40;
    answer->prefetch[1] = view->line[0] + 80;
}

static int pick_told(void *state, const struct simsm_sched_view *view)
{
    const struct told *told = view->sm_state;
    (void)state;
    mix(&seen[view->sm], view->cycle ^ told->accesses << 32 ^ told->evictions << 48);
    return pick_lowest(NULL, view);
}

/* Bypasses, prefetches and evictions, and when schedulers learn of them, do not depend on windows.
 */
static void l1_policies_see_the_same_whatever_the_window(void **state)
{
    (void)state;
    static struct result result;
    uint64_t first[SMS + 1];
    const struct simsm_l1_policy l1 = {.name = "looking", .summary = "", .on_access = look_at_l1};
    const struct simsm_scheduler scheduler = {.name = "told", .summary = "", .pick = pick_told};
    struct simsm_policy_module module = with_scheduler(&scheduler);
    module.l1_policies = &l1;
    module.l1_policy_count = 1;
    module.sm_state_size = sizeof(struct told);
    static const char *const settings[] = {
        "sm.scheduler=told", "policy.l1=looking",       "l1.mshrs=16", "l1.ways=4",
        "l1.store_cycles=0", "l1.store_allocate=false", NULL};
    for (int i = 0; i < WAYS; i++) {
        memset(seen, 0, sizeof seen);
        accesses = evictions = owned = present = 0;
        run_trace(&result, reuse, &ways[i], &module, settings);
        assert_int_equal(result.status, SIMSM_OK);
        assert_int_equal(wrong_views, 0);
        if (i)
            assert_memory_equal(seen, first, sizeof seen);
        memcpy(first, seen, sizeof seen);
    }
    /* Each load brings its line and at most two more. */
    assert_true(evictions > 1000 && evictions < 3 * accesses);
    assert_true(owned == evictions && present > 1000);
}

static void keep_out(void *state, const struct simsm_l1_view *view, struct simsm_l1_answer *answer)
{
    (void)state;
    wrong_views += view->present != 0;
    answer->bypass = true;
}

static void bring_next(void *state, const struct simsm_l1_view *view,
                       struct simsm_l1_answer *answer)
{
    (void)state;
    answer->prefetch[answer->prefetches++] = view->line[0] + 1;
}

static void bring_too_much(void *state, const struct simsm_l1_view *view,
                           struct simsm_l1_answer *answer)
{
    (void)state;
    answer->prefetches = view->cycle > 3000 ? SIMSM_PREFETCHES + 1 : 0;
}

static void l1_policies_keep_lines_out_and_are_checked(void **state)
{
    (void)state;
    static struct result result, plain;
    const struct simsm_l1_policy next = {.name = "next", .summary = "", .on_access = bring_next};
    const struct simsm_l1_policy out = {.name = "out", .summary = "", .on_access = keep_out};
    const struct simsm_l1_policy wrong = {
        .name = "greedy", .summary = "", .on_access = bring_too_much};
    struct simsm_policy_module module = {.head = SIMSM_POLICY_HEAD,
                                         .name = "mine",
                                         .summary = "",
                                         .l1_policies = &out,
                                         .l1_policy_count = 1};
    static const char *const settings[] = {"policy.l1=module", NULL};
    run_trace(&result, reuse, &ways[0], &module, settings);
    assert_int_equal(result.status, SIMSM_OK);
    assert_int_equal(result.stats.counter[SIMSM_COUNTER_GLOBAL_LD_SECTOR_HITS], 0);
    assert_int_equal(wrong_views, 0);
    module.l1_policies = &next;
    run_trace(&plain, reuse, &ways[0], NULL, NULL);
    run_trace(&result, reuse, &ways[0], &module, settings);
    assert_int_equal(result.status, SIMSM_OK);
    assert_true(result.stats.cycles < plain.stats.cycles * 3 / 4);
    module.l1_policies = &wrong;
    assert_fails(&module, settings, "the L1 policy 'greedy' asked for 9 prefetches at cycle ");
}

static void assert_refused(const struct simsm_policy_module *module, const char *setting,
                           const char *words)
{
    static struct result result;
    const char *const settings[] = {setting, NULL};
    run(&result, &ways[0], module, setting ? settings : NULL);
    assert_int_equal(result.status, SIMSM_BAD_INPUT);
    if (!strstr(result.error.message, words))
        fail_msg("no \"%s\" in: %s", words, result.error.message);
}

static void tables_and_parameters_are_checked(void **state)
{
    (void)state;
    const struct simsm_scheduler fine = {.name = "fine", .summary = "", .pick = pick_lowest};
    const struct simsm_scheduler empty = {.name = "empty", .summary = ""};
    const struct simsm_policy_param params[] = {
        {"limit", "", SIMSM_PARAM_WHOLE, 4, 1, 64},
        {"share", "", SIMSM_PARAM_REAL, 0.5, 0, 1},
        {"strict", "", SIMSM_PARAM_BOOL, 0, 0, 1},
    };
    struct simsm_policy_module module = with_scheduler(&fine);
    module.params = params;
    module.param_count = 3;
    assert_refused(&module, "policy.params.limit=65", "65 is above 64, the most allowed");
    assert_refused(&module, "policy.params.limit=0", "0 is below 1, the least allowed");
    assert_refused(&module, "policy.params.limit=2.5", "expects a whole number from 1 to 64");
    assert_refused(&module, "policy.params.share=1.01", "above 1");
    assert_refused(&module, "policy.params.share=a", "expects a number from 0 to 1, found \"a\"");
    assert_refused(&module, "policy.params.strict=1", "expects true or false");
    assert_refused(&module, "policy.params.lmit=3", "it has limit, share, strict");
    assert_refused(&module, "sm.scheduler=other", "neither here nor in the plugin mine");
    assert_refused(&module, "dispatch.policy=module", "the plugin mine has no such policy");
    assert_refused(NULL, "policy.params.limit=3", "there is no plugin that they are for");
    module.head.abi++;
    assert_refused(&module, NULL, "has version 2 of the interface for policies");
    module = with_scheduler(&fine);
    module.head.scheduler += 8;
    assert_refused(&module, NULL, "was compiled with another simsm/policy.h");
    module = with_scheduler(&empty);
    assert_refused(&module, NULL, "in 'empty'");
    module = with_scheduler(&fine);
    module.scheduler_count = 0;
    assert_refused(&module, NULL, "holds no policy");
}

/* Modules that lack something, have a name that stands for something else, or want too much. */
static void incomplete_tables_are_refused(void **state)
{
    (void)state;
    enum { MOST = 16 << 20 };
    static const struct simsm_scheduler schedulers[] = {
        {.name = "no-name", .summary = "", .pick = pick_lowest},
        {.name = "a2345678901234567890123456789012", .summary = "", .pick = pick_lowest},
        {.name = "none", .summary = "", .pick = pick_lowest},
        {.name = "module", .summary = "", .pick = pick_lowest},
        {.name = "large", .summary = "", .pick = pick_lowest, .state_size = MOST + 1},
        {.name = "silent", .pick = pick_lowest},
    };
    static const struct simsm_dispatcher dispatchers[] = {
        {.name = "empty", .summary = ""},
        {.name = "large", .summary = "", .pick = pick_room, .state_size = MOST + 1},
    };
    static const struct simsm_l1_policy l1 = {.name = "empty", .summary = ""};
    static const struct simsm_path_order order = {.name = "empty", .summary = ""};
    static const struct simsm_scheduler fine = {.name = "fine", .summary = "", .pick = pick_lowest};
    const char *const need = "a policy needs a name";
    struct simsm_policy_module module;
    for (size_t i = 0; i < sizeof schedulers / sizeof schedulers[0]; i++) {
        module = with_scheduler(&schedulers[i]);
        assert_refused(&module, NULL, need);
    }
    for (size_t i = 0; i < sizeof dispatchers / sizeof dispatchers[0]; i++) {
        module = with_dispatcher(&dispatchers[i]);
        assert_refused(&module, NULL, need);
    }
    module = with_scheduler(&fine);
    module.l1_policies = &l1;
    module.l1_policy_count = 1;
    assert_refused(&module, NULL, need);
    module = with_scheduler(&fine);
    module.path_order = &order;
    assert_refused(&module, NULL, need);
    module = with_scheduler(&fine);
    module.name = "two words";
    assert_refused(&module, NULL, "a plugin needs a name");
    module = with_scheduler(NULL);
    assert_refused(&module, NULL, "a list of policies is missing");
    module = with_scheduler(&fine);
    module.scheduler_count = 65;
    assert_refused(&module, NULL, "or too long");
    module = with_scheduler(&fine);
    module.sm_state_size = MOST + 1;
    assert_refused(&module, NULL, "or the state too large");
}

static void wrong_parameters_are_refused(void **state)
{
    (void)state;
    static const struct simsm_scheduler fine = {.name = "fine", .summary = "", .pick = pick_lowest};
    static const struct {
        struct simsm_policy_param param;
        const char *words;
    } wrong[] = {{{"a b", "", SIMSM_PARAM_WHOLE, 1, 0, 2}, "a parameter needs a name"},
                 {{"a", NULL, SIMSM_PARAM_WHOLE, 1, 0, 2}, "a parameter needs a name"},
                 {{"a", "", SIMSM_PARAM_WHOLE, 3, 0, 2}, "outside its range in 'a'"},
                 {{"a", "", SIMSM_PARAM_REAL, -1, 0, 2}, "outside its range in 'a'"},
                 {{"a", "", SIMSM_PARAM_BOOL + 1, 1, 0, 2}, "outside its range in 'a'"}};
    static const struct simsm_policy_param small = {"small", "", SIMSM_PARAM_REAL, 0.5, 0, 1};
    struct simsm_policy_module module = with_scheduler(&fine);
    module.param_count = 1;
    assert_refused(&module, NULL, "the table of parameters is missing");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        module.params = &wrong[i].param;
        assert_refused(&module, NULL, wrong[i].words);
    }
    module.params = &small;
    assert_refused(&module, "policy.params.small=1e-301", "expects a number from 0 to 1");
    assert_refused(&module, "policy.params.small=.", "expects a number from 0 to 1");
}

static double read_params[3];

static void note_params(void *state, const struct simsm_policy_setup *setup)
{
    (void)state;
    memcpy(read_params, setup->param, sizeof read_params);
}

static void parameters_have_their_values(void **state)
{
    (void)state;
    static struct result result;
    const struct simsm_scheduler scheduler = {
        .name = "noting", .summary = "", .init = note_params, .pick = pick_lowest};
    const struct simsm_policy_param params[] = {
        {"limit", "", SIMSM_PARAM_WHOLE, 4, -64, 64},
        {"share", "", SIMSM_PARAM_REAL, 0.5, 0, 1},
        {"strict", "", SIMSM_PARAM_BOOL, 1, 0, 1},
    };
    struct simsm_policy_module module = with_scheduler(&scheduler);
    module.params = params;
    module.param_count = 3;
    static const char *const settings[] = {"sm.scheduler=noting", "policy.params.limit=-12",
                                           "policy.params.share=2.5e-1", NULL};
    run(&result, &ways[0], &module, settings);
    assert_int_equal(result.status, SIMSM_OK);
    assert_true(read_params[0] == -12 && read_params[1] == 0.25 && read_params[2] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_picks_end_the_run),
        cmocka_unit_test(a_scheduler_that_holds_back_for_ever_is_named),
        cmocka_unit_test(wrong_dispatchers_end_the_run),
        cmocka_unit_test(a_dispatcher_can_hold_back),
        cmocka_unit_test(views_do_not_depend_on_windows),
        cmocka_unit_test(l1_policies_see_the_same_whatever_the_window),
        cmocka_unit_test(l1_policies_keep_lines_out_and_are_checked),
        cmocka_unit_test(tables_and_parameters_are_checked),
        cmocka_unit_test(parameters_have_their_values),
        cmocka_unit_test(incomplete_tables_are_refused),
        cmocka_unit_test(wrong_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
