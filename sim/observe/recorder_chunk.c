/*
 * The recorder's memory, and the begin and the end of a chunk. recorder.c records the events
 * between.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "observe/recorder.h"

_Static_assert(SIMSM_STATE_EMPTY == 0, "slots begin empty");

/*
 * Returns the bytes of a record stream. Groups have the busiest record streams and get four times
 * as many. The SM gets eight times as many: copies and products under way are repeated at the start
 * of a chunk and must leave room.
 */
static uint32_t room_of(const struct recorder *recorder, uint32_t stream, uint32_t room)
{
    return stream > recorder->slots ? 4 * room : stream == recorder->slots ? 8 * room : room;
}

/*
 * Returns the distance to the next record stream: an odd number of cache lines. Record streams grow
 * at the same pace, and with this distance their ends do not share a cache set.
 */
static size_t stride_of(const struct recorder *recorder, uint32_t stream, uint32_t room)
{
    return ((room_of(recorder, stream, room) / 64 + 1) | 1u) * (size_t)64;
}

static bool allocate(struct recorder *recorder, uint32_t room)
{
    uint32_t streams = recorder->slots + 1 + recorder->groups;
    size_t bytes = 0;
    for (uint32_t s = 0; s < streams; s++)
        bytes += stride_of(recorder, s, room);
    recorder->slot =
        aligned_alloc(_Alignof(struct recorder_slot), streams * sizeof *recorder->slot);
    recorder->group =
        aligned_alloc(_Alignof(struct recorder_group), recorder->groups * sizeof *recorder->group);
    recorder->rest = calloc(streams, sizeof *recorder->rest);
    recorder->key = calloc(recorder->slots, sizeof *recorder->key);
    recorder->bytes = malloc(bytes);
    recorder->work = calloc(1, sizeof *recorder->work);
    return recorder->work && recorder->slot && recorder->group && recorder->rest && recorder->key &&
           recorder->bytes;
}

bool recorder_init(struct recorder *recorder, uint32_t sm, uint32_t slots, uint32_t subs,
                   uint32_t room)
{
    SIMSM_CHECK(slots && slots <= SIMSM_SLOTS_PER_SM && subs && room >= 64 * SMTL_RECORD_BYTES,
                "SM %u: %u slots in %u sub-partitions, %u bytes each", sm, slots, subs, room);
    *recorder = (struct recorder){
        .sm = sm, .slots = slots, .subs = subs, .groups = smtl_groups(slots, subs)};
    if (!allocate(recorder, room))
        return false;
    memset(recorder->group, 0, recorder->groups * sizeof *recorder->group);
    uint8_t *begin = recorder->bytes;
    for (uint32_t s = 0; s < slots + 1 + recorder->groups; s++) {
        uint32_t size = room_of(recorder, s, room);
        recorder->slot[s] = (struct recorder_slot){.at = begin, .high = begin + size - size / 4};
        recorder->rest[s].begin = begin;
        begin += stride_of(recorder, s, room);
    }
    for (uint32_t s = slots; s-- > 0;) {
        uint32_t place = smtl_place_in_group(s, subs);
        recorder->group_of[s] = (uint8_t)smtl_group_of(s, subs);
        SIMSM_CHECK(recorder->group_of[s] < recorder->groups && place < SMTL_GROUP_SLOTS,
                    "slot %u: place %u of group %u of %u", s, place, recorder->group_of[s],
                    recorder->groups);
        struct recorder_group *group = &recorder->group[recorder->group_of[s]];
        recorder->slot[s].state = &group->state[place];
        group->slots |= 1u << place;
        group->first = s;
    }
    return true;
}

void recorder_free(struct recorder *recorder)
{
    free(recorder->slot);
    free(recorder->group);
    free(recorder->rest);
    free(recorder->key);
    free(recorder->bytes);
    free(recorder->work);
    *recorder = (struct recorder){0};
}

void recorder_update_changed(struct recorder_group *group)
{
    uint32_t done = 0;
    for (uint32_t n = group->recent; n-- > 0;) {
        uint32_t slots = group->recent_slots[n] & ~done;
        done |= slots;
        for (; slots; slots &= slots - 1)
            group->changed[__builtin_ctz(slots)] = group->recent_at[n];
    }
    group->recent = 0;
}

