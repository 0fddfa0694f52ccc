/*
 * MODEL: the cycle of one SM, in fixed phases: completions, wake-ups and starts of warps, fetch,
 * issue, queues, barriers and retirement, classification. Effects are visible to later phases only.
 * Cycles in which nothing can happen are skipped.
 * SOURCE: the phases are an own choice; docs/model.md, section "A cycle".
 * LEFT OUT: nothing known.
 */
#include "core/sm.h"

#include <stdlib.h>

#include "base/check.h"
#include "core/copy_engine.h"
#include "core/sm_state.h"

/* Lines of a set of the first caches. LDC's has room for 4 lines that are 1 KB apart, not for 8
 * (H100, cuda/calib/constant spread). */
enum { FIRST_WAYS = 8, INDEXED_WAYS = 4 };

/* Makes the levels behind the first caches of code and of constants. SOURCE of the ways: H200,
 * cuda/calib/fetch; of loops that just do not fit, as many lines miss as with these ways. */
static bool make_chains(struct sm *sm)
{
    const struct simsm_config *config = sm->config;
    struct arena *arena = sm->setup->arena;
    bool shared = supply_is_shared(config);
    const struct icache_level_shape code[] = {
        {.bytes = config->fetch_l1_bytes, .ways = 4, .latency = config->fetch_l1_latency},
        {.port = sm->port, .kind = SUPPLY_CODE, .interval = config->fetch_l15_interval},
    };
    const struct icache_level_shape constants[] = {
        {.port = sm->port, .kind = SUPPLY_CONSTANTS},
    };
    const struct icache_level_shape own_code[] = {
        {.bytes = config->fetch_l1_bytes, .ways = 4, .latency = config->fetch_l1_latency},
        {.bytes = config->fetch_l15_bytes,
         .ways = 8,
         .latency = config->fetch_l15_latency,
         .interval = config->fetch_l15_interval},
        {.latency = config->fetch_l2_latency, .interval = config->fetch_l2_interval},
    };
    const struct icache_level_shape own_constants[] = {
        {.bytes = config->constant_l1_bytes, .ways = 16, .latency = config->constant_l1_latency},
        {.latency = config->constant_l2_latency},
    };
    bool whole = icache_chain_make(&sm->code_levels, arena, config->fetch_line_bytes,
                                   shared ? code : own_code, shared ? 2 : 3);
    whole &= icache_chain_make(&sm->constant_levels, arena, config->constant_line_bytes,
                               shared ? constants : own_constants, shared ? 1 : 2);
    whole &= icache_make(&sm->indexed, arena, &sm->constant_levels,
                         (struct icache_shape){config->constant_indexed_bytes, INDEXED_WAYS, 0, 0});
    sm->indexed.miss_latency = config->constant_indexed_latency;
    sm->indexed_due = arena_take(arena, (size_t)sm->indexed.lines.sets * sm->indexed.lines.ways,
                                 sizeof *sm->indexed_due);
    return whole && sm->indexed_due != NULL;
}

static bool sub_create(struct sm *sm, struct sub *sub, uint32_t index, uint64_t from)
{
    const struct simsm_config *config = sm->config;
    struct arena *arena = sm->setup->arena;
    uint32_t slots = config->sm_warp_slots / sm->subs;
    const struct simsm_scheduler *scheduler = sm->setup->scheduler;
    sub->index = index;
    sub->slots = slots;
    sub->reg_row = depend_row(sm->setup->first);
    size_t registers = (size_t)slots * sub->reg_row + 1;
    sub->next = sub->first_start = SM_NEVER;
    sub->last_issued = sub->last_fetched = sub->issued = sub->issued_before = -1;
    sub->warp = arena_take(arena, slots, sizeof *sub->warp);
    sub->launched = arena_take(arena, slots, sizeof *sub->launched);
    sub->issued_at = arena_take(arena, slots, sizeof *sub->issued_at);
    sub->block_rank = arena_take(arena, slots, sizeof *sub->block_rank);
    sub->reg_ready = arena_take(arena, registers, sizeof *sub->reg_ready);
    sub->reg_readers = arena_take(arena, registers, sizeof *sub->reg_readers);
    sub->cursor = arena_take(arena, slots, sm->setup->cursor_size);
    sub->policy_state = arena_take(arena, 1, scheduler->state_size ? scheduler->state_size : 1);
    bool caches =
        icache_make(&sub->icache, arena, &sm->code_levels,
                    (struct icache_shape){config->fetch_l0_bytes, FIRST_WAYS,
                                          config->fetch_prefetch_lines, config->fetch_latency});
    sub->icache.always_hits = config->what_if_code_hits;
    caches &= icache_make(&sub->constants, arena, &sm->constant_levels,
                          (struct icache_shape){config->constant_l0_bytes, FIRST_WAYS, 0, 0});
    if (!sub->warp || !sub->launched || !sub->issued_at || !sub->block_rank || !sub->reg_ready ||
        !sub->reg_readers || !sub->cursor || !sub->policy_state || !caches)
        return false;
    for (uint32_t i = 0; i < slots; i++)
        sub->warp[i].shown_since = from;
    choose_init(sm, sub);
    if (scheduler->init)
        scheduler->init(sub->policy_state, sm->setup->policy);
    return true;
}

