/*
 * MODEL: instruction supply. One fetch unit for each sub-partition fills a small buffer for each
 * warp. The unit stays with the warp that it fetched for last while that warp's buffer has room.
 * Otherwise it takes the warp of the oldest block that it has served least recently. A warp with an
 * empty buffer cannot issue. After a taken branch the buffer is empty until the branch is resolved.
 * SOURCE: H200, finish times of warps: without this unit no issue policy explains them
 * (docs/model.md, section "Instruction supply").
 * LEFT OUT: speculation past a taken branch; instructions fetched in pairs.
 */
#include "base/check.h"
#include "core/sm_state.h"
#include "model/op.h"

/* Appends the warp's next instruction to its buffer; it can issue from `ready_at` on. */
static void append(struct sm *sm, struct sub *sub, unsigned slot, uint64_t ready_at)
{
    struct warp *warp = &sub->warp[slot];
    SIMSM_CHECK(warp->ibuf_count < IBUF_MAX, "slot %u: %u instructions in the buffer", slot,
                warp->ibuf_count);
    unsigned at = (warp->ibuf_head + warp->ibuf_count++) % IBUF_MAX;
    struct buffered *entry = &warp->ibuf[at];
    sm->ops->warp_next(sm->front, sub->cursor + (size_t)slot * sm->front->cursor_size,
                       &entry->inst);
    entry->ready_at = ready_at;
    if ((entry->inst.flags & WARP_INST_DECIDES) &&
        sm->code[entry->inst.index].op == SIMSM_OP_MBARRIER_WAIT)
        phase_fetched(sm, sub, slot);
    if (entry->inst.flags & WARP_INST_LAST)
        warp->fetched_last = true;
    /* A sequence may also jump without a branch, as unrolled code does: that costs nothing. */
    if (op_is_control_flow(sm->code[entry->inst.index].op) &&
        warp_inst_is_taken(&entry->inst, sm->code[entry->inst.index].op))
        warp->fetch_at = SM_NEVER; /* no fetch until the branch issues */
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
    warp->fetch_timed = false;
    if (warp->fetched_last || warp->fetch_at == SM_NEVER)
        return;
    if (sm->config->fetch_ideal) {
        if (!warp->ibuf_count && warp->fetch_at <= sm->now) {
            append(sm, sub, slot, sm->now);
            warp->deps_known = false;
        } else if (!warp->ibuf_count) {
            wait_to_fetch(sm, sub, slot);
        }
        return;
    }
    if (warp->ibuf_count >= sm->config->fetch_buffer_entries)
        return;
    if (warp->fetch_at <= sm->now)
        sub->fetchable |= bit;
    else
        wait_to_fetch(sm, sub, slot);
}

static unsigned choose(const struct sub *sub)
{
    if (sub->last_fetched >= 0 && (sub->fetchable >> sub->last_fetched & 1u))
        return (unsigned)sub->last_fetched;
    uint64_t mask = sub->fetchable;
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
    unsigned slot = choose(sub);
    struct warp *warp = &sub->warp[slot];
    bool was_empty = !warp->ibuf_count;
    uint64_t unblocked = warp->fetch_at;
    append(sm, sub, slot, 0);
    struct buffered *entry = &warp->ibuf[(warp->ibuf_head + warp->ibuf_count - 1u) % IBUF_MAX];
    uint64_t here = icache_access(&sub->icache, sm->now, sm->code[entry->inst.index].pc);
    entry->ready_at = here + sm->config->fetch_latency;
    if (warp->fetch_at == unblocked && here > sm->now)
        warp->fetch_at = here;
    warp->fetched_at = sm->now + 1;
    sub->last_fetched = (int)slot;
    fetch_update(sm, sub, slot);
    if (was_empty) {
        warp->deps_known = false;
        slot_refresh(sm, sub, slot);
    }
}

void fetch_cycle(struct sm *sm, struct sub *sub)
{
    for (uint32_t i = 0; i < sm->config->fetch_width && sub->fetchable; i++)
        fetch_one(sm, sub);
}
