/*
 * Classification: the state that each slot is in in this cycle. Emits changes and issues, and
 * charges the cycles of a state to the instruction at the warp's head.
 */
#include "core/sm_state.h"

void classify_settle(struct sm *sm, struct sub *sub, unsigned slot, uint64_t cycle)
{
    struct warp *warp = &sub->warp[slot];
    uint64_t cycles = cycle - warp->shown_since;
    if (!cycles)
        return;
    warp->shown_since = cycle;
    sm->tally->states[warp->shown] += cycles;
    if (warp->shown != SIMSM_STATE_EMPTY)
        sm->tally->lines[warp->shown_inst].states[warp->shown] += cycles;
}

/* The state of a ready warp that could not issue because its unit was taken. */
static uint8_t throttle(unsigned unit)
{
    switch (unit) {
    case UNIT_LG:
        return SIMSM_STATE_LG_THROTTLE;
    case UNIT_TEX:
        return SIMSM_STATE_TEX_THROTTLE;
    case UNIT_MIO:
    case SIMSM_PIPE_XU: /* special functions are memory-I/O instructions in Nsight's words */
        return SIMSM_STATE_MIO_THROTTLE;
    default:
        return SIMSM_STATE_MATH_PIPE_THROTTLE;
    }
}

static uint8_t state_of(const struct sub *sub, unsigned slot)
{
    const struct warp *warp = &sub->warp[slot];
    if (sub->issued == (int)slot)
        return SIMSM_STATE_ISSUED;
    if (warp->own != OWN_READY)
        return warp->own;
    if (sub->eligible >> slot & 1u)
        return SIMSM_STATE_NOT_SELECTED;
    return sub->dispatch_held ? SIMSM_STATE_DISPATCH_STALL : throttle(warp->unit);
}

static void change(struct sm *sm, struct sub *sub, unsigned slot, uint8_t state)
{
    struct warp *warp = &sub->warp[slot];
    classify_settle(sm, sub, slot, sm->now);
    warp->shown = state;
    bool head_known = warp->ibuf_count && state != SIMSM_STATE_ISSUED;
    warp->shown_inst = head_known ? warp_head(warp)->inst.index : warp->last_inst;
    bus_emit(sm->bus, SIMSM_EVENT_WARP_STATE, sm->now, sm_slot(sm, sub, slot), state,
             warp->shown_inst);
}

static void emit_issue(struct sm *sm, struct sub *sub)
{
    unsigned slot = (unsigned)sub->issued;
    struct warp *warp = &sub->warp[slot];
    uint32_t unit = sm_slot(sm, sub, slot);
    warp->shown_inst = warp->last_inst;
    if (sub->mask_changed)
        bus_emit(sm->bus, SIMSM_EVENT_MASK, sm->now, unit, 0, warp->mask);
    sub->mask_changed = false;
    bus_emit(sm->bus, SIMSM_EVENT_ISSUE, sm->now, unit, 0, warp->last_inst);
    TALLY(sm->tally, ISSUE_ACTIVE, 1);
}

static uint64_t slot_bit(int slot)
{
    return slot >= 0 ? bit64((unsigned)slot) : 0;
}

/*
 * Slots whose state can have changed: those settled anew, those that issue now or did in the cycle
 * before, and ready ones that are held up in another way than in the last cycle.
 */
static uint64_t suspects(struct sub *sub)
{
    uint64_t issued = slot_bit(sub->issued);
    uint64_t held = sub->dispatch_held ? sub->ready : 0;
    uint64_t lost = sub->eligible & sub->ready & ~issued;
    uint64_t throttled = sub->ready & ~(sub->eligible | held);
    uint64_t look = sub->dirty | issued | slot_bit(sub->issued_before) | (held ^ sub->was_held) |
                    (lost ^ sub->was_lost) | (throttled ^ sub->was_throttled);
    sub->was_held = held;
    sub->was_lost = lost;
    sub->was_throttled = throttled;
    return look;
}

void classify_cycle(struct sm *sm, struct sub *sub)
{
    for (uint64_t look = suspects(sub); look; look &= look - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(look);
        uint8_t state = state_of(sub, slot);
        if (state != sub->warp[slot].shown)
            change(sm, sub, slot, state);
    }
    if (sub->issued >= 0)
        emit_issue(sm, sub);
    sub->issued_before = sub->issued;
    sub->issued = -1;
    sub->dirty = 0;
}
