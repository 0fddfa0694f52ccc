/*
 * MODEL: blocks in an SM: slots for their warps, barriers, exits, retirement. A warp's
 * sub-partition is its slot modulo 4. The sub-partition that a block begins with rotates from block
 * to block. A block's warps start in descending order, one per dispatch.warp_interval cycles and
 * sub-partition. Exited warps do not count at barriers.
 * SOURCE: H200, own measurement (docs/calibration.md, "Blocks"); CUDA C++ Programming Guide for
 * exited warps (since Volta).
 * LEFT OUT: nothing known.
 */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "core/sm_state.h"

static uint32_t free_slots(const struct sub *sub)
{
    return sub->slots - (uint32_t)__builtin_popcountll(sub->reserved);
}

/* Returns the preferred sub-partition, unless another has more room: registers are split evenly. */
static struct sub *roomiest(struct sm *sm, uint32_t preferred)
{
    struct sub *best = &sm->sub[preferred % sm->subs];
    for (uint32_t i = 1; i < sm->subs; i++) {
        struct sub *other = &sm->sub[(preferred + i) % sm->subs];
        if (free_slots(other) > free_slots(best))
            best = other;
    }
    return best;
}

static void take_slot(struct sm *sm, const struct sm_grid *grid, struct sm_block *block,
                      uint32_t place, uint32_t in_block, uint32_t preferred, uint64_t *next_start)
{
    struct sub *sub = roomiest(sm, preferred);
    SIMSM_CHECK(free_slots(sub) != 0, "sub-partition %u has no free slot for warp %u", sub->index,
                in_block);
    unsigned slot = (unsigned)__builtin_ctzll(~sub->reserved);
    struct warp *warp = &sub->warp[slot];
    *warp = (struct warp){
        .grid = grid,
        .code = grid->code,
        .lines = grid->lines[sm->part],
        .place = place,
        .in_block = in_block,
        .start_at = next_start[sub->index],
        .own = warp->own,
        .shown = warp->shown,
        .shown_since = warp->shown_since,
    };
    next_start[sub->index] += sm->config->dispatch_warp_interval;
    sub->resident |= bit64(slot);
    sub->reserved |= bit64(slot);
    sub->placed |= bit64(slot);
    sub->launched[slot] = sm->launch_count++;
    sub->issued_at[slot] = 0;
    sub->yielded &= ~bit64(slot);
    sub->block_rank[slot] = block->rank;
    block->slot[in_block] = (uint16_t)(sub->index * MAX_SLOTS + slot);
    if (grid->ops->place)
        grid->ops->place(grid->front, block->linear, in_block, sm->index, sm_slot(sm, sub, slot));
    depend_clear(sub, slot);
    if (warp->start_at < sub->first_start)
        sub->first_start = warp->start_at;
    sub->next = least(sub->next, warp->start_at);
    sm->next = least(sm->next, warp->start_at);
}

/* Brings the begin of a grid's code and constants into the SM's caches. */
static void bring_code(struct sm *sm, const struct sm_grid *grid)
{
    const struct simsm_config *config = sm->config;
    if (supply_is_shared(config)) /* they are in the caches of the GPCs (supply_bring) */
        return;
    icache_chain_fill(&sm->code_levels, grid->came, grid->code_at, config->fetch_launch_bytes,
                      grid->first + config->fetch_launch_latency);
    icache_chain_fill(&sm->constant_levels, grid->came, grid->constants_at,
                      config->constant_launch_bytes, grid->first);
}

uint32_t sm_place(struct sm *sm, const struct sm_grid *grid, uint64_t linear, uint64_t start,
                  bool first)
{
    if (first)
        bring_code(sm, grid);
    uint32_t place = 0;
    while (place < sm->places && sm->block[place].used)
        place++;
    SIMSM_CHECK(place < sm->places, "SM %u has no free place for block %llu", sm->index,
                (unsigned long long)linear);
    struct sm_block *block = &sm->block[place];
    uint32_t warps = grid->warps_per_block;
    *block = (struct sm_block){
        .used = true,
        .grid = grid,
        .empties_l1 = first && grid != sm->setup->first,
        .linear = linear,
        .start = start,
        .rank = sm->block_count,
        .warps = warps,
        .warps_held = warps,
    };
    uint32_t rotation = sm->config->dispatch_slot_rotation ? sm->block_count : 0;
    uint64_t next_start[MAX_SUBS];
    for (uint32_t i = 0; i < MAX_SUBS; i++)
        next_start[i] = start;
    for (uint32_t i = 0; i < warps; i++) {
        bool descending = sm->config->dispatch_warp_order == SIMSM_DESCENDING_warp_order;
        uint32_t in_block = descending ? warps - 1 - i : i;
        take_slot(sm, grid, block, place, in_block, in_block + rotation, next_start);
    }
    sm->block_count++;
    sm->blocks++;
    TALLY(sm->tally, BLOCKS_LAUNCHED, 1);
    return place;
}

