/*
 * The decoder of a chunk's payload: record streams of slots and groups become spans, issues, memory
 * events and warps.
 */
#include "timeline/chunk_decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/*
 * Returns `array` with room for one more entry behind the `count` entries in it. Sets *failed if
 * memory runs out.
 */
static void *grow(void *array, uint32_t *room, uint32_t count, size_t size, bool *failed)
{
    if (count < *room)
        return array;
    uint32_t more = *room ? *room * 2 : 1024;
    void *grown = realloc(array, more * size);
    if (!grown) {
        *failed = true;
        return array;
    }
    *room = more;
    return grown;
}

#define NEXT(data, list, n, room, failed)                                                          \
    ((data)->list = grow((data)->list, &(data)->room, (data)->n, sizeof *(data)->list, (failed)),  \
     *(failed) ? NULL : &(data)->list[(data)->n++])

/*
 * Adds the span that ends at cycle `to`. Empty spans and spans that end before the chunk are left
 * out.
 */
static void end_span(struct decoding *r, uint64_t to)
{
    if (to <= r->now.since || to <= r->chunk->begin)
        return;
    struct timeline_span *span = NEXT(r->data, spans, span_count, span_room, &r->cursor.failed);
    if (span)
        *span = (struct timeline_span){.from = r->now.since,
                                       .to = to,
                                       .pc = r->now.pc,
                                       .slot = r->slot,
                                       .state = r->now.state};
}

static void add_issue(struct decoding *r, uint64_t cycle, uint32_t pc)
{
    if (r->data->issue_count >=
        r->chunk->issues) { /* more issues than the chunk's head says: damaged */
        r->cursor.failed = true;
        return;
    }
    struct timeline_issue *issue =
        NEXT(r->data, issues, issue_count, issue_room, &r->cursor.failed);
    if (issue)
        *issue =
            (struct timeline_issue){.cycle = cycle, .pc = pc, .mask = r->now.mask, .slot = r->slot};
    r->now.next_pc = pc + 1;
    r->next_issue = cycle + 1;
}

/*
 * Adds the issues that the file leaves out: a slot in state `selected` issues the expected
 * instruction in every cycle.
 */
static void issue_until(struct decoding *r, uint64_t cycle)
{
    while (r->now.state == r->selected && r->next_issue < cycle && !r->cursor.failed)
        add_issue(r, r->next_issue, r->now.next_pc);
}

static void enter_state(struct decoding *r, uint64_t cycle, uint32_t state, uint32_t off)
{
    if (state >= r->state_count || r->changes >= r->chunk->changes) {
        r->cursor.failed = true;
        return;
    }
    end_span(r, cycle);
    r->now.state = (uint8_t)state;
    r->now.since = cycle;
    r->now.pc = r->now.next_pc + off;
    r->now.next_pc = r->now.pc + (r->next_issue > cycle);
    r->next_issue = r->next_issue > cycle ? r->next_issue : cycle;
    r->changes++;
}

static void add_memory(struct decoding *r, uint32_t what, uint32_t off)
{
    uint32_t *last = what == SMTL_MEM_START ? &r->start_pc : &r->done_pc;
    *last += 1 + off;
    struct timeline_memory *memory =
        NEXT(r->data, memory, memory_count, memory_room, &r->cursor.failed);
    if (memory)
        *memory = (struct timeline_memory){
            .cycle = r->cycle,
            .pc = *last,
            .slot = r->slot,
            .done = what != SMTL_MEM_START,
            .level = what == SMTL_MEM_START ? 0 : (uint8_t)(what - SMTL_MEM_DONE)};
}

static void add_warp(struct decoding *r)
{
    struct timeline_warp *warp = NEXT(r->data, warps, warp_count, warp_room, &r->cursor.failed);
    if (warp)
        *warp = (struct timeline_warp){.cycle = r->now.warp_since,
                                       .block = r->now.block,
                                       .slot = r->slot,
                                       .warp = r->now.warp,
                                       .started = r->now.used};
}

static void start_warp(struct decoding *r)
{
    r->now.block = smtl_take_number(&r->cursor, UINT32_MAX);
    r->now.warp = smtl_take_byte(&r->cursor);
    r->now.warp_since = r->cycle;
    r->now.used = true;
    add_warp(r);
}

