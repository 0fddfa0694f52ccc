/*
 * Explanations of the states about issue and instruction supply: the issue slot, pipes, queues, the
 * register file's ports, fetch.
 */
#include "language/language.h"
#include "timeline/explain_inner.h"

/* LOOK_BACK: cycles in which an instruction can still hold a pipe or a place in the queue. */
enum { LOOK_BACK = 4096, LISTED = 5 };

static const struct timeline_line *head_line(const struct explain *e, const struct moment *m)
{
    return history_line(e->history, m->span->pc);
}

void explain_issued(const struct explain *e, const struct moment *m)
{
    char line[EXPLAIN_NAME];
    uint32_t n = history_issues_until(e->history, m->slot, m->cycle);
    if (!n || e->history->slot[m->slot].issues[n - 1].cycle != m->cycle)
        return;
    const struct timeline_issue *issue = &e->history->slot[m->slot].issues[n - 1];
    unsigned lanes = (unsigned)__builtin_popcount(issue->mask);
    explain_print(e, "It issues %s with %u of %u lanes active%s.", explain_line(e, issue->pc, line),
                  lanes, SIMSM_WARP_LANES,
                  lanes < SIMSM_WARP_LANES ? _(": the others took another path, or do not exist")
                                           : "");
    explain_copy(e, m);
}

void explain_not_selected(const struct explain *e, const struct moment *m)
{
    char warp[EXPLAIN_NAME], line[EXPLAIN_NAME];
    uint32_t subs = e->info->sub_partitions, waiting = 0;
    const struct timeline_issue *issue = history_issue_in(e->history, m->slot % subs, m->cycle);
    for (uint32_t s = m->slot % subs; s < e->info->slots; s += subs) {
        const struct timeline_span *span = history_span_at(e->history, s, m->cycle);
        waiting += span && history_state(e->history, span) == SIMSM_STATE_NOT_SELECTED;
    }
    if (issue)
        explain_print(e,
                      "A sub-partition issues one instruction a cycle. In this one its scheduler "
                      "chose %s, which issued %s.",
                      explain_warp(e, issue->slot, m->cycle, warp),
                      explain_line(e, issue->pc, line));
    else
        explain_print(e, "No warp issued in this cycle: the scheduler's policy chose none.");
    if (waiting > 1)
        explain_print(e, "%u warps of the sub-partition could have issued and did not.", waiting);
}

/* Issues of the SM or of a sub-partition before a cycle, the latest first. */
struct recent {
    const struct timeline_issue *issue[LISTED];
    uint32_t index[LISTED]; /* of the issue in its slot */
    uint32_t count;         /* of all issues; the first LISTED are in `issue` */
};

/* Inserts an issue into the list, by cycle. */
static void insert_recent(struct recent *recent, const struct timeline_issue *issue, uint32_t index)
{
    uint32_t at = recent->count < LISTED ? recent->count : LISTED;
    recent->count++;
    while (at && recent->issue[at - 1]->cycle < issue->cycle)
        at--;
    for (uint32_t i = LISTED - 1; i > at; i--) {
        recent->issue[i] = recent->issue[i - 1];
        recent->index[i] = recent->index[i - 1];
    }
    if (at < LISTED) {
        recent->issue[at] = issue;
        recent->index[at] = index;
    }
}

/* Returns whether an issue is in the memory-I/O queue at `cycle`. */
static bool in_queue(const struct explain *e, uint32_t slot, uint32_t index, uint64_t cycle)
{
    const struct timeline_issue *issue = &e->history->slot[slot].issues[index];
    const struct timeline_line *line = history_line(e->history, issue->pc);
    uint32_t route = line ? e->info->ops[line->op].route : (uint32_t)SIMSM_ROUTE_CONTROL;
    if (route != SIMSM_ROUTE_QUEUED && route != SIMSM_ROUTE_LONG)
        return false;
    if (!line->width) /* no event tells when it leaves the queue: at the latest with its result */
        return issue->cycle + e->info->ops[line->op].latency > cycle;
    struct history_flight flight = history_flight_of(e->history, slot, index);
    return flight.start > cycle;
}

/*
 * Returns whether an issue may still hold `pipe` at `cycle`. The 8 cycles are a margin for the way
 * to the pipe.
 */
static bool in_pipe(const struct explain *e, uint32_t slot, uint32_t index, uint32_t pipe,
                    uint64_t cycle)
{
    const struct timeline_issue *issue = &e->history->slot[slot].issues[index];
    const struct timeline_line *line = history_line(e->history, issue->pc);
    return line && e->info->ops[line->op].pipe == pipe &&
           issue->cycle + e->info->ops[line->op].interval + 8 > cycle;
}

/*
 * Returns the issues that hold `pipe`. UINT32_MAX: the issues that hold a place in the memory-I/O
 * queue.
 */
