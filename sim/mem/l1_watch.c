/*
 * Calls the L1 policy for each load that enters L1, once, in the cycle in which the stage takes the
 * load. What L1 holds in that cycle does not depend on windows. Evictions are reported in the same
 * call, because the cycle in which a fill is carried out is not settled earlier.
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