/* Reads the tag of a record, adds the record's cycles to *cycle and returns the tag. */
static uint8_t take_tag(const struct timeline_chunk *chunk, struct smtl_cursor *cursor,
                        uint64_t *cycle)
{
    uint8_t tag = smtl_take_byte(cursor);
    uint64_t delta = tag >> SMTL_DELTA_SHIFT & SMTL_DELTA_LONG;
    if (delta == SMTL_DELTA_LONG) {
        uint64_t more = smtl_take_varint(cursor);
        delta = more > SMTL_CHUNK_CYCLES ? UINT64_MAX : delta + more;
    }
    if (delta > chunk->end - *cycle || *cycle + delta - chunk->begin > SMTL_CHUNK_CYCLES)
        cursor->failed = true;
    else
        *cycle += delta;
    return tag;
}

/* Advances to the next record of the group's record stream that changes the slot. */
static void next_of_group(struct decoding *r)
{
    while (r->group.at < r->group.end && !r->group.failed) {
        uint8_t tag = take_tag(r->chunk, &r->group, &r->group_cycle);
        uint32_t slots = smtl_take_byte(&r->group);
        slots |= (uint32_t)smtl_take_byte(&r->group) << 8;
        r->group_state = tag & SMTL_WHAT;
        if (slots & r->bit && !r->group.failed)
            return;
    }
    r->cursor.failed |= r->group.failed;
    r->group_cycle = UINT64_MAX;
}

/* Applies the state changes in the group's record stream up to and including cycle `until`. */
static void follow_group(struct decoding *r, uint64_t until)
{
    while (r->group_cycle <= until && !r->cursor.failed) {
        issue_until(r, r->group_cycle);
        enter_state(r, r->group_cycle, r->group_state, 0);
        next_of_group(r);
    }
}

static void take_record(struct decoding *r)
{
    uint8_t tag = take_tag(r->chunk, &r->cursor, &r->cycle);
    uint32_t what = tag & SMTL_WHAT, off = 0;
    if (tag & SMTL_OTHER_PC)
        off = (uint32_t)bytes_unzigzag(smtl_take_number(&r->cursor, UINT32_MAX));
    if (r->cursor.failed)
        return;
    follow_group(r, r->cycle);
    issue_until(r, r->cycle);
    if (what < SMTL_ISSUE) {
        enter_state(r, r->cycle, what, off);
    } else if (what == SMTL_ISSUE) {
        add_issue(r, r->cycle, r->now.next_pc + off);
    } else if (what == SMTL_MASK) {
        r->now.mask = smtl_take_u32(&r->cursor);
    } else if (what == SMTL_WARP_START) {
        start_warp(r);
    } else {
        add_memory(r, what, off);
    }
}

/* Reads the key of a slot: its state before the first cycle of the chunk. */
static void take_key(struct smtl_cursor *cursor, uint64_t begin, struct smtl_key *key)
{
    uint8_t state = smtl_take_byte(cursor);
    key->used = state & SMTL_KEY_USED;
    key->state = (uint8_t)(state & ~SMTL_KEY_USED);
    key->pc = smtl_take_number(cursor, UINT32_MAX);
    key->next_pc = smtl_take_number(cursor, UINT32_MAX);
    key->block = smtl_take_number(cursor, UINT32_MAX);
    key->warp = smtl_take_byte(cursor);
    key->mask = smtl_take_u32(cursor);
    uint64_t state_age = smtl_take_varint(cursor), warp_age = smtl_take_varint(cursor);
    cursor->failed |= state_age > begin || warp_age > begin;
    key->since = begin - (state_age > begin ? 0 : state_age);
    key->warp_since = begin - (warp_age > begin ? 0 : warp_age);
}

static void begin_group(struct decoding *r)
{
    r->group = r->groups[smtl_group_of(r->slot, r->subs)];
    r->bit = 1u << smtl_place_in_group(r->slot, r->subs);
    r->group_cycle = r->chunk->begin;
    next_of_group(r);
}

static void take_slot(struct decoding *r, const struct smtl_key *key, uint8_t slot)
{
    r->slot = slot;
    r->now = *key;
    r->cycle = r->chunk->begin;
    r->start_pc = r->done_pc = 0;
    r->next_issue = r->chunk->begin;
    r->data->span_of[slot] = r->data->span_count;
    r->data->issue_of[slot] = r->data->issue_count;
    r->data->memory_of[slot] = r->data->memory_count;
    r->data->warp_of[slot] = r->data->warp_count;
    r->cursor.failed |= key->state >= r->state_count;
    begin_group(r);
    add_warp(r);
    while (r->cursor.at < r->cursor.end && !r->cursor.failed)
        take_record(r);
    follow_group(r, r->chunk->end - 1);
    issue_until(r, r->chunk->end);
    end_span(r, r->chunk->end);
}

