/* The recorder: turns an SM's events into the records of a timeline chunk. */
#include "observe/recorder.h"

#include <string.h>

#include "base/bits.h"

_Static_assert((int)SIMSM_STATE_COUNT <= (int)SMTL_ISSUE, "a tag has room for 24 states");
_Static_assert(SIMSM_LEVEL_COUNT <= 4, "a tag has room for 4 memory levels");

static struct recorder_rest *rest_of(const struct recorder *recorder,
                                     const struct recorder_slot *slot)
{
    return &recorder->rest[slot - recorder->slot];
}

static bool refuse(struct recorder *recorder, const struct recorder_slot *slot, uint64_t cycle,
                   const char *why)
{
    recorder->refusal = why;
    recorder->refused_slot = (uint32_t)(slot - recorder->slot);
    recorder->refused_cycle = cycle;
    return false;
}

/*
 * Called when a record stream has less than a quarter of its room left: the chunk ends with this
 * cycle. Returns false if one cycle has more events than the quarter holds.
 */
static bool close_when_full(struct recorder *recorder, const struct recorder_slot *slot)
{
    ptrdiff_t quarter = (slot->high - rest_of(recorder, slot)->begin) / 3;
    recorder->full = true;
    if (slot->at + SMTL_RECORD_BYTES <= slot->high + quarter)
        return true;
    return refuse(recorder, slot, recorder->now,
                  "has more events in one cycle than a timeline can hold");
}

/* Writes a gap or a distance that needs more than the one byte written by `put`. This is rare. */
static uint8_t *put_long(uint8_t *at, uint64_t delta, uint32_t off)
{
    at++;
    if (delta >= SMTL_DELTA_LONG)
        at = bytes_put_varint(at, delta - SMTL_DELTA_LONG);
    return off ? bytes_put_varint(at, off) : at;
}

/*
 * Writes a record's tag, gap and distance. How long a state lasts cannot be predicted, so a branch
 * on it would be expensive: a short gap and a short distance are written without a branch.
 */
static inline bool put(struct recorder *recorder, struct recorder_slot *slot, unsigned what,
                       uint64_t cycle, uint32_t pc_off)
{
    uint8_t *at = slot->at;
    uint64_t delta = cycle - slot->clock;
    unsigned is_long = delta >= SMTL_DELTA_LONG;
    unsigned low = is_long ? SMTL_DELTA_LONG : (unsigned)delta;
    uint32_t off = (uint32_t)bytes_zigzag((int32_t)pc_off);
    if (__builtin_expect(at > slot->high, 0) && !close_when_full(recorder, slot))
        return false;
    slot->clock = cycle;
    at[0] = (uint8_t)(what | low << SMTL_DELTA_SHIFT | (off ? SMTL_OTHER_PC : 0u));
    at[1] = (uint8_t)(delta - SMTL_DELTA_LONG);
    at[1 + is_long] = (uint8_t)off;
    slot->at = at + 1 + is_long + (off != 0);
    if (__builtin_expect((delta >= SMTL_DELTA_LONG + 0x80) | (off >= 0x80), 0))
        slot->at = put_long(at, delta, off);
    return true;
}

static const char no_issue[] = "was selected without an issue";

static struct recorder_group *group_of(struct recorder *recorder, const struct recorder_slot *slot)
{
    return &recorder->group[recorder->group_of[slot - recorder->slot]];
}

/* Returns the bit of a slot in its group. */
static uint32_t bit_of(const struct recorder_group *group, const struct recorder_slot *slot)
{
    return 1u << (slot->state - group->state);
}

/*
 * Enters a state in the slot's own record stream. Totals: the cycles spent in a state are the sum
 * of the cycles at which it was left, minus the sum of the cycles at which it was entered.
 */
static inline bool enter(struct recorder *recorder, struct recorder_slot *slot, unsigned state,
                         uint64_t cycle, uint32_t pc)
{
    if (!put(recorder, slot, state, cycle, pc - slot->next_pc))
        return false;
    recorder->totals.states[*slot->state] += cycle;
    recorder->totals.states[state] -= cycle;
    recorder->changes++;
    slot->since = cycle;
    *slot->state = (uint8_t)state;
    slot->pc = pc;
    return true;
}