void warp_start(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    struct sm_block *block = &sm->block[warp->place];
    uint32_t linear = (uint32_t)block->linear, unit = sm_slot(sm, sub, slot);
    if (!block->started)
        bus_emit(sm->bus, SIMSM_EVENT_BLOCK_START, sm->now, 0, warp->place, linear);
    if (!block->started && block->empties_l1)
        mem_sm_empty_l1(sm->memory, sm->now);
    block->started = true;
    bus_emit(sm->bus, SIMSM_EVENT_WARP_START, sm->now, unit, warp->in_block, linear);
    warp->alive = true;
    sm->busy_at = sm->now;
    sub->placed &= ~bit64(slot);
    if (!sub->alive)
        sub->alive_since = sm->now;
    sub->alive |= bit64(slot);
    if (!sm->alive++)
        sm->alive_since = sm->now;
    TALLY(sm->tally, WARPS_LAUNCHED, 1);
    warp->grid->ops->warp_begin(warp->grid->front, slot_cursor(sm, sub, slot), block->linear,
                                warp->in_block);
    if (sm->setup->scheduler->on_slot)
        sm->setup->scheduler->on_slot(sub->policy_state, slot, true);
    fetch_start(sm, sub, slot);
    slot_refresh(sm, sub, slot);
}

void sm_join_cluster(struct sm *sm, uint32_t place, uint32_t cluster)
{
    if (!sm->cluster_note)
        sm->cluster_note = arena_take(sm->setup->arena, CLUSTER_NOTES, sizeof *sm->cluster_note);
    sm->no_memory |= !sm->cluster_note;
    sm->block[place].cluster = sm->cluster_note ? cluster : 0;
}

const struct sm_cluster_note *sm_take_cluster_notes(struct sm *sm, uint32_t *count)
{
    *count = sm->cluster_notes;
    sm->cluster_notes = 0;
    return sm->cluster_note;
}

/* Notes that a warp arrives at the barrier of its cluster, or leaves. */
static void note_cluster(struct sm *sm, const struct warp *warp, bool arrives, uint64_t cycle)
{
    const struct sm_block *block = &sm->block[warp->place];
    if (!block->cluster)
        return;
    SIMSM_CHECK(sm->cluster_notes < CLUSTER_NOTES, "%u notes of clusters", sm->cluster_notes);
    sm->cluster_note[sm->cluster_notes++] =
        (struct sm_cluster_note){.cluster = block->cluster,
                                 .arrives = arrives,
                                 .leaves = !arrives,
                                 .waits = warp->cluster_arrivals > block->cluster_opened,
                                 .cycle = cycle};
}

void block_cluster_arrive(struct sm *sm, struct warp *warp)
{
    warp->cluster_arrivals++;
    note_cluster(sm, warp, true, sm_unit_take(sm, &sm->op.op[SIMSM_OP_CLUSTER_ARRIVE]));
}

void block_cluster_wait(struct sm *sm, struct warp *warp)
{
    const struct sm_block *block = &sm->block[warp->place];
    if (!block->cluster || !warp->cluster_arrivals)
        return;
    warp->held = true;
    if (block->cluster_opened >= warp->cluster_arrivals) {
        warp->barrier_until = block->cluster_until;
        return;
    }
    warp->barrier_waiting = true;
    warp->barrier = CLUSTER_BARRIER;
}