static void add_event(struct decoding *r, uint32_t what, uint8_t sub, uint32_t arg)
{
    static const uint8_t kinds[] = {[SMTL_BLOCK_START] = SIMSM_EVENT_BLOCK_START,
                                    [SMTL_BLOCK_END] = SIMSM_EVENT_BLOCK_END,
                                    [SMTL_BARRIER_RELEASE] = SIMSM_EVENT_BARRIER_RELEASE};
    struct timeline_sm_event *event =
        NEXT(r->data, events, event_count, event_room, &r->cursor.failed);
    if (event)
        *event = (struct timeline_sm_event){
            .cycle = r->cycle, .arg = arg, .kind = kinds[what], .sub = sub};
}

/* Reads the cycles since the issue of what a record is about. Returns the cycle of the issue. */
static uint64_t take_issued(struct decoding *r)
{
    uint64_t age = smtl_take_varint(&r->cursor);
    r->cursor.failed |= age > r->cycle;
    return r->cursor.failed ? 0 : r->cycle - age;
}

static void add_copy(struct decoding *r, uint32_t what, uint8_t number, uint32_t pc)
{
    (void)what;
    uint32_t slot = smtl_take_number(&r->cursor, r->slots - 1);
    uint32_t reach = smtl_take_number(&r->cursor, UINT8_MAX);
    uint32_t bytes = smtl_take_number(&r->cursor, UINT32_MAX);
    uint64_t issued = take_issued(r);
    r->cursor.failed |= number >= SMTL_COPIES || r->open[number];
    if (r->cursor.failed)
        return;
    struct timeline_work *work = NEXT(r->data, works, work_count, work_room, &r->cursor.failed);
    if (!work)
        return;
    *work = (struct timeline_work){.issued = issued,
                                   .from = issued,
                                   .to = r->chunk->end,
                                   .pc = pc,
                                   .bytes = bytes,
                                   .slot = (uint8_t)slot,
                                   .open = true,
                                   .number = number,
                                   .reach = (uint8_t)reach};
    r->open[number] = r->data->work_count;
}

static void end_copy(struct decoding *r, uint32_t what, uint8_t number, uint32_t arg)
{
    (void)what;
    (void)arg;
    r->cursor.failed |= number >= SMTL_COPIES || !r->open[number];
    if (r->cursor.failed)
        return;
    struct timeline_work *work = &r->data->works[r->open[number] - 1];
    work->to = r->cycle;
    work->open = false;
    r->open[number] = 0;
}

static void add_wake(struct decoding *r, uint32_t what, uint8_t number, uint32_t slot)
{
    (void)what;
    r->cursor.failed |= slot >= r->slots || (number < SMTL_COPIES && !r->open[number]);
    if (r->cursor.failed)
        return;
    struct timeline_wake *wake = NEXT(r->data, wakes, wake_count, wake_room, &r->cursor.failed);
    if (wake)
        *wake = (struct timeline_wake){.cycle = r->cycle, .slot = (uint8_t)slot, .number = number};
}

static void add_product(struct decoding *r, uint32_t what, uint8_t slot, uint32_t off)
{
    uint64_t *last_end = &r->product_end[slot % r->subs];
    const uint64_t from = *last_end + (uint64_t)bytes_unzigzag(smtl_take_varint(&r->cursor));
    const uint64_t to = from + smtl_take_number(&r->cursor, UINT16_MAX);
    const uint64_t issued = what == SMTL_PRODUCT_UNDER_WAY ? take_issued(r) : r->cycle;
    r->cursor.failed |= slot >= r->slots || from < issued || from - issued > UINT16_MAX;
    if (r->cursor.failed)
        return;
    r->product_pc += (uint32_t)bytes_unzigzag(off);
    *last_end = to;
    struct timeline_work *work = NEXT(r->data, works, work_count, work_room, &r->cursor.failed);
    if (work)
        *work = (struct timeline_work){.issued = issued,
                                       .from = from,
                                       .to = to,
                                       .pc = r->product_pc,
                                       .slot = slot,
                                       .product = true};
}

