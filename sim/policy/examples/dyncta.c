/*
 * MODEL: dynamic throttling of blocks. Each SM begins with half of the blocks that fit. After each
 * window of cycles it may have one block more if its schedulers were idle for long, or if its warps
 * waited little for memory; one block less if they waited for memory for long.
 * SOURCE: Kayiran, Jog, Kandemir, Das: Neither More Nor Less: Optimizing Thread-level Parallelism
 * for GPGPUs, PACT 2013. Changed: idle and memory cycles are those of sub-partitions and a share of
 * the window instead of a number of cycles. A surplus block is not paused, but not replaced when it
 * ends.
 * LEFT OUT: nothing known.
 */
#include <simsm/policy.h>

enum { WINDOW, IDLE_HIGH, MEMORY_LOW, MEMORY_HIGH };
enum { SMS = 1024 };

struct dyncta {
    double window, idle_high, memory_low, memory_high;
    uint32_t fits, sub_partitions;
    uint32_t turn; /* SM that gets the next block if it has room */
    uint8_t limit[SMS];
};

static void init(void *state, const struct simsm_policy_setup *setup)
{
    struct dyncta *dyncta = state;
    dyncta->window = setup->param[WINDOW];
    dyncta->idle_high = setup->param[IDLE_HIGH];
    dyncta->memory_low = setup->param[MEMORY_LOW];
    dyncta->memory_high = setup->param[MEMORY_HIGH];
    dyncta->fits = setup->blocks_per_sm;
    dyncta->sub_partitions = setup->sub_partitions;
    for (uint32_t i = 0; i < SMS; i++)
        dyncta->limit[i] = (uint8_t)((setup->blocks_per_sm + 1) / 2);
}

static uint32_t pick(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    struct dyncta *dyncta = state;
    (void)freed;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sm = (dyncta->turn + i) % count;
        if (!sms[sm].free_blocks || sms[sm].resident_blocks >= dyncta->limit[sm])
            continue;
        dyncta->turn = (sm + 1) % count;
        return sm;
    }
    return SIMSM_HOLD;
}

static uint64_t tick(void *state, const struct simsm_sm_view *sms, uint32_t count, uint64_t cycle)
{
    struct dyncta *dyncta = state;
    double all = dyncta->window * dyncta->sub_partitions;
    for (uint32_t i = 0; i < count && cycle > 0; i++) {
        double idle = (double)(sms[i].idle - sms[i].memory) / all;
        double memory = (double)sms[i].memory / all;
        if (!sms[i].active)
            continue;
        if (memory > dyncta->memory_high && dyncta->limit[i] > 1)
            dyncta->limit[i]--;
        else if ((idle > dyncta->idle_high || memory < dyncta->memory_low) &&
                 dyncta->limit[i] < dyncta->fits)
            dyncta->limit[i]++;
    }
    return cycle + (uint64_t)dyncta->window;
}

static const struct simsm_policy_param params[] = {
    {"window", "cycles between two changes of the blocks of an SM", SIMSM_PARAM_WHOLE, 2048, 64,
     1000000},
    {"idle_high", "share of idle cycles without waits for memory, above which a block is added",
     SIMSM_PARAM_REAL, 0.5, 0, 1},
    {"memory_low",
     "share of cycles in which all warps wait for memory, below which a block is added",
     SIMSM_PARAM_REAL, 0.1, 0, 1},
    {"memory_high", "the same share, above which a block is taken away", SIMSM_PARAM_REAL, 0.5, 0,
     1},
};

static const struct simsm_dispatcher dispatcher = {
    .name = "dyncta",
    .summary = "as many blocks on each SM as its idle and memory cycles of the last window ask for",
    .state_size = sizeof(struct dyncta),
    .init = init,
    .pick = pick,
    .tick = tick,
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "dyncta",
    .summary = "throttling of blocks (Kayiran et al., PACT 2013)",
    .params = params,
    .dispatchers = &dispatcher,
    .param_count = 4,
    .dispatcher_count = 1,
};