static struct recent find_recent(const struct explain *e, const struct moment *m, uint32_t pipe)
{
    struct recent recent = {.count = 0};
    uint32_t subs = e->info->sub_partitions;
    bool whole_sm = pipe != UINT32_MAX && e->info->pipes[pipe].shared;
    for (uint32_t s = 0; s < e->info->slots; s++) {
        if (!whole_sm && s % subs != m->slot % subs)
            continue;
        const struct history_slot *h = &e->history->slot[s];
        uint32_t n = m->cycle ? history_issues_until(e->history, s, m->cycle - 1) : 0;
        for (; n-- && h->issues[n].cycle + LOOK_BACK > m->cycle;) {
            if (pipe == UINT32_MAX ? in_queue(e, s, n, m->cycle) : in_pipe(e, s, n, pipe, m->cycle))
                insert_recent(&recent, &h->issues[n], n);
        }
    }
    return recent;
}

static void print_recent(const struct explain *e, const struct recent *recent)
{
    char warp[EXPLAIN_NAME], line[EXPLAIN_NAME];
    struct explain deeper = *e;
    deeper.depth++;
    for (uint32_t i = 0; i < recent->count && i < LISTED; i++)
        explain_print(&deeper, "%s, issued at cycle %llu by %s.",
                      explain_line(e, recent->issue[i]->pc, line),
                      (unsigned long long)recent->issue[i]->cycle,
                      explain_warp(e, recent->issue[i]->slot, recent->issue[i]->cycle, warp));
    if (recent->count > LISTED)
        explain_print(&deeper, "%u more.", recent->count - LISTED);
}

void explain_pipe(const struct explain *e, const struct moment *m)
{
    const struct timeline_line *head = head_line(e, m);
    if (!head)
        return;
    const struct timeline_op *op = &e->info->ops[head->op];
    const struct timeline_pipe *pipe = &e->info->pipes[op->pipe];
    struct recent recent = find_recent(e, m, op->pipe);
    explain_print(
        e, "Pipe %s%s takes an instruction of class %s every %u cycles. It was given last:",
        pipe->name, pipe->shared ? _(", one for the whole SM,") : "", op->name, op->interval);
    print_recent(e, &recent);
    if (!recent.count)
        explain_print(e,
                      "no instruction recently; another unit that the instruction needs is busy.");
}

void explain_queue(const struct explain *e, const struct moment *m)
{
    struct recent recent = find_recent(e, m, UINT32_MAX);
    if (!recent.count) {
        explain_print(e,
                      "No instruction of this sub-partition is seen in the queue; the load/store "
                      "stage behind it is taken by the other sub-partitions.");
        return;
    }
    explain_print(e, "The memory-I/O queue of the sub-partition holds what has been issued and has "
                     "not reached its unit; from the latest on:");
    print_recent(e, &recent);
}

/* Explains a stall on the dispatch unit or a register file port. */
void explain_port(const struct explain *e, const struct moment *m)
{
    char warp[EXPLAIN_NAME], line[EXPLAIN_NAME];
    uint32_t subs = e->info->sub_partitions;
    const struct timeline_issue *last = NULL;
    if (explain_product_beside(e, m))
        return;
    for (uint32_t s = m->slot % subs; s < e->info->slots; s += subs) {
        uint32_t n = m->cycle ? history_issues_until(e->history, s, m->cycle - 1) : 0;
        const struct timeline_issue *issue = n ? &e->history->slot[s].issues[n - 1] : NULL;
        if (issue && (!last || issue->cycle > last->cycle))
            last = issue;
    }
    if (last)
        explain_print(e,
                      "The last to issue in the sub-partition was %s, with %s at cycle %llu; its "
                      "operands are still being read from the register file's banks.",
                      explain_warp(e, last->slot, last->cycle, warp),
                      explain_line(e, last->pc, line), (unsigned long long)last->cycle);
}

void explain_fetch(const struct explain *e, const struct moment *m)
{
    char line[EXPLAIN_NAME], next[EXPLAIN_NAME];
    const struct history_slot *h = &e->history->slot[m->slot];
    const struct timeline_issue *last = explain_last_issue(e, m->slot, m->cycle);
    uint32_t n = history_issues_until(e->history, m->slot, m->cycle);
    const struct timeline_issue *then = n < h->issue_count ? &h->issues[n] : NULL;
    if (!last) {
        explain_print(e,
                      "The warp has just started: its first instructions are on their way to its "
                      "buffer.");
        return;
    }
    explain_line(e, last->pc, line);
    if (then && then->pc != last->pc + 1)
        explain_print(
            e,
            "Its last instruction, %s at cycle %llu, led on to %s: what was in its buffer "
            "is void, and the instructions from there must be fetched.",
            line, (unsigned long long)last->cycle, explain_line(e, then->pc, next));
    else
        explain_print(e,
                      "It has issued all that was in its buffer, last %s at cycle %llu; the next "
                      "instructions are late because other warps were served first, or because "
                      "they missed in the instruction caches.",
                      line, (unsigned long long)last->cycle);
    if (then)
        explain_print(e, "It issues again at cycle %llu.", (unsigned long long)then->cycle);
}

/* Explains branches and sleep: the cause is the instruction issued last. */
void explain_after(const struct explain *e, const struct moment *m)
{
    char line[EXPLAIN_NAME], count[EXPLAIN_NAME];
    const struct timeline_issue *last = explain_last_issue(e, m->slot, m->cycle);
    if (last)
        explain_print(e, "It issued %s at cycle %llu, %s before.", explain_line(e, last->pc, line),
                      (unsigned long long)last->cycle,
                      explain_cycles(m->cycle - last->cycle, count));
}
