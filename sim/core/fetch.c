/*
 * MODEL: instruction supply. One fetch unit for each sub-partition fills a small buffer for each
 * warp with the instructions behind one another in memory. The unit stays with the warp that it
 * fetched for last while that warp's buffer has room. Otherwise it takes the warp of the oldest
 * block that it has served least recently. A warp with an empty buffer cannot issue. Behind an
 * instruction that always leaves, fetch goes on for some instructions, until the first is decoded.
 * Behind an instruction that may leave, the unit fetches in slots that no warp needs otherwise.
 * A taken branch empties the buffer, which fills again when the branch is resolved.
 * A warp waits without a timer for a line that its GPC's cache has not answered (sm_supplied).
 * SOURCE: H200, finish times of warps: without this unit no issue policy explains them
 * (docs/model.md, section "Instruction supply"). Taken branches of many warps: cuda/calib/redirect.
 * LEFT OUT: prediction of branches; misses behind an instruction that always leaves.
 */
#include "base/bits.h"
#include "base/check.h"
#include "core/sm_state.h"
#include "model/op.h"

/* Returns whether the instruction may redirect its warp. */
static bool may_turn(const struct inst *inst)
{
    return op_is_branch(inst->op) || inst->op == SIMSM_OP_EXIT || inst->op == SIMSM_OP_BSYNC;
}

static bool always_leaves(const struct inst *inst)
{
    bool leaves = op_is_branch(inst->op) || inst->op == SIMSM_OP_EXIT;
    return leaves && !inst->conditional && !inst->guarded;
}

/* Notes what the instruction at `place` of the ring does to the fetches behind it. */
static void label(struct warp *warp, unsigned place, uint32_t index)
{
    const struct inst *inst = &warp->code[index];
    warp->ibuf_turns &= (uint8_t) ~(1u << place);
    warp->ibuf_turns |= (uint8_t)(may_turn(inst) << place);
    warp->ibuf_past = (uint8_t)(warp->ibuf_past + (warp->ibuf_past || always_leaves(inst)));
}

static uint32_t fetched_next(const struct warp *warp)
{
    return warp->next.index + warp->ibuf_count;
}

/* Appends the instruction behind the last one in the buffer; it can issue from `ready_at` on. */
static void append(struct warp *warp, uint64_t ready_at)
{
    SIMSM_CHECK(warp->ibuf_count < IBUF_MAX, "%u instructions in the buffer", warp->ibuf_count);
    unsigned place = (warp->ibuf_head + warp->ibuf_count) % IBUF_MAX;
    label(warp, place, fetched_next(warp));
    warp->ibuf[place] = ready_at;
    warp->ibuf_count++;
}

static void empty(struct warp *warp)
{
    warp->ibuf_count = 0;
    warp->ibuf_turns = 0;
    warp->ibuf_past = 0;
}

static void wait_to_fetch(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    warp->fetch_timed = true;
    slot_timer(sm, sub, slot, warp->fetch_at);
}

void fetch_update(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    uint64_t bit = bit64(slot);
    sub->fetchable &= ~bit;
    sub->fetch_ahead &= ~bit;
    warp->fetch_timed = false;
    if (warp->draining || warp->asleep)
        return;
    if (sm->config->fetch_ideal) {
        if (!warp->ibuf_count && warp->fetch_at <= sm->now) {
            append(warp, sm->now);
            warp->deps_known = false;
        } else if (!warp->ibuf_count) {
            wait_to_fetch(sm, sub, slot);
        }
        return;
    }
    if (warp->ibuf_count >= sm->config->fetch_buffer_entries ||
        warp->ibuf_past > sm->config->fetch_decode_entries ||
        fetched_next(warp) >= warp->grid->front->code_size)
        return;
    if (icache_is_pending(warp->fetch_at))
        return;
    if (warp->fetch_at > sm->now)
        wait_to_fetch(sm, sub, slot);
    else
        *(warp->ibuf_turns && !warp->ibuf_past ? &sub->fetch_ahead : &sub->fetchable) |= bit;
}

/*
 * Returns whether the warp's next instruction is left out because lanes are regrouped into full
 * warps (what_if.full_lanes): an instruction for part of the lanes issues in that share of cases.
 * Memory accesses, barriers and ends of lanes always issue.
 */
