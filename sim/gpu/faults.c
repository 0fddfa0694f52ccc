/* Messages about policies that have broken their rules and thereby ended the run. */
#include "base/err.h"
#include "gpu/gpu_state.h"

/* Consecutive ticks of a dispatcher without an event in any SM and without a placed block, before
 * the run ends. */
enum { IDLE_TICKS = 1000 };

/* Returns the SM with the earliest fault and the fault's cycle, or NULL. Windows end at other
 * cycles than faults do. The earliest fault is the same whatever the length of windows. */
static const struct sm *first_sm(const struct gpu *gpu, uint64_t *cycle)
{
    const struct sm *first = NULL;
    *cycle = SM_NEVER;
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        uint64_t at;
        if (!sm_fault(gpu->sm[i].sm, &at) || at >= *cycle)
            continue;
        first = gpu->sm[i].sm;
        *cycle = at;
    }
    return first;
}

static enum simsm_status report_dispatcher(const struct gpu *gpu, struct simsm_error *error)
{
    return err_set(error, SIMSM_FAILED,
                   "the dispatcher '%s' chose SM %u of %u for block %llu at cycle %llu, which %s; "
                   "it may choose one with free_blocks above 0, or SIMSM_HOLD",
                   gpu->setup.dispatcher->name, gpu->fault_sm, gpu->sms,
                   (unsigned long long)gpu->first->placed, (unsigned long long)gpu->fault_cycle,
                   gpu->fault_sm < gpu->sms ? "has no room" : "does not exist");
}

enum simsm_status faults_report(const struct gpu *gpu, struct simsm_error *error)
{
    uint64_t cycle;
    char text[480];
    const struct sm *sm = first_sm(gpu, &cycle);
    if (!sm || gpu->fault_cycle < cycle)
        return report_dispatcher(gpu, error);
    sm_describe_fault(sm, text, sizeof text);
    return err_set(error, SIMSM_FAILED, "%s", text);
}

bool faults_held_back(const struct gpu *gpu)
{
    if (!gpu->room || !gpu->head)
        return false;
    return gpu->next_tick == SM_NEVER || gpu->idle_ticks > IDLE_TICKS;
}

enum simsm_status faults_report_held(const struct gpu *gpu, struct simsm_error *error)
{
    return err_set(
        error, SIMSM_FAILED,
        "no progress: the dispatcher '%s' holds back since cycle %llu: %llu of %llu blocks "
        "have not been placed, %u places are free, and nothing else can happen",
        gpu->setup.dispatcher->name, (unsigned long long)gpu->last_noted,
        (unsigned long long)(gpu->first->blocks - gpu->first->placed),
        (unsigned long long)gpu->first->blocks, gpu->room);
}
