#include "exec/async/arrivals.h"

#include <string.h>

#include "base/check.h"
#include "exec/async/mbarrier.h"
#include "exec/control/fault.h"

struct arrival {
    struct exec_slot *slot;
    const struct exec_step *step;
    uint32_t lanes; /* that have yet to count */
    uint64_t address[EXEC_LANES];
};

static uint32_t arrivals_of(const struct exec_block *block)
{
    return (uint32_t)(block->arrivals.size / sizeof(struct arrival));
}

static struct arrival *arrival_at(const struct exec_block *block, uint32_t i)
{
    return (struct arrival *)(void *)block->arrivals.data + i;
}

void arrivals_note(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    struct exec_block *block = slot->warp->block;
    struct arrival arrival = {.slot = slot, .step = step, .lanes = lanes};
    memcpy(arrival.address, block->grid->addresses.lane, sizeof arrival.address);
    buffer_add(&block->arrivals, &arrival, sizeof arrival);
    if (block->arrivals.failed)
        exec_stop(block->grid, SIMSM_FAILED, "out of memory for arrivals at barriers");
}

void arrivals_count(struct exec_slot *slot, const struct exec_step *step, uint64_t address,
                    uint32_t lanes)
{
    struct exec_block *block = slot->warp->block;
    const uint32_t count = arrivals_of(block), lane = (uint32_t)__builtin_ctz(lanes);
    uint32_t i = 0;
    for (; i < count; i++) {
        const struct arrival *arrival = arrival_at(block, i);
        if (arrival->slot == slot && arrival->step == step && !(lanes & ~arrival->lanes) &&
            arrival->address[lane] == address)
            break;
    }
    SIMSM_CHECK(i < count, "no arrival at 0x%llx is under way", (unsigned long long)address);
    struct arrival *arrival = arrival_at(block, i);
    exec_arrive_later(slot, step, address, lanes);
    arrival->lanes &= ~lanes;
    if (arrival->lanes)
        return;
    memmove(arrival, arrival + 1, (count - i - 1) * sizeof *arrival);
    block->arrivals.size -= sizeof *arrival;
}

void arrivals_count_all(struct exec_block *block)
{
    while (block->arrivals.size) {
        const struct arrival *first = arrival_at(block, 0);
        const uint32_t lane = (uint32_t)__builtin_ctz(first->lanes);
        arrivals_count(first->slot, first->step, first->address[lane], UINT32_C(1) << lane);
    }
}
