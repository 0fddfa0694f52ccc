/*
 * MODEL: the state of each slot in each cycle, as Nsight Compute samples it: selected, not
 * selected, or a stall reason. Reports changes and issues to observers, and charges the cycles of a
 * state to the warp's next instruction.
 * SOURCE: stall reasons of Nsight Compute (docs/model.md, section "States").
 * LEFT OUT: nothing known.
 */
#include "base/bits.h"
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
        warp->lines[warp->shown_inst].states[warp->shown] += cycles;
}

/* Returns the state of a ready warp that could not issue because its unit was busy. */
static uint8_t throttle(unsigned unit)
{
    switch (unit) {
    case UNIT_LG:
        return SIMSM_STATE_LG_THROTTLE;
    case UNIT_TEX:
        return SIMSM_STATE_TEX_THROTTLE;
    case UNIT_MIO:
    case SIMSM_PIPE_XU: /* Nsight Compute counts special functions as memory-I/O instructions */
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
    return sub->dispatch_held >> slot & 1u ? SIMSM_STATE_DISPATCH_STALL : throttle(warp->unit);
}

/* Slots that change in this cycle, by the state that they enter. */
struct changes {
    uint32_t states; /* bit per state that a slot enters */
    uint64_t slots[SIMSM_STATE_COUNT];
};

/*
 * Returns whether the event of a change can wait. Terse observers derive a change to `selected`
 * from the issue. Slots that enter the same state together, with the expected instruction, become
 * one event; slots that share a pipe often do.
 */
static bool defer_event(struct changes *changes, const struct warp *warp, uint32_t expected,
                        unsigned slot)
{
    if (warp->shown == SIMSM_STATE_ISSUED)
        return true;
    if (warp->shown_inst != expected)
        return false;
    if (!(changes->states >> warp->shown & 1u))
        changes->slots[warp->shown] = 0;
    changes->states |= 1u << warp->shown;
    changes->slots[warp->shown] |= bit64(slot);
    return true;
}

static void emit_state(struct sm *sm, struct sub *sub, unsigned slot)
{
    const struct warp *warp = &sub->warp[slot];
    bus_emit(sm->bus, SIMSM_EVENT_WARP_STATE, sm->now, sm_slot(sm, sub, slot), warp->shown,
             warp->shown_inst);
}

/* Fewer slots cost less as single events. */
enum { EVENT_GROUP_LEAST = 4 };

static __attribute__((noinline)) void emit_deferred(struct sm *sm, struct sub *sub,
                                                    const struct changes *changes)
{
    for (uint32_t states = changes->states; states; states &= states - 1) {
        unsigned state = (unsigned)__builtin_ctz(states);
        uint64_t slots = changes->slots[state];
        if (bits_count64(slots) < EVENT_GROUP_LEAST) {
            for (; slots; slots &= slots - 1)
                emit_state(sm, sub, (unsigned)__builtin_ctzll(slots));
            continue;
        }
        for (unsigned first = 0; slots; first += 16, slots >>= 16) {
            if (slots & 0xffffu)
                bus_emit(sm->bus, SIMSM_EVENT_WARP_STATES, sm->now, sm_slot(sm, sub, first), state,
                         (uint32_t)slots & 0xffffu);
        }
    }
}

/* Not inline: change_state is the busiest function of all when no observer watches. */
static __attribute__((noinline)) void emit_change(struct sm *sm, struct sub *sub, unsigned slot,
                                                  uint32_t expected, struct changes *changes)
{
    if (!sm->bus->terse || !defer_event(changes, &sub->warp[slot], expected, slot))
        emit_state(sm, sub, slot);
}

static inline void change_state(struct sm *sm, struct sub *sub, unsigned slot, uint8_t state,
                                struct changes *changes)
{
    struct warp *warp = &sub->warp[slot];
    uint32_t expected = warp->shown_inst + (warp->shown == SIMSM_STATE_ISSUED);
    classify_settle(sm, sub, slot, sm->now);
    warp->shown = state;
    bool head_known = warp->ibuf_count && state != SIMSM_STATE_ISSUED;
    warp->shown_inst = head_known ? warp->next.index : warp->last_inst;
    if (bus_wants(sm->bus, SIMSM_EVENT_WARP_STATE))
        emit_change(sm, sub, slot, expected, changes);
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
 * Returns the slots whose state can have changed: slots settled anew, slots that issue in this
 * cycle or issued in the one before, and ready slots that another cause keeps from issuing than in
 * the last cycle.
 */
static uint64_t slots_to_classify(struct sub *sub)
{
    uint64_t issued = slot_bit(sub->issued);
    uint64_t held = sub->ready & sub->dispatch_held;
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
    struct changes changes;
    changes.states = 0;
    for (uint64_t look = slots_to_classify(sub); look; look &= look - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(look);
        uint8_t state = state_of(sub, slot);
        if (state != sub->warp[slot].shown)
            change_state(sm, sub, slot, state, &changes);
    }
    if (changes.states)
        emit_deferred(sm, sub, &changes);
    if (sub->issued >= 0)
        emit_issue(sm, sub);
    sub->issued_before = sub->issued;
    sub->issued = -1;
    sub->dirty = 0;
}

static enum account account_of(const struct sub *sub)
{
    uint64_t neither = sub->alive & ~(sub->memory_pending | sub->synchronizing);
    if (!sub->alive)
        return ACCOUNT_EMPTY;
    if (sub->issued >= 0)
        return ACCOUNT_BUSY;
    return !neither && sub->memory_pending ? ACCOUNT_MEMORY : ACCOUNT_IDLE;
}

static void settle_account(struct sub *sub, uint64_t cycle)
{
    sub->spent[sub->account] += cycle - sub->accounted;
    sub->accounted = cycle;
}

void account_cycle(struct sm *sm, struct sub *sub)
{
    settle_account(sub, sm->now);
    sub->account = (uint8_t)account_of(sub);
}

struct sm_account sm_account(struct sm *sm, uint64_t cycle)
{
    struct sm_account sum = {0};
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[i];
        settle_account(sub, cycle);
        sum.memory += sub->spent[ACCOUNT_MEMORY];
        sum.idle += sub->spent[ACCOUNT_MEMORY] + sub->spent[ACCOUNT_IDLE];
        sum.active += sub->spent[ACCOUNT_BUSY];
    }
    sum.active += sum.idle;
    return sum;
}
