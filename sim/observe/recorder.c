#include "observe/recorder.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)SIMSM_STATE_COUNT <= (int)SMTL_ISSUE, "a tag has room for 24 states");
_Static_assert(SIMSM_STATE_EMPTY == 0, "slots begin empty");
_Static_assert(SIMSM_LEVEL_COUNT <= 4, "a tag has room for 4 memory levels");

bool recorder_init(struct recorder *recorder, uint32_t sm, uint32_t slots, uint32_t room)
{
    *recorder = (struct recorder){.sm = sm, .slots = slots};
    recorder->slot =
        aligned_alloc(_Alignof(struct recorder_slot), (slots + 1) * sizeof *recorder->slot);
    recorder->rest = calloc(slots + 1, sizeof *recorder->rest);
    recorder->key = calloc(slots, sizeof *recorder->key);
    /* Streams grow alike: an odd number of cache lines apart, their ends do not share a cache set.
     */
    size_t stride = ((room / 64 + 1) | 1u) * (size_t)64;
    recorder->bytes = malloc((slots + 1) * stride);
    if (!recorder->slot || !recorder->rest || !recorder->key || !recorder->bytes)
        return false;
    for (uint32_t s = 0; s <= slots; s++) {
        uint8_t *begin = recorder->bytes + s * stride;
        recorder->slot[s] = (struct recorder_slot){.at = begin, .high = begin + room - room / 4};
        recorder->rest[s].begin = begin;
    }
    return true;
}

void recorder_free(struct recorder *recorder)
{
    free(recorder->slot);
    free(recorder->rest);
    free(recorder->key);
    free(recorder->bytes);
    *recorder = (struct recorder){0};
}

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
 * Above `high` a quarter of the room is left: more than one cycle of one slot can fill, as the
 * chunk ends with the cycle.
 */
static bool crowded(struct recorder *recorder, const struct recorder_slot *slot)
{
    ptrdiff_t quarter = (slot->high - rest_of(recorder, slot)->begin) / 3;
    recorder->full = true;
    if (slot->at + SMTL_RECORD_BYTES <= slot->high + quarter)
        return true;
    return refuse(recorder, slot, recorder->now,
                  "has more events in one cycle than a timeline can hold");
}

/* Rare: a gap or a distance that takes more than the byte that `put` has written for it. */
static uint8_t *put_long(uint8_t *at, uint64_t delta, uint32_t off)
{
    at++;
    if (delta >= SMTL_DELTA_LONG)
        at = bytes_put_varint(at, delta - SMTL_DELTA_LONG);
    return off ? bytes_put_varint(at, off) : at;
}

/*
 * How long a state lasts cannot be guessed, so that a branch on it would be expensive: tag, short
 * gap and short distance are written without any.
 */
static inline bool put(struct recorder *recorder, struct recorder_slot *slot, unsigned what,
                       uint64_t cycle, uint32_t pc_off)
{
    uint8_t *at = slot->at;
    uint64_t delta = cycle - slot->clock;
    unsigned is_long = delta >= SMTL_DELTA_LONG;
    unsigned low = is_long ? SMTL_DELTA_LONG : (unsigned)delta;
    uint32_t off = (uint32_t)bytes_zigzag((int32_t)pc_off);
    if (__builtin_expect(at > slot->high, 0) && !crowded(recorder, slot))
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

static inline bool push_state(struct recorder *recorder, struct recorder_slot *slot,
                              const struct simsm_event *event)
{
    uint64_t cycle = event->cycle, next_issue = slot->next_issue;
    uint32_t state = slot->state, early = next_issue > cycle;
    if (__builtin_expect(event->sub >= SIMSM_STATE_COUNT, 0))
        return refuse(recorder, slot, cycle, "entered a state that has no name");
    if (__builtin_expect((state == SIMSM_STATE_ISSUED) & (next_issue < cycle), 0))
        return refuse(recorder, slot, cycle, no_issue);
    if (!put(recorder, slot, event->sub, cycle, event->arg - slot->next_pc))
        return false;
    recorder->totals.states[state] += cycle - slot->since;
    slot->since = cycle;
    slot->state = event->sub;
    slot->pc = event->arg;
    slot->next_pc = event->arg + early; /* it may have issued already */
    slot->next_issue = early ? next_issue : cycle;
    return true;
}

static inline bool push_issue(struct recorder *recorder, struct recorder_slot *slot,
                              const struct simsm_event *event)
{
    bool selected = slot->state == SIMSM_STATE_ISSUED;
    bool told = selected & (event->cycle == slot->next_issue) & (event->arg == slot->next_pc);
    if (__builtin_expect(!told, 0)) {
        if (selected && event->cycle > slot->next_issue)
            return refuse(recorder, slot, event->cycle, no_issue);
        if (!put(recorder, slot, SMTL_ISSUE, event->cycle, event->arg - slot->next_pc))
            return false;
    }
    slot->next_pc = event->arg + 1;
    slot->next_issue = event->cycle + 1;
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

static bool push_sm(struct recorder *recorder, unsigned what, const struct simsm_event *event)
{
    if (recorder->overview)
        overview_event(recorder->overview, recorder->sm, event);
    struct recorder_slot *stream = &recorder->slot[recorder->slots];
    if (!put(recorder, stream, what, event->cycle, 0))
        return false;
    *stream->at++ = event->sub;
    stream->at = bytes_put_varint(stream->at, event->arg);
    return true;
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
    case SIMSM_EVENT_WARP_STATE:
    case SIMSM_EVENT_ISSUE:
    case SIMSM_EVENT_COUNT:
        break;
    }
    return refuse(recorder, slot, event->cycle, "has an event that has no name");
}

static bool no_slot(struct recorder *recorder, uint32_t place, uint64_t cycle)
{
    (void)refuse(recorder, recorder->slot, cycle, "is not in this configuration");
    recorder->refused_slot = place;
    return false;
}

static inline bool push(struct recorder *recorder, const struct simsm_event *event)
{
    uint32_t place = event->unit % SIMSM_SLOTS_PER_SM;
    if (__builtin_expect(place >= recorder->slots, 0))
        return no_slot(recorder, place, event->cycle);
    struct recorder_slot *slot = &recorder->slot[place];
    if (event->kind == SIMSM_EVENT_WARP_STATE)
        return push_state(recorder, slot, event);
    if (event->kind == SIMSM_EVENT_ISSUE)
        return push_issue(recorder, slot, event);
    return push_other(recorder, slot, event);
}

/* Since the last batch of this SM those of all others have been here, and the cache is theirs. */
static void warm_up(const struct recorder *recorder)
{
    for (uint32_t s = 0; s < recorder->slots; s++)
        __builtin_prefetch(&recorder->slot[s], 1);
    for (uint32_t s = 0; s < recorder->slots; s++)
        __builtin_prefetch(recorder->slot[s].at, 1);
}

const struct simsm_event *recorder_push(struct recorder *recorder, const struct simsm_event *event,
                                        const struct simsm_event *end, uint64_t limit)
{
    uint32_t changes = 0, issues = 0;
    uint64_t now = recorder->now;
    bool back = false;
    if (end - event > 256)
        warm_up(recorder);
    for (; event < end && event->cycle < limit; event++) {
        back |= event->cycle < now;
        now = event->cycle;
        changes += event->kind == SIMSM_EVENT_WARP_STATE;
        issues += event->kind == SIMSM_EVENT_ISSUE;
        if (__builtin_expect(!push(recorder, event), 0))
            return NULL;
        limit = __builtin_expect(recorder->full, 0) ? now + 1 : limit;
    }
    recorder->now = now;
    recorder->changes += changes;
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
        if (slot->state == SIMSM_STATE_ISSUED && slot->next_issue < end)
            return refuse(recorder, slot, end, no_issue);
    }
    recorder->totals.changes += recorder->changes;
    recorder->totals.issues += recorder->issues;
    return true;
}

