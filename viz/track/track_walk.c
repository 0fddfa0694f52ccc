/* The walk through one SM's timeline: merges the slots' lists of each chunk by cycle. */
#include "track/track_walk.h"

#include <stdlib.h>

#include "base/err.h"

/* A warp has fewer memory instructions in flight than this. */
enum { MOST_UNDER_WAY = 128 };

static const uint64_t never = UINT64_MAX;

struct under_way {
    uint64_t number, issued, started;
    uint32_t pc;
};

/*
 * The position of a slot in the decoded chunk: indices of the next entries, and the ends of its
 * lists.
 */
struct slot_walk {
    uint32_t span, issue, memory, warp;
    uint32_t span_end, issue_end, memory_end, warp_end;
    bool goes_on; /* the next warp has begun before the walk */
    uint32_t count;
    struct under_way
        under_way[MOST_UNDER_WAY]; /* memory instructions in flight, in the order of their issues */
};

struct timeline_walk {
    const struct timeline_info *info;
    struct timeline_data data;
    struct slot_walk slot[SIMSM_SLOTS_PER_SM];
    uint64_t next[SIMSM_SLOTS_PER_SM]; /* cycle of the next event; `never`: none in this chunk */
    uint64_t from, to, issues;
    walk_callback *visit;
    void *context;
};

bool walk_is_memory(const struct timeline_info *info, uint32_t pc)
{
    if (pc >= info->line_count)
        return false;
    const struct timeline_line *line = &info->lines[pc];
    return line->width || info->ops[line->op].route == SIMSM_ROUTE_LONG;
}

static void put_under_way(struct slot_walk *slot, const struct walk_event *event)
{
    if (slot->count == MOST_UNDER_WAY) {
        for (uint32_t i = 1; i < MOST_UNDER_WAY; i++)
            slot->under_way[i - 1] = slot->under_way[i];
        slot->count--;
    }
    slot->under_way[slot->count++] = (struct under_way){
        .number = event->number, .issued = event->cycle, .started = never, .pc = event->pc};
}

/*
 * Finds the issue of a start or an answer: memory instructions with the same pc start, and are
 * answered, in the order of their issues.
 */
static void match_memory(struct slot_walk *slot, struct walk_event *event)
{
    bool answer = event->kind == WALK_ANSWER;
    uint32_t i = 0;
    while (i < slot->count &&
           (slot->under_way[i].pc != event->pc || (slot->under_way[i].started != never) != answer))
        i++;
    event->number = event->issued = event->started = WALK_UNKNOWN;
    if (i == slot->count)
        return;
    struct under_way *found = &slot->under_way[i];
    event->number = found->number;
    event->issued = found->issued;
    if (!answer) {
        found->started = event->cycle;
        return;
    }
    event->started = found->started;
    slot->count--;
    for (; i < slot->count; i++)
        slot->under_way[i] = slot->under_way[i + 1];
}

static uint64_t cycle_of(const struct timeline_walk *walk, const struct slot_walk *slot,
                         uint32_t kind)
{
    const struct timeline_data *data = &walk->data;
    switch (kind) {
    case WALK_WARP:
        return slot->warp < slot->warp_end ? data->warps[slot->warp].cycle : never;
    case WALK_STATE:
        return slot->span < slot->span_end ? data->spans[slot->span].from : never;
    case WALK_ISSUE:
        return slot->issue < slot->issue_end ? data->issues[slot->issue].cycle : never;
    default:
        if (slot->memory == slot->memory_end ||
            data->memory[slot->memory].done != (kind == WALK_ANSWER))
            return never;
        return data->memory[slot->memory].cycle;
    }
}

static uint64_t next_of(const struct timeline_walk *walk, const struct slot_walk *slot,
                        uint32_t *kind)
{
    uint64_t first = never;
    for (uint32_t k = WALK_WARP; k <= WALK_REQUEST; k++) {
        uint64_t cycle = cycle_of(walk, slot, k);
        if (cycle < first) {
            first = cycle;
            *kind = k;
        }
    }
    return first;
}