static inline bool push_state(struct recorder *recorder, struct recorder_slot *slot,
                              const struct simsm_event *event)
{
    uint64_t cycle = event->cycle, next_issue = slot->next_issue;
    uint32_t early = next_issue > cycle;
    if (__builtin_expect(event->sub >= SIMSM_STATE_COUNT, 0))
        return refuse(recorder, slot, cycle, "entered a state that has no name");
    if (*slot->state == SIMSM_STATE_ISSUED) {
        if (__builtin_expect(next_issue < cycle, 0))
            return refuse(recorder, slot, cycle, no_issue);
        struct recorder_group *group = group_of(recorder, slot);
        group->selected &= ~bit_of(group, slot);
    }
    if (!enter(recorder, slot, event->sub, cycle, event->arg))
        return false;
    if (event->sub == SIMSM_STATE_ISSUED) {
        struct recorder_group *group = group_of(recorder, slot);
        group->selected |= bit_of(group, slot);
    }
    slot->next_pc = event->arg + early; /* + 1 if the slot has already issued in this cycle */
    slot->next_issue = early ? next_issue : cycle;
    return true;
}

/* A slot that issues is in state `selected`, even without an event that says so. */
static inline bool push_issue(struct recorder *recorder, struct recorder_slot *slot,
                              const struct simsm_event *event)
{
    bool selected = *slot->state == SIMSM_STATE_ISSUED;
    bool told = (event->cycle == slot->next_issue) & (event->arg == slot->next_pc);
    if (!selected) {
        struct recorder_group *group = group_of(recorder, slot);
        group->selected |= bit_of(group, slot);
        if (!enter(recorder, slot, SIMSM_STATE_ISSUED, event->cycle, event->arg))
            return false;
    } else if (__builtin_expect(!told, 0)) {
        if (event->cycle > slot->next_issue)
            return refuse(recorder, slot, event->cycle, no_issue);
        if (!put(recorder, slot, SMTL_ISSUE, event->cycle, event->arg - slot->next_pc))
            return false;
    }
    slot->next_pc = event->arg + 1;
    slot->next_issue = event->cycle + 1;
    return true;
}

/*
 * Takes slots out of state `selected` that leave it together with other slots of their group.
 * Returns false if one of them has not issued in its last cycle.
 */
static bool deselect(struct recorder *recorder, struct recorder_group *group, uint32_t slots,
                     uint8_t state, uint64_t cycle)
{
    group->selected &= ~slots;
    for (; slots; slots &= slots - 1) {
        uint32_t place = (uint32_t)__builtin_ctz(slots);
        const struct recorder_slot *slot = &recorder->slot[group->first + place * recorder->subs];
        if (slot->next_issue != cycle)
            return refuse(recorder, slot, cycle, no_issue);
        group->state[place] = state;
        recorder->totals.states[SIMSM_STATE_ISSUED] += cycle;
        recorder->totals.states[state] -= cycle;
    }
    return true;
}

enum { HALF = sizeof(uint64_t) }; /* slots of a group whose states fit into a word */
#define EACH_BYTE (UINT64_MAX / 255)

/* Returns a word with 0xff in the byte of each slot whose bit is set. */
static inline uint64_t bytes_of(uint8_t slots)
{
    static const uint8_t bit[HALF] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t own;
    memcpy(&own, bit, HALF);
    own &= slots * EACH_BYTE;
    uint64_t high = (((own & 0x7f * EACH_BYTE) + 0x7f * EACH_BYTE) | own) & 0x80 * EACH_BYTE;
    return (high >> 7) * 0xff;
}

/* Sets the state of slots. Returns whether all of them were in state `before`. */
static inline bool change_states(uint8_t state[HALF], uint8_t slots, uint8_t before, uint8_t after)
{
    uint64_t now, in = bytes_of(slots);
    memcpy(&now, state, HALF);
    uint64_t others = (now ^ before * EACH_BYTE) & in;
    now = (now & ~in) | (after * EACH_BYTE & in);
    memcpy(state, &now, HALF);
    return !others;
}

