/* Histories: chunks joined, and searches in them. */
#include "timeline/slot_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "timeline/smtl.h"

/* Makes room for `more` entries behind the `count` entries of *array. */
static bool extend(void **array, uint32_t count, uint32_t more, size_t size)
{
    if (!more)
        return true;
    void *grown = realloc(*array, (size_t)(count + more) * size);
    if (!grown)
        return false;
    *array = grown;
    return true;
}

/* Appends spans. A state that goes on over the border of two chunks becomes one span. */
static void join_spans(struct history_slot *slot, const struct timeline_span *spans, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct timeline_span *last = slot->span_count ? &slot->spans[slot->span_count - 1] : NULL;
        if (last && last->from == spans[i].from && last->state == spans[i].state)
            last->to = spans[i].to;
        else
            slot->spans[slot->span_count++] = spans[i];
    }
}

static void join_warps(struct history_slot *slot, const struct timeline_warp *warps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 && (slot->warp_count || !warps[i].started))
            continue; /* every chunk repeats the warp that holds the slot as it begins */
        slot->warps[slot->warp_count++] = warps[i];
    }
}

static bool join_slot(struct history_slot *slot, const struct timeline_data *data, uint32_t s)
{
    uint32_t spans = data->span_of[s + 1] - data->span_of[s];
    uint32_t issues = data->issue_of[s + 1] - data->issue_of[s];
    uint32_t memory = data->memory_of[s + 1] - data->memory_of[s];
    uint32_t warps = data->warp_of[s + 1] - data->warp_of[s];
    if (!extend((void **)&slot->spans, slot->span_count, spans, sizeof *slot->spans) ||
        !extend((void **)&slot->issues, slot->issue_count, issues, sizeof *slot->issues) ||
        !extend((void **)&slot->memory, slot->memory_count, memory, sizeof *slot->memory) ||
        !extend((void **)&slot->warps, slot->warp_count, warps, sizeof *slot->warps))
        return false;
    join_spans(slot, data->spans + data->span_of[s], spans);
    join_warps(slot, data->warps + data->warp_of[s], warps);
    if (issues)
        memcpy(slot->issues + slot->issue_count, data->issues + data->issue_of[s],
               issues * sizeof *slot->issues);
    if (memory)
        memcpy(slot->memory + slot->memory_count, data->memory + data->memory_of[s],
               memory * sizeof *slot->memory);
    slot->issue_count += issues;
    slot->memory_count += memory;
    return true;
}

/* Appends a chunk's work. What goes on from the chunk before is there already. */
static void join_works(struct history *history, const struct timeline_data *data)
{
    const uint32_t before = history->work_count;
    for (uint32_t i = 0; i < data->work_count; i++) {
        const struct timeline_work *work = &data->works[i];
        struct timeline_work *known = NULL;
        for (uint32_t k = 0; k < before && work->issued < data->begin && !known; k++) {
            struct timeline_work *of = &history->works[k];
            if (of->issued == work->issued && of->slot == work->slot && of->from == work->from &&
                of->product == work->product && of->number == work->number)
                known = of;
        }
        if (known)
            *known = *work;
        else
            history->works[history->work_count++] = *work;
    }
}

static bool join_sm(struct history *history, const struct timeline_data *data)
{
    if (!extend((void **)&history->works, history->work_count, data->work_count,
                sizeof *history->works) ||
        !extend((void **)&history->wakes, history->wake_count, data->wake_count,
                sizeof *history->wakes))
        return false;
    join_works(history, data);
    if (data->wake_count)
        memcpy(history->wakes + history->wake_count, data->wakes,
               data->wake_count * sizeof *history->wakes);
    history->wake_count += data->wake_count;
    return true;
}

enum simsm_status history_append(struct history *history, const struct timeline_data *data,
                                 const struct timeline_info *info, uint32_t slot,
                                 struct simsm_error *error)
{
    history->info = info;
    history->sm = data->sm;
    if (!history->end)
        history->begin = data->begin;
    history->end = data->end;
    for (uint32_t s = 0; s < info->slots; s++)
        if ((slot == UINT32_MAX || slot == s) && !join_slot(&history->slot[s], data, s))
            return err_no_memory(error);
    return join_sm(history, data) ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status history_load(struct history *history, struct timeline_reader *reader, uint32_t sm,
                               uint64_t from, uint64_t to, struct simsm_error *error)
{
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    uint32_t count;
    const struct timeline_info *info = timeline_read_info(reader);
    const struct timeline_chunk *chunk = timeline_read_chunks(reader, sm, &count);
    *history = (struct history){.info = info, .sm = sm};
    for (; count-- && status == SIMSM_OK; chunk++) {
        if (chunk->end <= from || chunk->begin >= to)
            continue;
        status = timeline_read_chunk(reader, chunk, &data, error);
        if (status == SIMSM_OK)
            status = history_append(history, &data, info, UINT32_MAX, error);
    }
    timeline_data_free(&data);
    return status;
}

struct history history_of_chunk(const struct timeline_data *data, const struct timeline_info *info)
{
    /* An array of a chunk is NULL if it has no entries. */
    struct history history = {.info = info,
                              .sm = data->sm,
                              .begin = data->begin,
                              .end = data->end,
                              .work_count = data->work_count,
                              .wake_count = data->wake_count,
                              .works = data->works,
                              .wakes = data->wakes};
    for (uint32_t s = 0; s < info->slots; s++) {
        uint32_t warp = data->warp_of[s];
        if (warp < data->warp_of[s + 1] && !data->warps[warp].started)
            warp++; /* no warp has held the slot yet */
        history.slot[s] =
            (struct history_slot){.span_count = data->span_of[s + 1] - data->span_of[s],
                                  .issue_count = data->issue_of[s + 1] - data->issue_of[s],
                                  .memory_count = data->memory_of[s + 1] - data->memory_of[s],
                                  .warp_count = data->warp_of[s + 1] - warp,
                                  .spans = data->spans ? data->spans + data->span_of[s] : NULL,
                                  .issues = data->issues ? data->issues + data->issue_of[s] : NULL,
                                  .memory = data->memory ? data->memory + data->memory_of[s] : NULL,
                                  .warps = data->warps ? data->warps + warp : NULL};
    }
    return history;
}

void history_free(struct history *history)
{
    for (uint32_t s = 0; s < SIMSM_SLOTS_PER_SM; s++) {
        free(history->slot[s].spans);
        free(history->slot[s].issues);
        free(history->slot[s].memory);
        free(history->slot[s].warps);
    }
    free(history->works);
    free(history->wakes);
    *history = (struct history){0};
}

const struct timeline_work *history_waker(const struct history *history,
                                          const struct timeline_wake *wake)
{
    for (uint32_t i = history->work_count; wake->number < SMTL_COPIES && i-- > 0;) {
        const struct timeline_work *work = &history->works[i];
        if (!work->product && work->number == wake->number && work->issued <= wake->cycle)
            return work;
    }
    return NULL;
}

const struct timeline_wake *history_wake_in(const struct history *history, uint32_t slot,
                                            uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < history->wake_count; i++) {
        const struct timeline_wake *wake = &history->wakes[i];
        if (wake->slot == slot && wake->cycle >= from && wake->cycle < to)
            return wake;
    }
    return NULL;
}