/* Takes the next event of a slot and fills *event. */
static void take(struct timeline_walk *walk, struct slot_walk *slot, struct walk_event *event)
{
    const struct timeline_data *data = &walk->data;
    if (event->kind == WALK_WARP) {
        const struct timeline_warp *warp = &data->warps[slot->warp++];
        event->block = warp->block;
        event->warp = warp->warp;
        slot->count = slot->goes_on ? slot->count : 0;
        slot->goes_on = false;
    } else if (event->kind == WALK_STATE) {
        const struct timeline_span *span = &data->spans[slot->span++];
        event->state = span->state;
        event->pc = span->pc;
    } else if (event->kind == WALK_ISSUE) {
        const struct timeline_issue *issue = &data->issues[slot->issue++];
        event->pc = issue->pc;
        event->mask = issue->mask;
        event->number = walk->issues++;
        if (walk_is_memory(walk->info, issue->pc))
            put_under_way(slot, event);
    } else {
        event->pc = data->memory[slot->memory].pc;
        event->level = data->memory[slot->memory++].level;
        match_memory(slot, event);
    }
}

static enum simsm_status walk_chunk(struct timeline_walk *walk, struct simsm_error *error)
{
    uint32_t slots = walk->info->slots;
    for (;;) {
        uint32_t first = 0;
        for (uint32_t s = 1; s < slots; s++)
            first = walk->next[s] < walk->next[first] ? s : first;
        if (walk->next[first] >= walk->to)
            return SIMSM_OK; /* also for `never` */
        struct slot_walk *slot = &walk->slot[first];
        uint32_t kind = 0;
        struct walk_event event = {.slot = (uint8_t)first, .cycle = next_of(walk, slot, &kind)};
        event.kind = (uint8_t)kind;
        take(walk, slot, &event);
        walk->next[first] = next_of(walk, slot, &kind);
        enum simsm_status status =
            event.cycle < walk->from ? SIMSM_OK : walk->visit(walk->context, &event, error);
        if (status != SIMSM_OK)
            return status;
    }
}

/*
 * Positions a slot at the begin of a chunk. The first span and the first warp continue from the
 * chunk before. In the first chunk of the walk both are moved to its begin.
 */
static void begin_slot(struct timeline_walk *walk, uint32_t s, bool first)
{
    struct timeline_data *data = &walk->data;
    struct slot_walk *slot = &walk->slot[s];
    uint32_t kind = 0;
    slot->span = data->span_of[s];
    slot->issue = data->issue_of[s];
    slot->memory = data->memory_of[s];
    slot->warp = data->warp_of[s];
    slot->span_end = data->span_of[s + 1];
    slot->issue_end = data->issue_of[s + 1];
    slot->memory_end = data->memory_of[s + 1];
    slot->warp_end = data->warp_of[s + 1];
    uint64_t from = walk->from > data->begin ? walk->from : data->begin;
    if (first) {
        while (slot->span < slot->span_end && data->spans[slot->span].to <= from)
            slot->span++;
        while (slot->warp + 1 < slot->warp_end && data->warps[slot->warp + 1].cycle <= from)
            slot->warp++;
        if (slot->span < slot->span_end && data->spans[slot->span].from < from)
            data->spans[slot->span].from = from;
        slot->goes_on = slot->warp < slot->warp_end && data->warps[slot->warp].cycle < from;
        if (slot->goes_on)
            data->warps[slot->warp].cycle = from;
        if (slot->warp < slot->warp_end && !data->warps[slot->warp].started)
            slot->warp++; /* no warp has held the slot yet */
    } else {
        slot->warp++;
        if (slot->span < slot->span_end && data->spans[slot->span].from < data->begin)
            slot->span++;
    }
    walk->next[s] = next_of(walk, slot, &kind);
}

enum simsm_status walk_sm(struct timeline_reader *reader, uint32_t sm, uint64_t from, uint64_t to,
                          walk_callback *visit, void *context, struct simsm_error *error)
{
    struct timeline_walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return err_no_memory(error);
    walk->info = timeline_read_info(reader);
    walk->from = from;
    walk->to = to;
    walk->visit = visit;
    walk->context = context;
    uint32_t count;
    const struct timeline_chunk *chunk = timeline_read_chunks(reader, sm, &count);
    enum simsm_status status = SIMSM_OK;
    bool first = true;
    for (; count && status == SIMSM_OK && chunk->begin < to; count--, chunk++) {
        if (chunk->end <= from)
            continue;
        status = timeline_read_chunk(reader, chunk, &walk->data, error);
        for (uint32_t s = 0; s < walk->info->slots && status == SIMSM_OK; s++)
            begin_slot(walk, s, first);
        if (status == SIMSM_OK)
            status = walk_chunk(walk, error);
        first = false;
    }
    timeline_data_free(&walk->data);
    free(walk);
    return status;
}
