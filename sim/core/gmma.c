/*
 * MODEL: products of warp groups (wgmma). Each warp gives its 16 rows to the tensor core of its
 * sub-partition, which takes one product after another; the warp goes on. A product takes time for
 * its columns; with A in shared memory at least the time to read A and B, 128 bytes a cycle. Groups
 * end in order. A product waits until the four warps of the group have come to WARPGROUP.ARRIVE.
 * The tensor core has a queue: a further product issues when one has left it.
 *
 * SOURCE: H100, cuda/probe/gmma and sparse_time. Types, swizzles and the depth make no difference,
 * as all have 32 bytes of a row. With sparse A, a column of B has 64 bytes, which take longer to
 * read, but not to multiply. Clocks and uniform loads issue behind WARPGROUP.ARRIVE, which itself
 * issues while its warp waits at a barrier of the block.
 *
 * While a product runs, it takes the registers' ports in some cycles if its sums have 32 bits, and
 * shared memory for its operands: others get the rest (cuda/probe/gmma_beside).
 *
 * LEFT OUT: products are not slowed by what runs beside them (FFMA of three registers doubles their
 * time on an H100), nor global loads and copies by them. Products of integers end 2 cycles earlier.
 * Which of several warp groups comes first; HMMA beside products of warp groups.
 */
#include "core/gmma.h"

/* Cycles over which products and other instructions share the dispatch port. */
enum { DISPATCH_PERIOD = 4 };

/* Returns the cycles for which shared memory is read for a product. */
static uint32_t shared_cycles(const struct simsm_config *config, const struct inst *inst)
{
    const uint32_t read = inst->columns * (inst->sparse ? 2u : 1u); /* columns of 32 bytes */
    return (inst->a_shared ? config->gmma_shared_a : 0) + read / config->gmma_shared_columns;
}

/* Returns the cycles until the tensor core takes the next product. */
static uint32_t interval_of(const struct simsm_config *config, const struct inst *inst)
{
    const uint32_t columns = inst->columns / config->gmma_columns;
    const uint32_t shared = inst->a_shared ? shared_cycles(config, inst) : 0;
    const uint32_t interval = columns > shared ? columns : shared;
    const uint32_t least = inst->sparse ? config->gmma_sparse_least : config->gmma_least;
    return interval > least ? interval : least;
}

bool gmma_needs_group(uint8_t op)
{
    return op == SIMSM_OP_GMMA || op == SIMSM_OP_GMMA_ARRIVE || op == SIMSM_OP_EXIT;
}

void gmma_arrive(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    struct sm_block *block = &sm->block[warp->place];
    const uint32_t group = warp->in_block / GROUP_WARPS, first = group * GROUP_WARPS;
    const uint32_t left = block->warps - first, size = left < GROUP_WARPS ? left : GROUP_WARPS;
    warp->group_waiting = warp->held = true;
    if (++block->met[group] < size)
        return;
    block->met[group] = 0;
    for (uint32_t i = first; i < first + size; i++) {
        struct sub *other = &sm->sub[block->slot[i] / MAX_SLOTS];
        const unsigned at = block->slot[i] % MAX_SLOTS;
        other->warp[at].group_waiting = false;
        other->warp[at].group_until = sm->now + sm->op.op[SIMSM_OP_GMMA_ARRIVE].latency;
        slot_refresh(sm, other, at);
    }
}

/* Notes a product in the queue; the next one waits until there is room. */
static void enter_queue(struct sub *sub, const struct simsm_config *config, uint64_t read)
{
    const uint32_t number = sub->products++;
    sub->product_read[number % PRODUCT_QUEUE] = read;
    if (number + 1 < config->gmma_queue)
        return;
    uint64_t *pipe = &sub->pipe_free[SIMSM_PIPE_TENSOR];
    const uint64_t room = sub->product_read[(number + 1 - config->gmma_queue) % PRODUCT_QUEUE];
    *pipe = room > *pipe ? room : *pipe;
}

/* Tells observers of a product that begins at `start`. */
static void tell(const struct sm *sm, const struct sub *sub, const struct warp *warp,
                 const struct inst *inst, uint64_t start)
{
    if (!bus_wants(sm->bus, SIMSM_EVENT_PRODUCT))
        return;
    const uint32_t slot = sm_slot(sm, sub, (unsigned)(warp - sub->warp));
    const uint32_t before = (uint32_t)least(start - sm->now, UINT16_MAX);
    const uint32_t cycles = (uint32_t)least(warp->product_done - start, UINT16_MAX);
    bus_emit(sm->bus, SIMSM_EVENT_WORK_SIZE, sm->now, slot, 0, before << 16 | cycles);
    bus_emit(sm->bus, SIMSM_EVENT_PRODUCT, sm->now, slot, 0, (uint32_t)(inst - warp->code));
}

/* Notes that a product reads shared memory from `start` on. Those before it are taken to read as
 * much as it does. */
static void claim_shared(struct sm *sm, const struct inst *inst, uint64_t start)
{
    struct shared_claim *claim = &sm->claim;
    claim->interval = interval_of(sm->config, inst);
    claim->until = start + claim->interval;
    claim->used = shared_cycles(sm->config, inst);
}

uint32_t gmma_leaves_shared(struct sm *sm, uint32_t cycles)
{
    struct shared_claim *claim = &sm->claim;
    if (sm->now >= claim->until)
        return cycles;
    const uint32_t span = (uint32_t)(claim->until - sm->now);
    const uint32_t left = claim->used < claim->interval ? claim->interval - claim->used : 0;
    if ((uint64_t)cycles * claim->interval >= (uint64_t)span * left)
        return span + cycles - (uint32_t)((uint64_t)span * left / claim->interval);
    claim->rest += cycles * claim->interval;
    const uint32_t taken = claim->rest / left;
    claim->rest %= left;
    return taken;
}

void gmma_issue(struct sm *sm, struct sub *sub, struct warp *warp, const struct inst *inst)
{
    const struct simsm_config *config = sm->config;
    const uint64_t start = sub->product_free > sm->now ? sub->product_free : sm->now;
    const uint32_t shared = inst->a_shared ? config->gmma_shared_latency : 0;
    sub->product_free = start + interval_of(config, inst);
    TALLY(sm->tally, GMMA_INST, 1);
    TALLY(sm->tally, GMMA_CYCLES, inst->columns / config->gmma_columns);
    if (!inst->half_sums) /* those with sums of 16 bits before it count as well */
        sub->sums_until = sub->product_free;
    if (sub->index == 0) /* the four warps of a group read B together */
        claim_shared(sm, inst, start);
    enter_queue(sub, config, start + shared + config->gmma_read);
    warp->product_done =
        start + shared + config->gmma_latency + inst->columns / config->gmma_columns;
    tell(sm, sub, warp, inst, start);
    if (inst->closes_group)
        warp->group_done[warp->product_groups++ % PRODUCT_GROUPS] = warp->product_done;
}

uint64_t gmma_leaves_dispatch(const struct sub *sub, const struct simsm_config *config,
                              uint64_t now)
{
    if (now >= sub->sums_until || now % DISPATCH_PERIOD < config->gmma_dispatch_slots)
        return now;
    const uint64_t next = (now / DISPATCH_PERIOD + 1) * DISPATCH_PERIOD;
    return next < sub->sums_until ? next : sub->sums_until;
}

uint64_t gmma_group_done(const struct warp *warp, unsigned outstanding)
{
    if (warp->product_groups <= outstanding || outstanding >= PRODUCT_GROUPS)
        return 0;
    return warp->group_done[(warp->product_groups - outstanding - 1) % PRODUCT_GROUPS];
}
