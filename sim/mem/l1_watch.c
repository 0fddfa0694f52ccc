/*
 * A policy that looks at loads as they enter L1. It is asked once for each load, in the cycle in
 * which the stage takes it: what L1 holds then does not depend on windows. Lines that gave way are
 * told of at the same time, since when a fill is carried out is not settled before.
 */
#include <string.h>

#include "mem/mem_sm.h"

bool mem_sm_watch(struct mem_sm *sm, struct arena *arena, const struct mem_l1_policy *policy)
{
    if (sm->timing->flat || sm->l1.none)
        return true;
    sm->watch = *policy;
    sm->l1.log = arena_take(arena, 1, sizeof *sm->l1.log);
    return sm->l1.log != NULL;
}

uint32_t mem_sm_excess_prefetches(const struct mem_sm *sm)
{
    return sm->excess_prefetches;
}

void l1_watch_ask(struct mem_sm *sm, uint64_t now, const struct mem_request *request)
{
    const struct coalesced *touched = &sm->stage.touched;
    struct l1_log *log = sm->l1.log;
    struct simsm_l1_view view = {
        .cycle = now,
        .line = touched->line,
        .lines = touched->lines,
        .slot = request->warp,
        .index = request->line,
        .evicted = log->evicted,
        .evictions = log->count,
        .sm = sm->watch.sm,
        .setup = sm->watch.setup,
    };
    for (uint32_t i = 0; i < touched->lines; i++)
        view.present |= (uint64_t)(global_look_up(sm, i) == touched->mask[i]) << i;
    memset(&sm->answer, 0, sizeof sm->answer);
    sm->watch.policy->on_access(sm->watch.state, &view, &sm->answer);
    log->count = 0;
    if (sm->answer.prefetches <= SIMSM_PREFETCHES)
        return;
    sm->excess_prefetches = sm->answer.prefetches;
    sm->answer.prefetches = 0;
}