const struct timeline_wake *history_wake_of(const struct history *history, uint32_t slot,
                                            uint64_t cycle)
{
    const struct timeline_span *span = history_span_at(history, slot, cycle);
    const uint32_t state = span ? history_state(history, span) : (uint32_t)SIMSM_STATE_COUNT;
    if (state != SIMSM_STATE_SHORT_SCOREBOARD && state != SIMSM_STATE_LONG_SCOREBOARD)
        return NULL;
    return history_wake_in(history, slot, span->from, span->to);
}

const struct timeline_span *history_span_at(const struct history *history, uint32_t slot,
                                            uint64_t cycle)
{
    const struct history_slot *h = &history->slot[slot];
    uint32_t low = 0, high = h->span_count;
    while (low < high) { /* finds the first span that ends after the cycle */
        uint32_t middle = low + (high - low) / 2;
        if (h->spans[middle].to <= cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low < h->span_count && h->spans[low].from <= cycle ? &h->spans[low] : NULL;
}

const struct timeline_warp *history_warp_at(const struct history *history, uint32_t slot,
                                            uint64_t cycle)
{
    const struct history_slot *h = &history->slot[slot];
    const struct timeline_warp *found = NULL;
    for (uint32_t i = 0; i < h->warp_count && h->warps[i].cycle <= cycle; i++)
        found = &h->warps[i];
    return found;
}

uint32_t history_issues_until(const struct history *history, uint32_t slot, uint64_t cycle)
{
    const struct history_slot *h = &history->slot[slot];
    uint32_t low = 0, high = h->issue_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (h->issues[middle].cycle <= cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct timeline_issue *history_issue_in(const struct history *history, uint32_t sub,
                                              uint64_t cycle)
{
    for (uint32_t s = sub; s < history->info->slots; s += history->info->sub_partitions) {
        uint32_t n = history_issues_until(history, s, cycle);
        if (n && history->slot[s].issues[n - 1].cycle == cycle)
            return &history->slot[s].issues[n - 1];
    }
    return NULL;
}

/* Memory instructions with the same pc that wait for the same event, oldest first. */
struct queue {
    uint32_t entry[256]; /* indices of issues */
    uint32_t head, count;
};

static const uint32_t unknown_issue = UINT32_MAX;

static void queue_put(struct queue *queue, uint32_t entry)
{
    if (queue->count == 256) {
        queue->head++;
        queue->count--;
    }
    queue->entry[(queue->head + queue->count++) % 256] = entry;
}

static uint32_t queue_take(struct queue *queue)
{
    if (!queue->count)
        return unknown_issue;
    queue->count--;
    return queue->entry[queue->head++ % 256];
}

/*
 * Memory instructions of a warp with the same pc enter the load/store stage in the order of their
 * issues. If they write a register, they are also answered in that order, as the register is not
 * written twice at a time. For stores that order is an assumption. An event without a matching
 * issue belongs to an instruction issued before the history begins. Once both queues have been
 * empty, no such event follows.
 */
struct history_flight history_flight_of(const struct history *history, uint32_t slot,
                                        uint32_t issue)
{
    const struct history_slot *h = &history->slot[slot];
    struct history_flight flight = {.start = HISTORY_NEVER, .done = HISTORY_NEVER};
    SIMSM_CHECK(issue < h->issue_count, "issue %u of %u in slot %u", issue, h->issue_count, slot);
    struct queue issued = {.head = 0}, started = {.head = 0};
    uint32_t pc = h->issues[issue].pc, next = 0;
    for (uint32_t i = 0; i < h->memory_count; i++) {
        const struct timeline_memory *m = &h->memory[i];
        if (m->pc != pc)
            continue;
        for (; next < h->issue_count && h->issues[next].cycle <= m->cycle; next++) {
            if (h->issues[next].pc == pc)
                queue_put(&issued, next);
        }
        uint32_t which = queue_take(m->done ? &started : &issued);
        if (!m->done)
            queue_put(&started, which);
        if (which != issue)
            continue;
        if (!m->done) {
            flight.start = m->cycle;
            continue;
        }
        flight.done = m->cycle;
        flight.level = m->level;
        break;
    }
    return flight;
}