static bool is_left_out(const struct sm *sm, struct warp *warp)
{
    const struct warp_inst *next = &warp->next;
    if (next->active == 0 || next->flags & WARP_INST_LAST) /* 0: the warp waits for others */
        return false;
    const uint8_t op = warp->code[next->index].op, path = sm->op.op[op].path;
    const bool flow = op_is_control_flow(op) && op != SIMSM_OP_EXIT;
    const bool arithmetic = (path == PATH_PIPE || path == PATH_XU) && op != SIMSM_OP_DEPBAR;
    const uint32_t lanes = bits_count(flow ? next->active : next->exec);
    if ((!flow && !arithmetic) || lanes >= warp->lanes)
        return false;
    warp->lanes_due += (uint8_t)lanes;
    if (warp->lanes_due < warp->lanes)
        return true;
    warp->lanes_due = (uint8_t)(warp->lanes_due - warp->lanes);
    return false;
}

/* Takes further instructions from the front while the warp's next one is left out. */
static __attribute__((noinline)) void leave_out(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    while (is_left_out(sm, warp))
        warp->grid->ops->warp_next(warp->grid->front, slot_cursor(sm, sub, slot), &warp->next);
}

/* Takes the next instruction from the front; the warp sleeps if there is none yet. */
static void take_next(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    const uint32_t index = warp->next.index;
    warp->grid->ops->warp_next(warp->grid->front, slot_cursor(sm, sub, slot), &warp->next);
    if (sm->config->what_if_full_lanes)
        leave_out(sm, sub, slot);
    bool asleep = warp->next.active == 0;
    if (asleep != warp->asleep) {
        sm->block[warp->place].asleep += asleep ? 1u : UINT32_MAX;
        warp->asleep = asleep;
    }
    if (asleep)
        warp->next.index = index;
}

void fetch_start(struct sm *sm, struct sub *sub, unsigned slot)
{
    const uint64_t threads = simsm_block_threads(&sub->warp[slot].grid->front->launch);
    const uint64_t before = (uint64_t)sub->warp[slot].in_block * SIMSM_WARP_LANES;
    const uint64_t left = threads - before;
    sub->warp[slot].lanes = (uint8_t)(left < SIMSM_WARP_LANES ? left : SIMSM_WARP_LANES);
    sub->warp[slot].lanes_due = sub->warp[slot].lanes / 2;
    take_next(sm, sub, slot);
    fetch_update(sm, sub, slot);
}

void fetch_redirect(struct warp *warp, uint64_t at)
{
    empty(warp);
    warp->fetch_at = at;
}

/* A sequence may jump without a branch, as unrolled code does. That costs nothing: the buffer is
 * taken for the instructions there. */
static void relabel(struct warp *warp)
{
    unsigned count = warp->ibuf_count;
    empty(warp);
    while (warp->ibuf_count < count && fetched_next(warp) < warp->grid->front->code_size)
        append(warp, warp->ibuf[(warp->ibuf_head + warp->ibuf_count) % IBUF_MAX]);
}

void fetch_issued(struct sm *sm, struct sub *sub, unsigned slot, uint32_t issued)
{
    struct warp *warp = &sub->warp[slot];
    if (!warp->draining)
        take_next(sm, sub, slot);
    if (!warp->ibuf_count)
        warp->ibuf_past = 0;
    else if (warp->next.index != issued + 1 ||
             (warp->ibuf_past && always_leaves(&warp->code[issued])))
        relabel(warp);
    fetch_update(sm, sub, slot);
}

void fetch_wake(struct sm *sm, struct sm_block *block)
{
    for (uint32_t i = 0; block->asleep && i < block->warps; i++) {
        struct sub *sub = &sm->sub[block->slot[i] / MAX_SLOTS];
        unsigned slot = block->slot[i] % MAX_SLOTS;
        struct warp *warp = &sub->warp[slot];
        if (!warp->alive || !warp->asleep)
            continue;
        fetch_issued(sm, sub, slot, warp->last_inst);
        warp->deps_known = false;
        slot_refresh(sm, sub, slot);
        sub->next = least(sub->next, sm->now + 1);
        sm->next = least(sm->next, sub->next);
    }
}

static unsigned choose(const struct sub *sub, uint64_t mask)
{
    if (sub->last_fetched >= 0 && (mask >> sub->last_fetched & 1u))
        return (unsigned)sub->last_fetched;
    unsigned best = (unsigned)__builtin_ctzll(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(mask);
        uint32_t rank = sub->block_rank[slot], least = sub->block_rank[best];
        if (rank < least ||
            (rank == least && sub->warp[slot].fetched_at < sub->warp[best].fetched_at))
            best = slot;
    }
    return best;
}

