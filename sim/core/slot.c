/*
 * MODEL: the private state of a warp slot: the cause that keeps the warp itself from issuing. If
 * several causes hold, the state is the first of them in the order of defs/warp_states.def. A timer
 * is set for the cycle in which that cause ends, if the cycle is known.
 * SOURCE: stall reasons of Nsight Compute; their order: docs/model.md, section "States".
 * LEFT OUT: nothing known.
 */
#include "core/gmma.h"
#include "core/sm_state.h"

struct causes {
    uint32_t holds; /* bit per enum simsm_warp_state */
    uint64_t until[SIMSM_STATE_COUNT];
};

static void add_cause(struct causes *causes, enum simsm_warp_state state, uint64_t until)
{
    causes->holds |= 1u << state;
    causes->until[state] = until;
}

static void add_until(struct causes *causes, enum simsm_warp_state state, uint64_t until,
                      uint64_t now)
{
    if (until > now)
        add_cause(causes, state, until);
}

static void add_operands(struct causes *causes, struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    if (!warp->deps_known)
        depend_evaluate(sm, sub, slot);
    add_until(causes, SIMSM_STATE_IMC_MISS, warp->constant_until, sm->now);
    add_until(causes, SIMSM_STATE_WAIT, warp->needs_until, sm->now);
    /* Nsight Compute counts the wait for products (WARPGROUP.DEPBAR) as barrier: H100. */
    add_until(causes, SIMSM_STATE_BARRIER, warp->products_until, sm->now);
    if (warp->needs_pending & 1u << WAIT_LONG)
        add_cause(causes, SIMSM_STATE_LONG_SCOREBOARD, SM_NEVER);
    if (warp->needs_pending & 1u << WAIT_SHORT)
        add_cause(causes, SIMSM_STATE_SHORT_SCOREBOARD, SM_NEVER);
}

/*
 * Adds the barrier at which the warp waits. Arithmetic of a fixed latency issues in spite of it.
 * SOURCE: H200, cuda/calib/barrier: FFMA, IADD3, DFMA, HMMA, VOTE, CS2R issue; NOP, loads, stores,
 * special functions, branches, DEPBAR and the next barrier do not.
 */
static void collect_barrier(struct causes *causes, const struct sm *sm, struct warp *warp)
{
    bool runs_on = warp->ibuf_count && sm->op.op[warp->code[warp->next.index].op].runs_on;
    if (runs_on)
        return;
    if (warp->barrier_waiting)
        add_cause(causes, SIMSM_STATE_BARRIER, SM_NEVER);
    else
        add_until(causes, SIMSM_STATE_BARRIER, warp->barrier_until, sm->now);
}

/* Adds the wait for the warp group, if the next instruction needs the group. */
static void collect_group(struct causes *causes, const struct sm *sm, const struct warp *warp)
{
    const bool there = warp->group_waiting || warp->group_until > sm->now;
    if (!there || !warp->ibuf_count || !gmma_needs_group(warp->code[warp->next.index].op))
        return;
    add_until(causes, SIMSM_STATE_GMMA, warp->group_waiting ? SM_NEVER : warp->group_until,
              sm->now);
}

/* Adds the causes that only barriers, fences and NANOSLEEP have. */
static void collect_held(struct causes *causes, const struct sm *sm, struct warp *warp)
{
    uint64_t now = sm->now;
    collect_barrier(causes, sm, warp);
    collect_group(causes, sm, warp);
    if (warp->fence_waiting && warp->loads_out + warp->stores_out > 0)
        add_cause(causes, SIMSM_STATE_MEMBAR, SM_NEVER);
    else
        add_until(causes, SIMSM_STATE_MEMBAR, warp->fence_until, now);
    add_until(causes, SIMSM_STATE_SLEEPING, warp->sleep_until, now);
    warp->fence_waiting &= (causes->holds >> SIMSM_STATE_MEMBAR & 1u) != 0;
    warp->held = causes->holds != 0 || warp->barrier_waiting || warp->barrier_until > now ||
                 warp->group_waiting || warp->group_until > now;
}