/*
 * Moves slots to another state and updates the totals. Fast if all slots were in the same state,
 * which is the usual case.
 */
static void move(struct recorder *recorder, struct recorder_group *group, uint32_t slots,
                 uint8_t state, uint64_t cycle)
{
    uint8_t before[SMTL_GROUP_SLOTS], first = group->state[__builtin_ctz(slots)];
    uint64_t *totals = recorder->totals.states;
    memcpy(before, group->state, sizeof before);
    bool low = change_states(group->state, (uint8_t)slots, first, state);
    bool high = change_states(group->state + HALF, (uint8_t)(slots >> 8), first, state);
    totals[state] -= bits_count(slots) * cycle;
    if (low && high) {
        totals[first] += bits_count(slots) * cycle;
        return;
    }
    for (; slots; slots &= slots - 1)
        totals[before[__builtin_ctz(slots)]] += cycle;
}

/* Records that several slots of a group enter the same state. */
static bool push_states(struct recorder *recorder, const struct simsm_event *event)
{
    uint32_t place = recorder->group_of[event->unit % SIMSM_SLOTS_PER_SM], slots = event->arg;
    struct recorder_group *group = &recorder->group[place];
    struct recorder_slot *stream = &recorder->slot[recorder->slots + 1 + place];
    uint64_t cycle = event->cycle;
    if (!slots || slots & ~group->slots || event->sub >= SIMSM_STATE_COUNT ||
        event->sub == SIMSM_STATE_ISSUED)
        return refuse(recorder, &recorder->slot[group->first], cycle,
                      "belongs to slots that change to what they cannot");
    uint32_t selected = slots & group->selected, others = slots ^ selected;
    if (!put(recorder, stream, event->sub, cycle, 0) ||
        (selected && !deselect(recorder, group, selected, event->sub, cycle)))
        return false;
    *stream->at++ = (uint8_t)slots;
    *stream->at++ = (uint8_t)(slots >> 8);
    if (group->recent == RECORDER_RECENT)
        recorder_update_changed(group);
    group->recent_slots[group->recent] = slots;
    group->recent_at[group->recent++] = (uint32_t)(cycle - recorder->begin) + 1;
    recorder->changes += bits_count(slots);
    if (others)
        move(recorder, group, others, event->sub, cycle);
    return true;
}

static bool push_mask(struct recorder *recorder, struct recorder_slot *slot,
                      const struct simsm_event *event)
{
    if (!put(recorder, slot, SMTL_MASK, event->cycle, 0))
        return false;
    bytes_put_u32(slot->at, event->arg);
    slot->at += 4;
    rest_of(recorder, slot)->mask = event->arg;
    return true;
}

static bool push_memory(struct recorder *recorder, struct recorder_slot *slot,
                        const struct simsm_event *event)
{
    bool done = event->kind == SIMSM_EVENT_MEM_DONE;
    struct recorder_rest *rest = rest_of(recorder, slot);
    uint32_t *last = done ? &rest->done_pc : &rest->start_pc;
    unsigned what = done ? SMTL_MEM_DONE + (event->sub & 3u) : (unsigned)SMTL_MEM_START;
    uint32_t off = event->arg - (*last + 1);
    *last = event->arg;
    return put(recorder, slot, what, event->cycle, off);
}

static bool push_warp(struct recorder *recorder, struct recorder_slot *slot,
                      const struct simsm_event *event)
{
    if (!put(recorder, slot, SMTL_WARP_START, event->cycle, 0))
        return false;
    slot->at = bytes_put_varint(slot->at, event->arg);
    *slot->at++ = event->sub;
    struct recorder_rest *rest = rest_of(recorder, slot);
    rest->block = event->arg;
    rest->warp = event->sub;
    rest->warp_since = event->cycle;
    rest->used = true;
    return true;
}

bool recorder_put_sm(struct recorder *recorder, unsigned what, uint64_t cycle, uint32_t byte,
                     uint32_t number)
{
    struct recorder_slot *stream = &recorder->slot[recorder->slots];
    if (!put(recorder, stream, what, cycle, 0))
        return false;
    *stream->at++ = (uint8_t)byte;
    stream->at = bytes_put_varint(stream->at, number);
    return true;
}