bool sm_uses_control_bits(const struct simsm_config *config, const struct front *front)
{
    if (config->sm_dependence == SIMSM_SCOREBOARD_dependence)
        return false;
    for (uint32_t i = 0; i < front->code_size; i++) {
        if (!front->code[i].control.present)
            return false;
    }
    return true;
}

/* Makes the state that the policies of a plugin share in this SM. */
static bool make_plugin_state(struct sm *sm)
{
    const struct simsm_policy_module *module = sm->setup->module;
    if (!module)
        return true;
    if (module->sm_state_size) {
        sm->policy_state = arena_take(sm->setup->arena, 1, module->sm_state_size);
        if (!sm->policy_state)
            return false;
    }
    if (module->sm_init)
        module->sm_init(sm->policy_state, sm->setup->policy);
    const struct mem_l1_policy watch = {.policy = sm->setup->l1_policy,
                                        .setup = sm->setup->policy,
                                        .state = sm->policy_state,
                                        .sm = sm->index};
    return !watch.policy || mem_sm_watch(sm->memory, sm->setup->arena, &watch);
}

/* Checks the fixed lengths of the arrays in struct sm. config_fields.def has the same limits. */
static void check_limits(const struct sm *sm)
{
    const struct simsm_config *config = sm->config;
    uint32_t slots = config->sm_warp_slots / sm->subs;
    SIMSM_CHECK(sm->subs <= MAX_SUBS, "%u sub-partitions", sm->subs);
    SIMSM_CHECK(slots <= MAX_SLOTS, "%u slots of a sub-partition", slots);
    SIMSM_CHECK(config->sm_max_blocks <= MAX_PLACES, "%u blocks", config->sm_max_blocks);
    SIMSM_CHECK(config->barrier_count <= MAX_BARRIERS, "%u barriers", config->barrier_count);
    SIMSM_CHECK(config->fetch_buffer_entries <= IBUF_MAX, "%u instructions of a buffer",
                config->fetch_buffer_entries);
    SIMSM_CHECK(config->issue_register_banks <= BANKS, "%u banks", config->issue_register_banks);
    SIMSM_CHECK(sm->queue_mask < QUEUE_ENTRIES, "%u places of a queue", sm->queue_mask + 1);
    SIMSM_CHECK(sm->behind_limit <= BEHIND_ENTRIES, "%u accesses behind a store", sm->behind_limit);
}

/* Makes room for the addresses of as many accesses as the queues hold. */
static bool make_addresses(struct sm *sm)
{
    sm->address_places = sm->subs * (sm->queue_mask + 1) + sm->behind_limit + 1;
    sm->addresses = arena_take_pool(sm->setup->arena, sm->address_places, sizeof *sm->addresses);
    sm->address_free = arena_take(sm->setup->arena, sm->address_places, sizeof *sm->address_free);
    for (uint32_t i = 0; sm->address_free && i < sm->address_places; i++)
        sm->address_free[i] = (uint16_t)(sm->address_places - 1 - i);
    sm->address_frees = sm->address_places;
    return sm->addresses && sm->address_free;
}

struct sm *sm_create(const struct sm_setup *setup, uint32_t index, uint64_t from, struct bus *bus,
                     struct mem_sm *memory, struct tally *tally, uint32_t part)
{
    struct sm *sm = arena_take(setup->arena, 1, sizeof *sm);
    if (!sm)
        return NULL;
    sm->setup = setup;
    sm->config = setup->config;
    sm->bus = bus;
    sm->memory = memory;
    sm->tally = tally;
    sm->part = part;
    sm->index = index;
    sm->subs = setup->config->sm_sub_partitions;
    sm->port = supply_join(setup->supply, index, sm);
    sm->line_waits.size = sizeof(struct line_wait);
    if (!sm->port)
        return NULL;
    sm->queue_bypass = setup->config->memory_model < SIMSM_FULL_memory_model;
    sm->phase_unanswered = NO_FLIGHT;
    copy_engine_init(sm);
    op_table_init(&sm->op, setup->config);
    while (sm->queue_mask + 1 < setup->config->mio_queue_entries)
        sm->queue_mask = 2 * sm->queue_mask + 1;
    if (sm->config->memory_model != SIMSM_FAST_memory_model)
        sm->behind_limit = sm->config->mio_memory_entries;
    check_limits(sm);
    sm->places = setup->config->what_if_full_occupancy ? setup->config->sm_warp_slots
                                                       : setup->config->sm_max_blocks;
    sm->block = arena_take(setup->arena, sm->places, sizeof *sm->block);
    sm->flight = arena_take_pool(setup->arena, FLIGHTS, sizeof *sm->flight);
    sm->due = arena_take_pool(setup->arena, DUE_MAX, sizeof *sm->due);
    bool whole = make_chains(sm) && make_addresses(sm) && sm->block && sm->flight && sm->due &&
                 phase_init(sm) && make_plugin_state(sm);
    for (uint32_t i = 0; i < sm->subs; i++)
        whole &= sub_create(sm, &sm->sub[i], i, from);
    if (!whole) {
        sm_destroy(sm);
        return NULL;
    }
    for (uint32_t i = 0; i < FLIGHTS; i++)
        sm->flight[i].next = i + 1 < FLIGHTS ? i + 1 : NO_FLIGHT;
    return sm;
}