static void collect(struct causes *causes, struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    uint64_t now = sm->now;
    causes->holds = 0;
    if (warp->draining) {
        add_cause(causes, SIMSM_STATE_DRAIN, SM_NEVER);
        return;
    }
    if (warp->asleep) { /* at a barrier: one to which other lanes of the warp have come before */
        bool memory = (warp->next.flags & WARP_INST_WAITS) != 0;
        add_cause(causes, memory ? SIMSM_STATE_LONG_SCOREBOARD : SIMSM_STATE_BARRIER, SM_NEVER);
        return;
    }
    if (warp->held)
        collect_held(causes, sm, warp);
    add_until(causes, SIMSM_STATE_WAIT, warp->stall_until, now);
    if (causes->holds)
        return;
    add_until(causes, SIMSM_STATE_BRANCH_RESOLVING, warp->branch_until, now);
    if (!warp->ibuf_count)
        add_cause(causes, SIMSM_STATE_NO_INSTRUCTION, SM_NEVER);
    else
        add_until(causes, SIMSM_STATE_NO_INSTRUCTION, warp->ibuf[warp->ibuf_head], now);
    if (!causes->holds)
        add_operands(causes, sm, sub, slot);
}

static void leave_ready(struct sub *sub, struct warp *warp, unsigned slot)
{
    sub->ready &= ~bit64(slot);
    sub->need[warp->unit] &= ~bit64(slot);
    if (!sub->need[warp->unit])
        sub->units &= ~(1u << warp->unit);
}

static void enter_ready(struct sm *sm, struct sub *sub, struct warp *warp, unsigned slot)
{
    warp->unit = sm->op.op[warp->code[warp->next.index].op].unit;
    sub->ready |= bit64(slot);
    sub->need[warp->unit] |= bit64(slot);
    sub->units |= 1u << warp->unit;
}

static const uint32_t synchronizing_states = 1u << SIMSM_STATE_BARRIER | 1u << SIMSM_STATE_GMMA |
                                             1u << SIMSM_STATE_MEMBAR | 1u << SIMSM_STATE_SLEEPING |
                                             1u << SIMSM_STATE_DRAIN;

static void settle(struct sm *sm, struct sub *sub, unsigned slot, uint8_t own)
{
    struct warp *warp = &sub->warp[slot];
    if (own == warp->own && own != OWN_READY)
        return;
    uint64_t bit = bit64(slot);
    sub->memory_pending &= ~bit;
    sub->synchronizing &= ~bit;
    sub->dirty |= bit;
    if (warp->own == OWN_READY)
        leave_ready(sub, warp, slot);
    warp->own = own;
    if (own == OWN_READY)
        enter_ready(sm, sub, warp, slot);
    else if (own == SIMSM_STATE_LONG_SCOREBOARD)
        sub->memory_pending |= bit;
    else if (1u << own & synchronizing_states)
        sub->synchronizing |= bit;
}

void slot_refresh(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    if (!warp->alive) {
        bool exited = (sub->resident & ~sub->placed) >> slot & 1u;
        settle(sm, sub, slot, exited ? SIMSM_STATE_EXITED : SIMSM_STATE_EMPTY);
        return;
    }
    if (warp->fetch_timed)
        fetch_update(sm, sub, slot);
    struct causes causes;
    collect(&causes, sm, sub, slot);
    if (!causes.holds) {
        settle(sm, sub, slot, OWN_READY);
        return;
    }
    unsigned first = (unsigned)__builtin_ctz(causes.holds);
    if (!icache_is_pending(causes.until[first])) /* nor SM_NEVER */
        slot_timer(sm, sub, slot, causes.until[first]);
    settle(sm, sub, slot, (uint8_t)first);
}
