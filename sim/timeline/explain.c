/*
 * Explanations: what all states have in common, and the table of functions that find the cause of
 * each state.
 */
#include "timeline/explain.h"

#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "language/language.h"
#include "timeline/cycle_selection.h"
#include "timeline/explain_inner.h"
#include "timeline/smtl.h"
#include "timeline/timeline_prose.h"

/* AROUND: cycles before and after the question's cycle that are searched for causes. */
enum { AROUND = 65536, DEEPEST = 2 };

void explain_print(const struct explain *explain, const char *format, ...)
{
    char text[4096];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, translate(format), list);
    va_end(list);
    uint32_t indent = 2 + 2 * explain->depth;
    (void)fprintf(explain->file, "%*s", (int)indent, "- ");
    prose_wrap(explain->file, text, indent, indent, explain->width);
}

const char *explain_line(const struct explain *explain, uint32_t pc, char *text)
{
    const struct timeline_line *line = history_line(explain->history, pc);
    if (!line)
        (void)snprintf(text, EXPLAIN_NAME, _("an instruction outside the kernel"));
    else if (line->line)
        (void)snprintf(text, EXPLAIN_NAME, _("`%.240s` (line %u)"), line->text, line->line);
    else
        (void)snprintf(text, EXPLAIN_NAME, _("`%.240s` (offset 0x%x)"), line->text, line->pc);
    return text;
}

const char *explain_slot(const struct explain *explain, uint32_t slot, char *text)
{
    (void)snprintf(text, EXPLAIN_NAME, _("slot %u of sub-partition %u"),
                   slot / explain->info->sub_partitions, slot % explain->info->sub_partitions);
    return text;
}

const char *explain_warp(const struct explain *explain, uint32_t slot, uint64_t cycle, char *text)
{
    char where[EXPLAIN_NAME];
    const struct timeline_warp *warp = history_warp_at(explain->history, slot, cycle);
    explain_slot(explain, slot, where);
    if (warp)
        (void)snprintf(text, EXPLAIN_NAME, _("warp %u of block %u (%.80s)"), warp->warp,
                       warp->block, where);
    else
        (void)snprintf(text, EXPLAIN_NAME, _("the warp in %.80s"), where);
    return text;
}

const char *explain_register(struct reg_range range, char *text)
{
    static const struct {
        uint16_t first;
        const char *name;
    } files[] = {{REG_UP0, "UP"}, {REG_UR0, "UR"}, {REG_P0, "P"}, {REG_R0, "R"}};
    size_t i = 0;
    while (range.first < files[i].first)
        i++;
    unsigned first = (unsigned)range.first - files[i].first;
    if (range.count > 1)
        (void)snprintf(text, EXPLAIN_NAME, _("%s%u to %s%u"), files[i].name, first, files[i].name,
                       first + range.count - 1u);
    else
        (void)snprintf(text, EXPLAIN_NAME, "%s%u", files[i].name, first);
    return text;
}

const char *explain_cycles(uint64_t cycles, char *text)
{
    (void)snprintf(text, EXPLAIN_NAME, _("%llu cycle%s"), (unsigned long long)cycles,
                   cycles == 1 ? "" : "s");
    return text;
}

const struct timeline_issue *explain_last_issue(const struct explain *explain, uint32_t slot,
                                                uint64_t cycle)
{
    const struct timeline_warp *warp = history_warp_at(explain->history, slot, cycle);
    uint32_t n = cycle ? history_issues_until(explain->history, slot, cycle - 1) : 0;
    const struct timeline_issue *last = n ? &explain->history->slot[slot].issues[n - 1] : NULL;
    return last && (!warp || last->cycle >= warp->cycle) ? last : NULL;
}

static void (*const causes[SIMSM_STATE_COUNT])(const struct explain *, const struct moment *) = {
    [SIMSM_STATE_EXITED] = explain_exited,
    [SIMSM_STATE_ISSUED] = explain_issued,
    [SIMSM_STATE_NOT_SELECTED] = explain_not_selected,
    [SIMSM_STATE_DRAIN] = explain_drain,
    [SIMSM_STATE_BARRIER] = explain_barrier,
    [SIMSM_STATE_GMMA] = explain_group,
    [SIMSM_STATE_MEMBAR] = explain_fence,
    [SIMSM_STATE_SLEEPING] = explain_after,
    [SIMSM_STATE_BRANCH_RESOLVING] = explain_after,
    [SIMSM_STATE_NO_INSTRUCTION] = explain_fetch,
    [SIMSM_STATE_WAIT] = explain_wait,
    [SIMSM_STATE_LONG_SCOREBOARD] = explain_scoreboard,
    [SIMSM_STATE_SHORT_SCOREBOARD] = explain_scoreboard,
    [SIMSM_STATE_DISPATCH_STALL] = explain_port,
    [SIMSM_STATE_MATH_PIPE_THROTTLE] = explain_pipe,
    [SIMSM_STATE_LG_THROTTLE] = explain_queue,
    [SIMSM_STATE_TEX_THROTTLE] = explain_queue,
    [SIMSM_STATE_MIO_THROTTLE] = explain_queue,
};

