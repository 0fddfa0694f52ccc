/* How the cycles of an SM's sub-partitions were spent, for dispatchers that ask. */
#include "core/sm_state.h"

static enum account account_of(const struct sub *sub)
{
    uint64_t neither = sub->alive & ~(sub->memory_pending | sub->synchronizing);
    if (!sub->alive)
        return ACCOUNT_EMPTY;
    if (sub->issued >= 0)
        return ACCOUNT_BUSY;
    return !neither && sub->memory_pending ? ACCOUNT_MEMORY : ACCOUNT_IDLE;
}

static void settle(struct sub *sub, uint64_t cycle)
{
    sub->spent[sub->account] += cycle - sub->accounted;
    sub->accounted = cycle;
}

void account_cycle(struct sm *sm, struct sub *sub)
{
    settle(sub, sm->now);
    sub->account = (uint8_t)account_of(sub);
}

struct sm_account sm_account(struct sm *sm, uint64_t cycle)
{
    struct sm_account sum = {0};
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[i];
        settle(sub, cycle);
        sum.memory += sub->spent[ACCOUNT_MEMORY];
        sum.idle += sub->spent[ACCOUNT_MEMORY] + sub->spent[ACCOUNT_IDLE];
        sum.active += sub->spent[ACCOUNT_BUSY];
    }
    sum.active += sum.idle;
    return sum;
}
