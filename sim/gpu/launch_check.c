/* The invariants of `--check`: pairs of sums that must be equal. */
#include "base/err.h"
#include "gpu/gpu_state.h"

struct equality {
    const char *what;
    uint64_t left, right;
};

static uint64_t sum(const uint64_t *values, size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += values[i];
    return total;
}

static uint64_t line_issues(const struct gpu *gpu)
{
    uint64_t total = 0;
    for (const struct gpu_grid *grid = gpu->grids; grid; grid = grid->next)
        for (uint32_t i = 0; i < grid->seen.front->code_size; i++)
            total += grid->lines[i].issues;
    return total;
}

static uint64_t line_states(const struct gpu *gpu)
{
    uint64_t total = 0;
    for (const struct gpu_grid *grid = gpu->grids; grid; grid = grid->next)
        for (uint32_t i = 0; i < grid->seen.front->code_size; i++)
            total += sum(grid->lines[i].states, SIMSM_STATE_COUNT);
    return total;
}

enum simsm_status check_invariants(const struct gpu *gpu, struct simsm_error *error)
{
    const struct tally *tally = &gpu->tally;
    const uint64_t *counter = tally->counter;
    uint64_t slots = (uint64_t)gpu->setup.config->sm_warp_slots * gpu->sms;
    uint64_t all_states = sum(tally->states, SIMSM_STATE_COUNT);
    uint64_t active = 0;
    for (uint32_t i = 0; i < gpu->sms; i++)
        active += gpu->sm[i].gap.active;
    bool complete = gpu->over;
    const struct equality equal[] = {
        {"the cycles of all states and the slots' cycles", all_states, slots * gpu->cycles},
        {"cycles in state 'selected' and instructions", tally->states[SIMSM_STATE_ISSUED],
         counter[SIMSM_COUNTER_INST_EXECUTED]},
        {"issues and instructions", counter[SIMSM_COUNTER_ISSUE_ACTIVE],
         counter[SIMSM_COUNTER_INST_EXECUTED]},
        {"instructions by lane count and instructions", sum(tally->lanes, SIMSM_WARP_LANES + 1),
         counter[SIMSM_COUNTER_INST_EXECUTED]},
        {"issues by line and instructions", line_issues(gpu), counter[SIMSM_COUNTER_INST_EXECUTED]},
        {"cycles by line and cycles of occupied slots", line_states(gpu),
         all_states - tally->states[SIMSM_STATE_EMPTY]},
        {"active cycles by blocks and by warps", active, counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE]},
        {"memory requests sent and answered",
         complete ? counter[SIMSM_COUNTER_MEM_REQUESTS_STARTED] : 0,
         complete ? counter[SIMSM_COUNTER_MEM_REQUESTS_DONE] : 0},
    };
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
        if (equal[i].left != equal[i].right)
            return err_set(error, SIMSM_FAILED,
                           "broken invariant at cycle %llu: %s differ: %llu and %llu; please "
                           "report this with the configuration and the trace",
                           (unsigned long long)gpu->cycles, equal[i].what,
                           (unsigned long long)equal[i].left, (unsigned long long)equal[i].right);
    }
    return SIMSM_OK;
}