void explain_cause(const struct explain *explain, uint32_t slot, uint64_t cycle)
{
    struct explain deeper = *explain;
    struct moment moment = {
        .slot = slot, .cycle = cycle, .span = history_span_at(explain->history, slot, cycle)};
    if (!moment.span || explain->depth > DEEPEST)
        return;
    uint32_t state = history_state(explain->history, moment.span);
    deeper.depth++;
    if (state < SIMSM_STATE_COUNT && causes[state])
        causes[state](&deeper, &moment);
}

/*
 * Finds the end of a state that may last longer than the loaded chunks. *open is set if the state
 * lasts until the recording ends.
 */
static enum simsm_status find_end(struct timeline_reader *reader, const struct history *history,
                                  uint32_t slot, const struct timeline_span *span, uint64_t *end,
                                  bool *open, struct simsm_error *error)
{
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    uint32_t count;
    const struct timeline_chunk *chunk = timeline_read_chunks(reader, history->sm, &count);
    *end = span->to;
    *open = span->to == history->end;
    for (; count-- && *open && status == SIMSM_OK; chunk++) {
        if (chunk->begin < history->end)
            continue;
        status = timeline_read_chunk(reader, chunk, &data, error);
        if (status != SIMSM_OK)
            break;
        const struct timeline_span *first = &data.spans[data.span_of[slot]];
        bool goes_on = data.span_of[slot] < data.span_of[slot + 1] && first->from == span->from &&
                       first->state == span->state;
        if (goes_on)
            *end = first->to;
        *open = goes_on && first->to == chunk->end;
    }
    timeline_data_free(&data);
    return status;
}

/*
 * Finds the warp that takes the slot at `cycle`, also behind the loaded chunks. warp->started is
 * false if there is none.
 */
static enum simsm_status find_next_warp(struct timeline_reader *reader, uint32_t sm, uint32_t slot,
                                        uint64_t cycle, struct timeline_warp *warp,
                                        struct simsm_error *error)
{
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    uint32_t count;
    const struct timeline_chunk *chunk = timeline_read_chunks(reader, sm, &count);
    warp->started = false;
    for (; count-- && status == SIMSM_OK && !warp->started; chunk++) {
        if (chunk->end <= cycle || chunk->begin > cycle)
            continue;
        status = timeline_read_chunk(reader, chunk, &data, error);
        for (uint32_t i = data.warp_of[slot]; status == SIMSM_OK && i < data.warp_of[slot + 1];
             i++) {
            if (data.warps[i].started && data.warps[i].cycle == cycle)
                *warp = data.warps[i];
        }
    }
    timeline_data_free(&data);
    return status;
}

/* Prints which warp holds the slot. */
static void print_tenant(const struct explain *e, const struct moment *m)
{
    const struct timeline_warp *warp = history_warp_at(e->history, m->slot, m->cycle);
    bool empty = history_state(e->history, m->span) == SIMSM_STATE_EMPTY;
    if (empty && warp)
        explain_print(e,
                      "No warp lives there. Warp %u of block %u, which came at cycle %llu, had it "
                      "until cycle %llu.",
                      warp->warp, warp->block, (unsigned long long)warp->cycle,
                      (unsigned long long)m->span->from);
    else if (empty)
        explain_print(e, "No warp lives there, and none has before.");
    else if (warp)
        explain_print(e, "Warp %u of block %u lives there since cycle %llu.", warp->warp,
                      warp->block, (unsigned long long)warp->cycle);
}

static void print_state(const struct explain *e, const struct moment *m, uint64_t end, bool open)
{
    const struct timeline_state *state = &e->info->states[m->span->state];
    char until[64], count[EXPLAIN_NAME];
    if (open)
        (void)snprintf(until, sizeof until, _("the end of the recording, %llu"),
                       (unsigned long long)end);
    else
        (void)snprintf(until, sizeof until, "%llu", (unsigned long long)end);
    explain_print(e, "It is in state %s (%c) from cycle %llu to %s, %s: %s.", state->name,
                  state->letter, (unsigned long long)m->span->from, until,
                  explain_cycles(end - m->span->from, count), translate(state->meaning));
}