void sm_destroy(struct sm *sm)
{
    if (!sm)
        return;
    phase_free(sm);
    copy_engine_free(sm);
    pool_free(&sm->line_waits);
}

/*
 * Takes an answer of the memory system. Copies from L1 to shared memory and accesses of mbarriers
 * take some cycles more; data from L2 go straight to shared memory. SOURCE: H200,
 * cuda/calib/ldgsts, mbarrier.
 */
static void take_memory_answer(struct sm *sm, const struct mem_done *done)
{
    if (done->tag & COPY_TAG) {
        copy_engine_answer(sm, done->tag & ~COPY_TAG);
        return;
    }
    uint8_t op = sm->flight[done->tag].op;
    uint32_t later = sm->op.op[op].latency;
    bool copied = op == SIMSM_OP_COPY_ASYNC && done->level == SIMSM_LEVEL_L1;
    if (later == 0 || (!copied && !op_is_mbarrier(op))) {
        flight_done(sm, done->tag, done->level);
        return;
    }
    sm->flight[done->tag].level = done->level;
    due_add(sm, sm->now + later, done->tag);
}

/* Phases 1 and 2: answers of the memory system and of the units behind the queues. */
static void take_completions(struct sm *sm)
{
    struct mem_done done[16];
    unsigned count;
    if (mem_sm_next(sm->memory) <= sm->now) {
        do {
            count = mem_sm_collect(sm->memory, sm->now, done, 16);
            for (unsigned i = 0; i < count; i++)
                take_memory_answer(sm, &done[i]);
        } while (count == 16);
    }
    if (sm->phase_unanswered != NO_FLIGHT)
        phase_give_up(sm);
    due_run(sm);
}

static void start_warps(struct sm *sm, struct sub *sub)
{
    sub->first_start = SM_NEVER;
    for (uint64_t placed = sub->placed; placed; placed &= placed - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(placed);
        uint64_t at = sub->warp[slot].start_at;
        if (at <= sm->now)
            warp_start(sm, sub, slot);
        else if (at < sub->first_start)
            sub->first_start = at;
    }
}

static void wake(struct sm *sm, struct sub *sub)
{
    for (uint64_t slots = wheel_take(&sub->wheel, sm->now); slots; slots &= slots - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(slots);
        const struct warp *warp = &sub->warp[slot];
        if (warp->draining && !flights_hold(warp))
            warp_drained(sm, sub, slot);
        else
            slot_refresh(sm, sub, slot);
    }
    if (sub->first_start <= sm->now)
        start_warps(sm, sub);
}

/* Returns the next cycle in which a ready warp might issue, or in which another cause keeps it from
 * issuing. */
static uint64_t next_issue(const struct sm *sm, const struct sub *sub)
{
    uint64_t next = SM_NEVER, soonest = sm->now + 1;
    if (sub->dispatch_free > sm->now)
        return sub->ready ? sub->dispatch_free : SM_NEVER;
    for (uint32_t units = sub->units; units; units &= units - 1) {
        unsigned unit = (unsigned)__builtin_ctz(units);
        uint64_t at = soonest;
        if (unit < UNIT_LG)
            at = pipe_free_at(sub, unit) > soonest ? pipe_free_at(sub, unit) : soonest;
        else if (!sm->queue_bypass && sub->queue_count >= sm->config->mio_queue_entries)
            continue; /* the queue wakes the sub-partition when it has room */
        next = least(next, at);
    }
    return next;
}

static void plan_next_visit(struct sm *sm, struct sub *sub)
{
    if (sub->fetchable || sub->fetch_ahead || sub->issued_before >= 0)
        sub->next = sm->now + 1;
    else
        sub->next =
            least(least(wheel_next(&sub->wheel, sm->now), sub->first_start), next_issue(sm, sub));
    sm->soon |= sub->next == sm->now + 1;
}