void sm_open_cluster(struct sm *sm, uint32_t place, uint32_t cluster, uint64_t cycle, uint64_t now)
{
    struct sm_block *block = &sm->block[place];
    if (!block->used || block->cluster != cluster)
        return; /* it has ended */
    SIMSM_CHECK(cycle >= now, "a barrier opens at %llu, before %llu", (unsigned long long)cycle,
                (unsigned long long)now);
    sm->now = now - 1; /* timers count from here */
    block->cluster_opened++;
    block->cluster_until = cycle;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct sub *sub = &sm->sub[block->slot[i] / MAX_SLOTS];
        const unsigned slot = block->slot[i] % MAX_SLOTS;
        struct warp *warp = &sub->warp[slot];
        if (!warp->barrier_waiting || warp->barrier != CLUSTER_BARRIER)
            continue;
        warp->barrier_waiting = false;
        warp->barrier_until = cycle;
        slot_refresh(sm, sub, slot);
        sm->next = least(sm->next, sub->next);
    }
}

static void end_warp(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    warp->alive = false;
    warp->draining = false;
    front_warp_end(warp->grid->front, slot_cursor(sm, sub, slot));
    sub->alive &= ~bit64(slot);
    sub->fetchable &= ~bit64(slot);
    sub->fetch_ahead &= ~bit64(slot);
    if (sub->last_issued == (int)slot)
        sub->last_issued = -1;
    if (sub->last_fetched == (int)slot)
        sub->last_fetched = -1;
    if (sm->setup->scheduler->on_slot)
        sm->setup->scheduler->on_slot(sub->policy_state, slot, false);
    sm->block[warp->place].inst += warp->issued;
    if (sm->block[warp->place].longest < warp->issued)
        sm->block[warp->place].longest = warp->issued;
    SIMSM_CHECK(sm->block[warp->place].warps_held != 0, "place %u: all warps have exited",
                warp->place);
    sm->block[warp->place].warps_held--;
    sm->barrier_check |= bit64(warp->place);
    slot_refresh(sm, sub, slot);
    sub->next = sm->now;
}

void warp_exit(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    note_cluster(sm, warp, false, sm->now);
    warp->draining = true;
    sm->barrier_check |= bit64(warp->place);
    if (!flights_hold(warp))
        slot_timer(sm, sub, slot, sm->now + 1); /* gone in the next cycle */
}

void warp_drained(struct sm *sm, struct sub *sub, unsigned slot)
{
    sm->busy_at = sm->now;
    end_warp(sm, sub, slot);
    if (!sub->alive)
        TALLY(sm->tally, SMSP_CYCLES_ACTIVE, sm->now - sub->alive_since);
    if (!--sm->alive)
        TALLY(sm->tally, SM_CYCLES_ACTIVE, sm->now - sm->alive_since);
}

static void release(struct sm *sm, uint32_t place, unsigned barrier)
{
    struct sm_block *block = &sm->block[place];
    block->arrived[barrier] = 0;
    block->counted &= ~bit64(barrier);
    TALLY(sm->tally, BARRIERS, 1);
    bus_emit(sm->bus, SIMSM_EVENT_BARRIER_RELEASE, sm->now, 0, barrier, place);
    for (uint32_t i = 0; i < block->warps; i++) {
        struct sub *sub = &sm->sub[block->slot[i] / MAX_SLOTS];
        unsigned slot = block->slot[i] % MAX_SLOTS;
        struct warp *warp = &sub->warp[slot];
        if (!warp->barrier_waiting || warp->barrier != barrier)
            continue;
        warp->barrier_waiting = false;
        /*
         * At least one cycle: the last warp to arrive cannot issue again in the same cycle either.
         */
        uint32_t latency = sm->config->barrier_latency;
        uint64_t taken = block->arrivals_taken > sm->now ? block->arrivals_taken : sm->now;
        warp->barrier_until = taken + (latency ? latency : 1);
        slot_refresh(sm, sub, slot);
    }
}

void block_arrive(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *dynamic)
{
    struct warp *warp = &sub->warp[slot];
    const struct inst *inst = &warp->code[dynamic->index];
    struct sm_block *block = &sm->block[warp->place];
    const struct op_exec *exec = &sm->op.op[SIMSM_OP_BARRIER];
    block->arrivals_taken =
        sm_unit_take(sm, exec) + (sm->config->pipe_shared[exec->unit] ? exec->interval : 0);
    const uint32_t barrier = inst_barrier(inst, dynamic->token, warp->in_block);
    const uint32_t threads = inst_barrier_threads(inst, dynamic->token);
    SIMSM_CHECK(barrier < MAX_BARRIERS, "barrier %u of %d", barrier, MAX_BARRIERS);
    if (sm->config->what_if_no_barrier_waits)
        return;
    block->arrived[barrier]++;
    if (!inst->barrier_arrive) {
        warp->barrier_waiting = warp->held = true;
        warp->barrier = (uint8_t)barrier;
    }
    if (!threads) {
        sm->barrier_check |= bit64(warp->place);
        return;
    }
    /* The arrival that completes the barrier opens it. The next arrival, even in this cycle, begins
     * anew. */
    if (block->arrived[barrier] * SIMSM_WARP_LANES >= threads)
        release(sm, warp->place, barrier);
    else
        block->counted |= bit64(barrier);
}