void recorder_payload(const struct recorder *recorder, struct smtl_buffer *payload)
{
    for (uint32_t s = 0; s < recorder->slots; s++) {
        const struct smtl_key *key = &recorder->key[s];
        uint8_t bytes[64], *at = bytes;
        *at++ = (uint8_t)(key->state | (key->used ? SMTL_KEY_USED : 0));
        at = bytes_put_varint(at, key->pc);
        at = bytes_put_varint(at, key->next_pc);
        at = bytes_put_varint(at, key->block);
        *at++ = key->warp;
        bytes_put_u32(at, key->mask);
        at = bytes_put_varint(at + 4, recorder->begin - key->since);
        at = bytes_put_varint(at, recorder->begin - key->warp_since);
        smtl_add(payload, bytes, (size_t)(at - bytes));
    }
    for (uint32_t s = 0; s <= recorder->slots; s++)
        smtl_add_varint(payload, (uint64_t)(recorder->slot[s].at - recorder->rest[s].begin));
    for (uint32_t s = 0; s <= recorder->slots; s++) {
        const uint8_t *begin = recorder->rest[s].begin;
        smtl_add(payload, begin, (size_t)(recorder->slot[s].at - begin));
    }
}

void recorder_begin(struct recorder *recorder, uint64_t begin)
{
    recorder->begin = begin;
    recorder->changes = recorder->issues = 0;
    recorder->full = false;
    for (uint32_t s = 0; s <= recorder->slots; s++) {
        struct recorder_slot *slot = &recorder->slot[s];
        struct recorder_rest *rest = &recorder->rest[s];
        slot->at = rest->begin;
        slot->clock = begin;
        rest->start_pc = rest->done_pc = 0;
        if (s == recorder->slots)
            break;
        recorder->key[s] = (struct smtl_key){.since = slot->since,
                                             .warp_since = rest->warp_since,
                                             .pc = slot->pc,
                                             .next_pc = slot->next_pc,
                                             .block = rest->block,
                                             .mask = rest->mask,
                                             .state = slot->state,
                                             .warp = rest->warp,
                                             .used = rest->used};
    }
}

void recorder_count_from(struct recorder *recorder, uint64_t from)
{
    recorder->totals = (struct recorder_totals){0};
    for (uint32_t s = 0; s < recorder->slots; s++) /* the whole state will be added as it ends */
        recorder->totals.states[recorder->slot[s].state] -= from - recorder->slot[s].since;
}

void recorder_count_until(struct recorder *recorder, uint64_t end)
{
    for (uint32_t s = 0; s < recorder->slots; s++)
        recorder->totals.states[recorder->slot[s].state] += end - recorder->slot[s].since;
}

uint64_t recorder_end(const struct recorder *recorder, uint64_t cycle)
{
    uint64_t end = cycle > recorder->now ? cycle : recorder->now + 1;
    for (uint32_t s = 0; s < recorder->slots; s++) {
        const struct recorder_slot *slot = &recorder->slot[s];
        if (slot->state == SIMSM_STATE_ISSUED && slot->next_issue < end)
            end = slot->next_issue;
    }
    return end > recorder->begin ? end : recorder->begin + 1;
}