void recorder_payload(const struct recorder *recorder, struct byte_buffer *payload)
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
        buffer_add(payload, bytes, (size_t)(at - bytes));
    }
    uint32_t streams = recorder->slots + 1 + recorder->groups;
    for (uint32_t s = 0; s < streams; s++)
        buffer_add_varint(payload, (uint64_t)(recorder->slot[s].at - recorder->rest[s].begin));
    for (uint32_t s = 0; s < streams; s++) {
        const uint8_t *begin = recorder->rest[s].begin;
        const uint8_t *high = recorder->slot[s].high;
        SIMSM_CHECK(recorder->slot[s].at <= high + (high - begin) / 3,
                    "record stream %u of SM %u: %td bytes, room for %td", s, recorder->sm,
                    recorder->slot[s].at - begin, (high - begin) / 3 * 4);
        buffer_add(payload, begin, (size_t)(recorder->slot[s].at - begin));
    }
}

/* Writes the state of a slot as its key in the chunk that begins. */
static void put_key(struct recorder *recorder, uint32_t s)
{
    struct recorder_slot *slot = &recorder->slot[s];
    const struct recorder_rest *rest = &recorder->rest[s];
    const struct recorder_group *group = &recorder->group[recorder->group_of[s]];
    uint32_t changed = group->changed[slot->state - group->state];
    if (changed && recorder->begin + changed - 1 >=
                       slot->since) { /* the group's record stream has the last change */
        slot->since = recorder->begin + changed - 1;
        slot->pc = slot->next_pc;
    }
    recorder->key[s] = (struct smtl_key){.since = slot->since,
                                         .warp_since = rest->warp_since,
                                         .pc = slot->pc,
                                         .next_pc = slot->next_pc,
                                         .block = rest->block,
                                         .mask = rest->mask,
                                         .state = *slot->state,
                                         .warp = rest->warp,
                                         .used = rest->used};
}

void recorder_begin(struct recorder *recorder, uint64_t begin)
{
    SIMSM_CHECK(begin >= recorder->begin, "SM %u: a chunk begins at cycle %llu after one at %llu",
                recorder->sm, (unsigned long long)begin, (unsigned long long)recorder->begin);
    for (uint32_t g = 0; g < recorder->groups; g++)
        recorder_update_changed(&recorder->group[g]);
    for (uint32_t s = 0; s < recorder->slots; s++)
        put_key(recorder, s);
    recorder->begin = begin;
    recorder->changes = recorder->issues = 0;
    recorder->full = false;
    for (uint32_t s = 0; s < recorder->slots + 1 + recorder->groups; s++) {
        recorder->slot[s].at = recorder->rest[s].begin;
        recorder->slot[s].clock = begin;
        recorder->rest[s].start_pc = recorder->rest[s].done_pc = 0;
    }
    for (uint32_t g = 0; g < recorder->groups; g++)
        memset(recorder->group[g].changed, 0, sizeof recorder->group[g].changed);
    recorder_repeat_work(recorder);
}

void recorder_count_from(struct recorder *recorder, uint64_t from)
{
    recorder->totals = (struct recorder_totals){0};
    for (uint32_t s = 0; s < recorder->slots; s++)
        recorder->totals.states[*recorder->slot[s].state] -= from;
}

void recorder_count_until(struct recorder *recorder, uint64_t end)
{
    for (uint32_t s = 0; s < recorder->slots; s++)
        recorder->totals.states[*recorder->slot[s].state] += end;
}

uint64_t recorder_end(const struct recorder *recorder, uint64_t cycle)
{
    uint64_t end = cycle > recorder->now ? cycle : recorder->now + 1;
    for (uint32_t s = 0; s < recorder->slots; s++) {
        const struct recorder_slot *slot = &recorder->slot[s];
        if (*slot->state == SIMSM_STATE_ISSUED && slot->next_issue < end)
            end = slot->next_issue;
    }
    return end > recorder->begin ? end : recorder->begin + 1;
}
