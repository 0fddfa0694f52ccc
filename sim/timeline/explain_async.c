/*
 * Explanations of waits for work beside the warps: copies (TMA), products of warp groups (wgmma),
 * and for the warps of a warp group and of a cluster.
 */
#include "language/language.h"
#include "timeline/explain_inner.h"
#include "timeline/work_words.h"

enum { GROUP_WARPS = 4 };

void explain_phase(const struct explain *e, const struct moment *m)
{
    char text[WORK_WORDS];
    const struct timeline_wake *wake = history_wake_of(e->history, m->slot, m->cycle);
    const struct timeline_work *copy = wake ? history_waker(e->history, wake) : NULL;
    if (copy)
        explain_print(e, "A copy ends the phase that it waits for at cycle %llu: %s.",
                      (unsigned long long)wake->cycle, work_words(e->history, copy, text));
    else if (wake)
        explain_print(e,
                      "What another SM of its cluster sends ends the phase that it waits for at "
                      "cycle %llu.",
                      (unsigned long long)wake->cycle);
}

void explain_copy(const struct explain *e, const struct moment *m)
{
    char text[WORK_WORDS];
    for (uint32_t i = 0; i < e->history->work_count; i++) {
        const struct timeline_work *work = &e->history->works[i];
        if (work->slot == m->slot && work->issued == m->cycle)
            explain_print(e, "It runs beside the warp: %s.", work_words(e->history, work, text));
    }
}

/* Returns the product of the slot that ends last before the end of the state; NULL: none. */
static const struct timeline_work *last_product(const struct explain *e, const struct moment *m)
{
    const struct timeline_work *last = NULL;
    for (uint32_t i = 0; i < e->history->work_count; i++) {
        const struct timeline_work *work = &e->history->works[i];
        if (work->product && work->slot == m->slot && work->issued < m->cycle &&
            work->to <= m->span->to && (!last || work->to > last->to))
            last = work;
    }
    return last;
}

bool explain_link_products(const struct explain *e, const struct moment *m,
                           struct explain_link *link)
{
    const struct timeline_work *last = last_product(e, m);
    const struct timeline_line *line = last ? history_line(e->history, last->pc) : NULL;
    if (!line)
        return false;
    *link = (struct explain_link){.slot = m->slot, .cycle = last->issued, .done = HISTORY_NEVER};
    (void)snprintf(link->text, sizeof link->text, _("waits for %.80s, issued at %llu"), line->text,
                   (unsigned long long)last->issued);
    return true;
}

void explain_products(const struct explain *e, const struct moment *m)
{
    char text[WORK_WORDS];
    const struct timeline_work *last = last_product(e, m);
    if (last)
        explain_print(e, "It waits for products of the tensor core. The last of them: %s.",
                      work_words(e->history, last, text));
    else
        explain_print(e, "It waits for products of the tensor core.");
}

bool explain_product_beside(const struct explain *e, const struct moment *m)
{
    char text[WORK_WORDS];
    const struct history *history = e->history;
    for (uint32_t i = 0; i < history->work_count; i++) {
        const struct timeline_work *work = &history->works[i];
        if (!work->product ||
            work->slot % e->info->sub_partitions != m->slot % e->info->sub_partitions ||
            m->cycle < work->from || m->cycle >= work->to)
            continue;
        explain_print(e,
                      "A product of a warp group reads and writes the registers of its sums and "
                      "leaves few cycles to other instructions that read registers: %s.",
                      work_words(history, work, text));
        return true;
    }
    return false;
}

void explain_cluster(const struct explain *e, const struct moment *m)
{
    (void)m;
    explain_print(e, "It waits at the barrier of its cluster for the warps of all its blocks, "
                     "which run on other SMs, too.");
}

void explain_group(const struct explain *e, const struct moment *m)
{
    char warp[EXPLAIN_NAME];
    const struct timeline_warp *own = history_warp_at(e->history, m->slot, m->cycle);
    uint32_t late = 0;
    for (uint32_t s = 0; own && s < e->info->slots; s++) {
        const struct timeline_warp *other = history_warp_at(e->history, s, m->cycle);
        const struct timeline_span *span = history_span_at(e->history, s, m->cycle);
        if (!other || !span || other->block != own->block ||
            other->warp / GROUP_WARPS != own->warp / GROUP_WARPS)
            continue;
        const uint32_t state = history_state(e->history, span);
        if (state == SIMSM_STATE_GMMA || state == SIMSM_STATE_EMPTY || state == SIMSM_STATE_EXITED)
            continue;
        late++;
        explain_print(e, "Of its warp group has not come: %s, which is in state %s.",
                      explain_warp(e, s, m->cycle, warp), e->info->states[span->state].name);
    }
    if (!late)
        explain_print(e, "All warps of its warp group have come; the product is about to issue.");
}