/* Returns the number of warps that can still arrive at a barrier of the block. */
static uint32_t participants(const struct sm *sm, const struct sm_block *block)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < block->warps; i++) {
        const struct sub *sub = &sm->sub[block->slot[i] / MAX_SLOTS];
        unsigned slot = block->slot[i] % MAX_SLOTS;
        const struct warp *warp = &sub->warp[slot];
        count += (warp->alive && !warp->draining) || (sub->placed >> slot & 1u);
    }
    return count;
}

static void retire(struct sm *sm, uint32_t place)
{
    struct sm_block *block = &sm->block[place];
    for (uint32_t i = 0; i < block->warps; i++) {
        struct sub *sub = &sm->sub[block->slot[i] / MAX_SLOTS];
        unsigned slot = block->slot[i] % MAX_SLOTS;
        sub->resident &= ~bit64(slot);
        slot_refresh(sm, sub, slot);
    }
    sm->tally->longest_warps += block->longest * block->warps;
    sm->tally->blocks_inst += block->inst;
    if (sm->tally->block_inst_max < block->inst)
        sm->tally->block_inst_max = block->inst;
    bus_emit(sm->bus, SIMSM_EVENT_BLOCK_END, sm->now, 0, place, (uint32_t)block->linear);
    SIMSM_CHECK(sm->retired_count < 2 * MAX_PLACES, "%u blocks have retired", sm->retired_count);
    sm->retired[sm->retired_count++] = (struct sm_retired){
        .cycle = sm->now, .start = block->start, .place = place, .cluster = block->cluster};
    sm->blocks--;
}

const struct sm_grid *sm_release(struct sm *sm, uint32_t place)
{
    struct sm_block *block = &sm->block[place];
    SIMSM_CHECK(block->used && !block->warps_held, "place %u: %u warps have not exited", place,
                block->warps_held);
    for (uint32_t i = 0; i < block->warps; i++)
        sm->sub[block->slot[i] / MAX_SLOTS].reserved &= ~bit64(block->slot[i] % MAX_SLOTS);
    block->used = false;
    return block->grid;
}

void block_check(struct sm *sm)
{
    for (uint64_t places = sm->barrier_check; places; places &= places - 1) {
        uint32_t place = (uint32_t)__builtin_ctzll(places);
        struct sm_block *block = &sm->block[place];
        if (!block->warps_held) {
            retire(sm, place);
            continue;
        }
        uint32_t all = 0;
        for (unsigned barrier = 0; barrier < sm->config->barrier_count; barrier++) {
            if (!block->arrived[barrier] || (block->counted >> barrier & 1u))
                continue;
            if (!all)
                all = participants(sm, block);
            if (block->arrived[barrier] >= all)
                release(sm, place, barrier);
        }
    }
    sm->barrier_check = 0;
}

void sm_describe_stuck(const struct sm *sm, char *text, size_t size)
{
    for (uint32_t i = 0; i < sm->subs; i++) {
        const struct sub *sub = &sm->sub[i];
        if (!sub->alive)
            continue;
        unsigned slot = (unsigned)__builtin_ctzll(sub->alive);
        const struct warp *warp = &sub->warp[slot];
        const struct inst *inst = &warp->code[warp->last_inst];
        (void)snprintf(
            text, size,
            "warp %u of block %llu has stood in '%s' since cycle %llu, after line %u: %s",
            warp->in_block, (unsigned long long)sm->block[warp->place].linear,
            simsm_states[warp->shown].title, (unsigned long long)warp->shown_since, inst->line,
            warp->grid->front->text[warp->last_inst]);
        return;
    }
    (void)snprintf(text, size, "no warp is alive");
}