static void fetch_one(struct sm *sm, struct sub *sub)
{
    bool ahead = !sub->fetchable;
    unsigned slot = choose(sub, ahead ? sub->fetch_ahead : sub->fetchable);
    struct warp *warp = &sub->warp[slot];
    bool was_empty = !warp->ibuf_count;
    uint64_t here = sm->now;
    if (!ahead) {
        warp->fetched_at = sm->now + 1;
        sub->last_fetched = (int)slot;
    }
    if (!warp->ibuf_past) {
        here = icache_access(&sub->icache, sm->now,
                             warp->grid->code_at + warp->code[fetched_next(warp)].pc);
        if (here > sm->now)
            warp->fetch_at = here;
    }
    if (icache_is_pending(here)) {
        sub->awaiting |= bit64(slot);
        append(warp, here);
    } else {
        append(warp, here + sm->config->fetch_latency);
    }
    fetch_update(sm, sub, slot);
    if (was_empty) {
        warp->deps_known = false;
        slot_refresh(sm, sub, slot);
    }
}

void fetch_cycle(struct sm *sm, struct sub *sub)
{
    for (uint32_t i = 0; i < sm->config->fetch_width && (sub->fetchable | sub->fetch_ahead); i++)
        fetch_one(sm, sub);
}

/* The line has come that the warp fetches from. */
static void fetch_supplied(struct sm *sm, struct sub *sub, unsigned slot, uint64_t ready_at)
{
    struct warp *warp = &sub->warp[slot];
    const uint32_t request = (uint32_t)warp->fetch_at;
    warp->fetch_at = icache_settled(warp->fetch_at, ready_at);
    for (unsigned i = 0; i < IBUF_MAX; i++)
        if (icache_stands_for(warp->ibuf[i], request))
            warp->ibuf[i] = icache_settled(warp->ibuf[i], ready_at) + sm->config->fetch_latency;
    fetch_update(sm, sub, slot);
}

/* Lets the warps of a sub-partition go on that have waited for a line. */
static void warps_supplied(struct sm *sm, struct sub *sub, enum supply_kind kind, uint32_t request,
                           uint64_t ready_at)
{
    for (uint64_t slots = sub->awaiting; slots; slots &= slots - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(slots);
        struct warp *warp = &sub->warp[slot];
        bool fetches = kind == SUPPLY_CODE && icache_stands_for(warp->fetch_at, request);
        bool reads = kind == SUPPLY_CONSTANTS && icache_stands_for(warp->constant_until, request);
        if (fetches)
            fetch_supplied(sm, sub, slot, ready_at);
        if (reads)
            warp->constant_until = icache_settled(warp->constant_until, ready_at);
        if (fetches || reads)
            slot_refresh(sm, sub, slot);
        if (!icache_is_pending(warp->fetch_at) && !icache_is_pending(warp->constant_until))
            sub->awaiting &= ~bit64(slot);
    }
    sm->next = least(sm->next, sub->next);
}

/* Notes that a line of the LDC `tag` delays it to `cycle`. Returns whether it waits for others. */
static bool waits_on(struct sm *sm, uint32_t tag, uint64_t cycle)
{
    struct line_wait *wait = sm->line_waits.data;
    bool waits = false;
    for (size_t i = 0; i < sm->line_waits.count; i++) {
        if (wait[i].tag != tag)
            continue;
        waits = true;
        wait[i].least = later(wait[i].least, cycle);
    }
    return waits;
}

/* Completes the LDCs that have waited for a line, and for no other. */
static void loads_supplied(struct sm *sm, uint32_t request, uint64_t ready_at)
{
    struct line_wait *wait = sm->line_waits.data;
    for (size_t i = 0; i < sm->line_waits.count;) {
        if (!icache_stands_for(wait[i].pending, request)) {
            i++;
            continue;
        }
        const struct line_wait one = wait[i];
        const uint64_t cycle = later(one.least, icache_settled(one.pending, ready_at) + one.rest);
        wait[i] = wait[--sm->line_waits.count];
        if (!waits_on(sm, one.tag, cycle))
            due_add_reserved(sm, cycle, one.tag, one.order);
    }
    if (sm->due_count)
        sm->next = least(sm->next, sm->due[0].cycle);
}

void sm_supplied(struct sm *sm, enum supply_kind kind, uint32_t number, uint32_t request,
                 uint64_t ready_at)
{
    if (sm->now + 1 < sm->port->reached)
        sm->now = sm->port->reached - 1; /* timers count from here */
    icache_chain_answer(kind == SUPPLY_CODE ? &sm->code_levels : &sm->constant_levels, number,
                        request, ready_at);
    if (kind == SUPPLY_CONSTANTS)
        loads_supplied(sm, request, icache_answer(&sm->indexed, number, request, ready_at));
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[i];
        struct icache *cache = kind == SUPPLY_CODE ? &sub->icache : &sub->constants;
        uint64_t at = icache_answer(cache, number, request, ready_at);
        if (sub->awaiting)
            warps_supplied(sm, sub, kind, request, at);
    }
}