static bool push_sm(struct recorder *recorder, unsigned what, const struct simsm_event *event)
{
    if (recorder->overview)
        overview_event(recorder->overview, recorder->sm, event);
    return recorder_put_sm(recorder, what, event->cycle, event->sub, event->arg);
}

static bool push_work(struct recorder *recorder, const struct recorder_slot *slot,
                      const struct simsm_event *event)
{
    const char *why = recorder_push_work(recorder, event);
    return !recorder->refusal && (!why || refuse(recorder, slot, event->cycle, why));
}

static bool push_other(struct recorder *recorder, struct recorder_slot *slot,
                       const struct simsm_event *event)
{
    switch ((enum simsm_event_kind)event->kind) {
    case SIMSM_EVENT_MASK:
        return push_mask(recorder, slot, event);
    case SIMSM_EVENT_MEM_START:
    case SIMSM_EVENT_MEM_DONE:
        return push_memory(recorder, slot, event);
    case SIMSM_EVENT_WARP_START:
        return push_warp(recorder, slot, event);
    case SIMSM_EVENT_BLOCK_START:
        return push_sm(recorder, SMTL_BLOCK_START, event);
    case SIMSM_EVENT_BLOCK_END:
        return push_sm(recorder, SMTL_BLOCK_END, event);
    case SIMSM_EVENT_BARRIER_RELEASE:
        return push_sm(recorder, SMTL_BARRIER_RELEASE, event);
    case SIMSM_EVENT_WARP_STATES:
        return push_states(recorder, event);
    case SIMSM_EVENT_WORK_SIZE:
    case SIMSM_EVENT_COPY_START:
    case SIMSM_EVENT_COPY_END:
    case SIMSM_EVENT_COPY_WAKE:
    case SIMSM_EVENT_PRODUCT:
        return push_work(recorder, slot, event);
    case SIMSM_EVENT_WARP_STATE:
    case SIMSM_EVENT_ISSUE:
    case SIMSM_EVENT_COUNT:
        break;
    }
    return refuse(recorder, slot, event->cycle, "has an event that has no name");
}

static bool refuse_slot(struct recorder *recorder, uint32_t place, uint64_t cycle)
{
    (void)refuse(recorder, recorder->slot, cycle, "is not in this configuration");
    recorder->refused_slot = place;
    return false;
}

static inline bool push(struct recorder *recorder, const struct simsm_event *event)
{
    uint32_t place = event->unit % SIMSM_SLOTS_PER_SM;
    if (__builtin_expect(place >= recorder->slots, 0))
        return refuse_slot(recorder, place, event->cycle);
    struct recorder_slot *slot = &recorder->slot[place];
    if (event->kind == SIMSM_EVENT_WARP_STATE)
        return push_state(recorder, slot, event);
    if (event->kind == SIMSM_EVENT_ISSUE)
        return push_issue(recorder, slot, event);
    return push_other(recorder, slot, event);
}

const struct simsm_event *recorder_push(struct recorder *recorder, const struct simsm_event *event,
                                        const struct simsm_event *end, uint64_t limit)
{
    uint32_t issues = 0;
    uint64_t now = recorder->now;
    bool back = false;
    for (; event < end && event->cycle < limit; event++) {
        back |= event->cycle < now;
        now = event->cycle;
        issues += event->kind == SIMSM_EVENT_ISSUE;
        if (__builtin_expect(!push(recorder, event), 0))
            return NULL;
        limit = __builtin_expect(recorder->full, 0) ? now + 1 : limit;
    }
    recorder->now = now;
    recorder->issues += issues;
    if (!back)
        return event;
    (void)refuse(recorder, recorder->slot, now, "has an event earlier than the one before");
    return NULL;
}

bool recorder_close(struct recorder *recorder, uint64_t end)
{
    for (uint32_t s = 0; s < recorder->slots; s++) {
        struct recorder_slot *slot = &recorder->slot[s];
        if (*slot->state == SIMSM_STATE_ISSUED && slot->next_issue < end)
            return refuse(recorder, slot, end, no_issue);
    }
    recorder->totals.changes += recorder->changes;
    recorder->totals.issues += recorder->issues;
    return true;
}
