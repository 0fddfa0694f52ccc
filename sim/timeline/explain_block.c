/* Explanations of the states in which a warp waits for other warps of its block. */
#include "language/language.h"
#include "timeline/explain_inner.h"

enum { LISTED = 6 };

/* The slots of one block's warps at one cycle. */
struct mates {
    uint32_t slot[SIMSM_SLOTS_PER_SM];
    uint32_t count;
};

static struct mates find_mates(const struct explain *e, const struct moment *m)
{
    struct mates mates = {.count = 0};
    const struct timeline_warp *own = history_warp_at(e->history, m->slot, m->cycle);
    for (uint32_t s = 0; own && s < e->info->slots; s++) {
        const struct timeline_warp *warp = history_warp_at(e->history, s, m->cycle);
        const struct timeline_span *span = history_span_at(e->history, s, m->cycle);
        if (warp && span && warp->block == own->block &&
            history_state(e->history, span) != SIMSM_STATE_EMPTY)
            mates.slot[mates.count++] = s;
    }
    return mates;
}

/*
 * Returns the slot's last barrier instruction before `cycle`, or NULL if its warp has issued none.
 */
static const struct timeline_issue *last_barrier(const struct explain *e, uint32_t slot,
                                                 uint64_t cycle)
{
    const struct history_slot *h = &e->history->slot[slot];
    const struct timeline_warp *warp = history_warp_at(e->history, slot, cycle);
    for (uint32_t i = cycle ? history_issues_until(e->history, slot, cycle - 1) : 0; i--;) {
        if (warp && h->issues[i].cycle < warp->cycle)
            return NULL;
        if (history_op(e->history, h->issues[i].pc) == SIMSM_OP_BARRIER)
            return &h->issues[i];
    }
    return NULL;
}

static void print_mate(const struct explain *e, uint32_t slot, uint64_t cycle)
{
    char warp[EXPLAIN_NAME], line[EXPLAIN_NAME];
    struct explain deeper = *e;
    const struct timeline_span *span = history_span_at(e->history, slot, cycle);
    deeper.depth++;
    explain_print(&deeper, "%s: %s since cycle %llu, at %s.", explain_warp(e, slot, cycle, warp),
                  e->info->states[span->state].name, (unsigned long long)span->from,
                  explain_line(e, span->pc, line));
}

/*
 * Returns the number of the block's slots whose state is neither `a` nor `b`. Prints the first
 * LISTED of them if `list` is true.
 */
static uint32_t print_late(const struct explain *e, const struct mates *mates, uint64_t cycle,
                           uint32_t a, uint32_t b, bool list)
{
    uint32_t late = 0;
    for (uint32_t i = 0; i < mates->count; i++) {
        uint32_t state =
            history_state(e->history, history_span_at(e->history, mates->slot[i], cycle));
        if (state == a || state == b)
            continue;
        late++;
        if (list && late <= LISTED)
            print_mate(e, mates->slot[i], cycle);
    }
    return late;
}

/*
 * Returns the last barrier instruction that a warp of the block issues before cycle `until`, or
 * NULL if none is known.
 */
static const struct timeline_issue *last_arrival(const struct explain *e, const struct mates *mates,
                                                 uint64_t until)
{
    const struct timeline_issue *last = NULL;
    for (uint32_t i = 0; i < mates->count; i++) {
        const struct timeline_issue *arrival = last_barrier(e, mates->slot[i], until);
        if (arrival && (!last || arrival->cycle > last->cycle))
            last = arrival;
    }
    return last;
}

/* Returns whether the state is the wait for products, which Nsight Compute counts as barrier. */
static bool waits_for_products(const struct explain *e, const struct moment *m)
{
    return history_op(e->history, m->span->pc) == SIMSM_OP_DEPBAR;
}

bool explain_link_barrier(const struct explain *e, const struct moment *m,
                          struct explain_link *link)
{
    char warp[EXPLAIN_NAME];
    if (waits_for_products(e, m))
        return explain_link_products(e, m, link);
    if (history_op(e->history, m->span->pc) == SIMSM_OP_CLUSTER_WAIT)
        return false;
    struct mates mates = find_mates(e, m);
    const struct timeline_issue *last = last_arrival(e, &mates, m->span->to);
    if (!last || last->slot == m->slot || m->span->to == e->history->end)
        return false;
    *link = (struct explain_link){.slot = last->slot, .cycle = last->cycle, .done = HISTORY_NEVER};
    (void)snprintf(link->text, sizeof link->text, _("waits for %.60s, the last to arrive, at %llu"),
                   explain_warp(e, last->slot, last->cycle, warp), (unsigned long long)last->cycle);
    return true;
}

void explain_barrier(const struct explain *e, const struct moment *m)
{
    char warp[EXPLAIN_NAME], line[EXPLAIN_NAME];
    if (waits_for_products(e, m)) {
        explain_products(e, m);
        return;
    }
    if (history_op(e->history, m->span->pc) == SIMSM_OP_CLUSTER_WAIT) {
        explain_cluster(e, m);
        return;
    }
    struct mates mates = find_mates(e, m);
    const struct timeline_issue *own = last_barrier(e, m->slot, m->cycle);
    if (own)
        explain_print(e, "It arrived at %s at cycle %llu.", explain_line(e, own->pc, line),
                      (unsigned long long)own->cycle);
    uint32_t late = print_late(e, &mates, m->cycle, SIMSM_STATE_BARRIER, SIMSM_STATE_EXITED, false);
    if (late) {
        explain_print(e, "Of the %u warps of its block %u %s not arrived:", mates.count, late,
                      late == 1 ? "has" : "have");
        (void)print_late(e, &mates, m->cycle, SIMSM_STATE_BARRIER, SIMSM_STATE_EXITED, true);
    }
    uint64_t until = m->span->to;
    const struct timeline_issue *last = last_arrival(e, &mates, until);
    if (!late)
        explain_print(
            e, "All warps of its block have arrived or ended; the barrier is about to open.");
    if (!last || until == e->history->end)
        return;
    explain_print(e,
                  "The last to arrive is %s, at cycle %llu; %llu cycles later this warp goes on.",
                  explain_warp(e, last->slot, last->cycle, warp), (unsigned long long)last->cycle,
                  (unsigned long long)(until - last->cycle));
    const struct timeline_span *span = history_span_at(e->history, last->slot, m->cycle);
    if (last->slot != m->slot && last->cycle > m->cycle && span &&
        history_state(e->history, span) != SIMSM_STATE_BARRIER) {
        explain_print(e, "That warp at cycle %llu is in state %s:", (unsigned long long)m->cycle,
                      e->info->states[span->state].name);
        explain_cause(e, last->slot, m->cycle);
    }
}

void explain_exited(const struct explain *e, const struct moment *m)
{
    struct mates mates = find_mates(e, m);
    uint32_t late = print_late(e, &mates, m->cycle, SIMSM_STATE_EXITED, SIMSM_STATE_EXITED, false);
    if (!late) {
        explain_print(e,
                      "All warps of its block have ended; the slot becomes free with the block.");
        return;
    }
    explain_print(e,
                  "A block leaves the SM as a whole. Of the %u warps of this one %u still run%s:",
                  mates.count, late, late == 1 ? "s" : "");
    (void)print_late(e, &mates, m->cycle, SIMSM_STATE_EXITED, SIMSM_STATE_EXITED, true);
}