static void take_events(struct decoding *r)
{
    static void (*const add[])(struct decoding *, uint32_t, uint8_t, uint32_t) = {
        [SMTL_BLOCK_START] = add_event,     [SMTL_BLOCK_END] = add_event,
        [SMTL_BARRIER_RELEASE] = add_event, [SMTL_COPY] = add_copy,
        [SMTL_COPY_END] = end_copy,         [SMTL_COPY_WAKE] = add_wake,
        [SMTL_PRODUCT] = add_product,       [SMTL_PRODUCT_UNDER_WAY] = add_product,
    };
    r->cycle = r->chunk->begin;
    memset(r->open, 0, sizeof r->open);
    r->product_pc = 0;
    for (uint32_t sub = 0; sub < r->subs && sub < SIMSM_SLOTS_PER_SM; sub++)
        r->product_end[sub] = r->chunk->begin;
    while (r->cursor.at < r->cursor.end && !r->cursor.failed) {
        uint32_t what = take_tag(r->chunk, &r->cursor, &r->cycle) & SMTL_WHAT;
        uint8_t sub = smtl_take_byte(&r->cursor);
        uint32_t arg = smtl_take_number(&r->cursor, UINT32_MAX);
        r->cursor.failed |= what >= sizeof add / sizeof *add;
        if (r->cursor.failed)
            return;
        add[what](r, what, sub, arg);
    }
}

static void clear_data(struct timeline_data *data)
{
    data->span_count = data->issue_count = data->memory_count = 0;
    data->warp_count = data->event_count = data->work_count = data->wake_count = 0;
    memset(data->span_of, 0, sizeof data->span_of);
    memset(data->issue_of, 0, sizeof data->issue_of);
    memset(data->memory_of, 0, sizeof data->memory_of);
    memset(data->warp_of, 0, sizeof data->warp_of);
}

/* Ends the lists of the slots that the GPU does not have: they are empty. */
static void end_lists(struct timeline_data *data, uint32_t slots)
{
    for (uint32_t s = slots; s <= SIMSM_SLOTS_PER_SM; s++) {
        data->span_of[s] = data->span_count;
        data->issue_of[s] = data->issue_count;
        data->memory_of[s] = data->memory_count;
        data->warp_of[s] = data->warp_count;
    }
}

/*
 * Reads the lengths of all record streams. The groups' streams are last in the payload, but each
 * slot needs its group's record stream, so they are located at once.
 */
static void take_lengths(struct decoding *d, struct smtl_cursor *cursor)
{
    uint64_t group[SIMSM_SLOTS_PER_SM];
    uint32_t groups = smtl_groups(d->slots, d->subs);
    SIMSM_CHECK(d->slots <= SIMSM_SLOTS_PER_SM && groups <= SIMSM_SLOTS_PER_SM,
                "%u slots in %u groups", d->slots, groups);
    for (uint32_t s = 0; s <= d->slots; s++)
        d->length[s] = smtl_take_varint(cursor);
    for (uint32_t g = 0; g < groups; g++)
        group[g] = smtl_take_varint(cursor);
    d->rest = *cursor;
    for (uint32_t s = 0; s <= d->slots; s++)
        (void)smtl_take_part(cursor, d->length[s]);
    for (uint32_t g = 0; g < groups; g++)
        d->groups[g] = smtl_take_part(cursor, group[g]);
    d->cursor.failed = cursor->failed || cursor->at != cursor->end;
}

void decode_begin(struct decoding *d, const struct info *info, const struct timeline_chunk *chunk,
                  struct smtl_cursor cursor, struct timeline_data *data)
{
    clear_data(data);
    data->sm = chunk->sm;
    data->begin = chunk->begin;
    data->end = chunk->end;
    d->chunk = chunk;
    d->data = data;
    d->slots = info->view.slots;
    d->subs = info->view.sub_partitions;
    d->state_count = info->view.state_count;
    d->selected = info->selected;
    d->next = d->changes = 0;
    for (uint32_t s = 0; s < d->slots; s++)
        take_key(&cursor, chunk->begin, &d->keys[s]);
    take_lengths(d, &cursor);
}

bool decode_next(struct decoding *d)
{
    uint32_t s = d->next++;
    if (d->cursor.failed)
        return false;
    d->cursor = smtl_take_part(&d->rest, d->length[s]);
    if (d->cursor.failed)
        return false;
    if (s < d->slots) {
        take_slot(d, &d->keys[s], (uint8_t)s);
        return !d->cursor.failed;
    }
    take_events(d);
    end_lists(d->data, d->slots);
    return false;
}

const char *decode_end(struct decoding *d)
{
    if (!d->cursor.failed && d->next > d->slots && d->changes == d->chunk->changes &&
        d->data->issue_count == d->chunk->issues)
        return NULL;
    clear_data(d->data);
    return "contradicts itself";
}

void timeline_data_free(struct timeline_data *data)
{
    free(data->spans);
    free(data->issues);
    free(data->memory);
    free(data->warps);
    free(data->events);
    free(data->works);
    free(data->wakes);
    *data = (struct timeline_data){0};
}