static void print_head(const struct explain *e, const struct moment *m)
{
    char text[EXPLAIN_NAME];
    uint32_t state = history_state(e->history, m->span);
    const struct timeline_line *line = history_line(e->history, m->span->pc);
    if (!line || state == SIMSM_STATE_EMPTY || state == SIMSM_STATE_EXITED ||
        state == SIMSM_STATE_ISSUED || state == SIMSM_STATE_DRAIN)
        return;
    if (state == SIMSM_STATE_NO_INSTRUCTION || state == SIMSM_STATE_BRANCH_RESOLVING ||
        state == SIMSM_STATE_BARRIER || state == SIMSM_STATE_SLEEPING)
        return; /* the next instruction is unknown, or not the reason */
    explain_print(e, "Its next instruction is %s, of class %s in pipe %s.",
                  explain_line(e, m->span->pc, text), e->info->ops[line->op].name,
                  e->info->pipes[e->info->ops[line->op].pipe].name);
}

static enum simsm_status print_next(const struct explain *e, struct timeline_reader *reader,
                                    const struct moment *m, uint64_t end, bool open,
                                    struct simsm_error *error)
{
    struct timeline_warp warp = {0};
    if (history_state(e->history, m->span) == SIMSM_STATE_EMPTY) {
        enum simsm_status status =
            find_next_warp(reader, e->history->sm, m->slot, end, &warp, error);
        if (status == SIMSM_OK && warp.started)
            explain_print(e, "At cycle %llu warp %u of block %u takes the slot.",
                          (unsigned long long)end, warp.warp, warp.block);
        else if (status == SIMSM_OK)
            explain_print(e, "No other warp comes before the recording ends.");
        return status;
    }
    const struct timeline_span *next = open ? NULL : history_span_at(e->history, m->slot, end);
    if (next)
        explain_print(e, "At cycle %llu its state becomes %s: %s.", (unsigned long long)end,
                      e->info->states[next->state].name,
                      translate(e->info->states[next->state].meaning));
    return SIMSM_OK;
}

static enum simsm_status write_explanation(struct timeline_reader *reader,
                                           const struct history *history,
                                           const struct explain_question *q, FILE *file,
                                           struct simsm_error *error)
{
    struct explain e = {.history = history, .info = history->info, .file = file, .width = q->width};
    struct moment m = {.slot = q->index * history->info->sub_partitions + q->sub,
                       .cycle = q->cycle};
    uint64_t end;
    bool open;
    m.span = history_span_at(history, m.slot, m.cycle);
    if (!m.span)
        return err_at(error, SIMSM_FAILED, history->info->name, 0, 0,
                      "nothing is recorded of this slot at cycle %llu",
                      (unsigned long long)m.cycle);
    enum simsm_status status = find_end(reader, history, m.slot, m.span, &end, &open, error);
    if (status != SIMSM_OK)
        return status;
    (void)fprintf(file, _("SM %u, sub-partition %u, slot %u at cycle %llu\n"), q->sm, q->sub,
                  q->index, (unsigned long long)q->cycle);
    print_tenant(&e, &m);
    print_state(&e, &m, end, open);
    print_head(&e, &m);
    uint32_t state = history_state(history, m.span);
    if (state < SIMSM_STATE_COUNT && causes[state])
        causes[state](&e, &m);
    return print_next(&e, reader, &m, end, open, error);
}

/* Checks that the slot and the cycle of the question are recorded. */
static enum simsm_status check(const struct timeline_reader *reader,
                               const struct explain_question *q, struct simsm_error *error)
{
    const struct timeline_info *info = timeline_read_info(reader);
    enum simsm_status status = selection_check_sm(info, q->sm, error);
    if (status != SIMSM_OK)
        return status;
    if (q->sub >= info->sub_partitions || q->index >= info->slots ||
        q->index * info->sub_partitions + q->sub >= info->slots)
        return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                      "there is no slot %u in sub-partition %u; an SM has %u slots in %u "
                      "sub-partitions, each counted from 0",
                      q->index, q->sub, info->slots, info->sub_partitions);
    return selection_check_cycle(reader, q->sm, q->cycle, error);
}

enum simsm_status explain_write(struct timeline_reader *reader, const struct explain_question *q,
                                FILE *file, struct simsm_error *error)
{
    struct history history;
    uint64_t from = q->cycle > AROUND ? q->cycle - AROUND : 0;
    enum simsm_status status = check(reader, q, error);
    if (status != SIMSM_OK)
        return status;
    status = history_load(&history, reader, q->sm, from, q->cycle + AROUND, error);
    uint32_t slot = q->index * timeline_read_info(reader)->sub_partitions + q->sub;
    const struct timeline_span *span =
        status == SIMSM_OK ? history_span_at(&history, slot, q->cycle) : NULL;
    if (span && span->from < history.begin + AROUND / 2 && span->from > 0 && from > 0) {
        from =
            span->from > AROUND ? span->from - AROUND : 0; /* a long state: its cause is before */
        history_free(&history);
        status = history_load(&history, reader, q->sm, from, q->cycle + AROUND, error);
    }
    if (status == SIMSM_OK)
        status = write_explanation(reader, &history, q, file, error);
    history_free(&history);
    return status;
}