static uint64_t next_visit(const struct sm *sm)
{
    uint64_t next = least(sm->queue_next, sm->engine.next);
    if (sm->phase_unanswered != NO_FLIGHT)
        next = least(next, sm->flight[sm->phase_unanswered].give_up);
    if (sm->due_count)
        next = least(next, sm->due[0].cycle);
    for (uint32_t i = 0; i < sm->subs; i++)
        next = least(next, sm->sub[i].next);
    return next;
}

static void run_cycle(struct sm *sm)
{
    sm->soon = false;
    take_completions(sm);
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[i];
        sub->visited = sub->next <= sm->now || sm->setup->no_skip;
        if (!sub->visited)
            continue;
        wake(sm, sub);
        if (sub->fetchable | sub->fetch_ahead)
            fetch_cycle(sm, sub);
        issue_cycle(sm, sub);
    }
    if (sm->queue_next <= sm->now || sm->setup->no_skip)
        queue_cycle(sm);
    if (sm->engine.next <= sm->now)
        copy_engine_cycle(sm);
    if (sm->barrier_check)
        block_check(sm);
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[i];
        if (!sub->visited && !sub->dirty)
            continue;
        if (sm->setup->account)
            account_cycle(sm, sub);
        classify_cycle(sm, sub);
        plan_next_visit(sm, sub);
    }
    sm->next = sm->soon ? sm->now + 1 : next_visit(sm);
    sm->visited++;
}

bool sm_no_memory(const struct sm *sm)
{
    return sm->no_memory || sm->port->no_memory;
}

uint64_t sm_last_answer(const struct sm *sm)
{
    return sm->last_answer;
}

uint64_t sm_last_store(const struct sm *sm)
{
    return sm->last_store;
}

static uint64_t next_event(const struct sm *sm)
{
    return least(sm->next, mem_sm_next(sm->memory));
}

void sm_settle_answers(struct sm *sm)
{
    mem_sm_settle(sm->memory);
}

uint64_t sm_next(const struct sm *sm)
{
    return least(next_event(sm), supply_first(sm->port));
}

uint64_t sm_reached(const struct sm *sm)
{
    return sm->port->reached;
}

bool sm_run(struct sm *sm, uint64_t from, uint64_t to)
{
    const struct supply_port *port = sm->port;
    mem_sm_window_begins(sm->memory, to);
    for (uint64_t now = from; sm->fault.kind == FAULT_NONE; now++) {
        bool certain = now == sm->now + 1 && sm->soon;
        if (!certain && !sm->setup->no_skip) {
            uint64_t next = next_event(sm);
            now = next > now ? next : now;
        }
        if (now >= to || now >= port->park)
            break;
        sm->now = now;
        run_cycle(sm);
    }
    bool whole = port->park >= to || sm->fault.kind != FAULT_NONE;
    sm->port->reached = whole ? to : port->park;
    return whole;
}

bool sm_asleep(const struct sm *sm)
{
    bool asleep = false;
    for (uint32_t i = 0; sm->blocks && i < sm->places; i++)
        asleep |= sm->block[i].used && sm->block[i].asleep;
    return asleep;
}

void sm_wake(struct sm *sm, uint64_t cycle)
{
    if (!sm_asleep(sm))
        return;
    sm->now = cycle - 1; /* timers count from here */
    for (uint32_t i = 0; sm->blocks && i < sm->places; i++)
        if (sm->block[i].used && sm->block[i].asleep)
            fetch_wake(sm, &sm->block[i]);
}

const struct sm_retired *sm_take_retired(struct sm *sm, uint32_t *count)
{
    *count = sm->retired_count;
    sm->retired_count = 0;
    return sm->retired;
}

uint32_t sm_blocks(const struct sm *sm)
{
    return sm->blocks;
}

uint64_t sm_visited(const struct sm *sm)
{
    return sm->visited;
}

void sm_settle(struct sm *sm, uint64_t cycle_number)
{
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[i];
        for (unsigned slot = 0; slot < sub->slots; slot++)
            classify_settle(sm, sub, slot, cycle_number);
        if (sub->alive && cycle_number > sub->alive_since) {
            TALLY(sm->tally, SMSP_CYCLES_ACTIVE, cycle_number - sub->alive_since);
            sub->alive_since = cycle_number;
        }
        TALLY(sm->tally, ICACHE_REQUESTS, sub->icache.requests);
        TALLY(sm->tally, ICACHE_MISSES, sub->icache.misses);
        sub->icache.requests = sub->icache.misses = 0;
    }
    if (sm->alive && cycle_number > sm->alive_since) {
        TALLY(sm->tally, SM_CYCLES_ACTIVE, cycle_number - sm->alive_since);
        sm->alive_since = cycle_number;
    }
}
