/*
 * The memory-I/O queue of a sub-partition, its address stage, and the SM's stages behind it.
 *
 * MODEL: instructions wait in order; the address stage takes one per mio.address_interval and keeps
 * it until the SM-wide unit that it needs accepts it. That unit is the load/store stage (memory,
 * shuffles, special registers), the texture unit, or a pipe that the SM has only once (FP64 on
 * consumer parts). Sub-partitions take turns.
 * SOURCE: Huerta et al., MICRO 2025: five loads issue back to back, the sixth 11 cycles after the
 * first, then one per 4 cycles, or per 2 x active sub-partitions where the shared stage binds.
 */
#include "core/sm_state.h"

static void read_later(struct sm *sm, const struct sub *sub, unsigned slot, uint32_t index,
                       uint32_t cycles)
{
    due_add(sm, (struct due){.cycle = sm->now + cycles,
                             .tag = index,
                             .read = true,
                             .sub = (uint8_t)sub->index,
                             .slot = (uint8_t)slot});
}

/* Hands a memory instruction over; false if the memory system cannot take it yet. */
static bool access_memory(struct sm *sm, struct sub *sub, const struct queued *queued,
                          uint64_t *free_at)
{
    const struct inst *inst = &sm->code[queued->inst.index];
    struct lane_addresses addresses;
    sm->ops->addresses(sm->front, sub->stream + (size_t)queued->slot * sm->front->stream_size,
                       &queued->inst, &addresses);
    struct mem_request request = {
        .op = inst->op,
        .width = inst->width,
        .lanes = queued->inst.exec,
        .tag = queued->tag,
        .line = queued->inst.index,
        .addresses = &addresses,
    };
    struct mem_outcome outcome = mem_sm_access(sm->memory, sm->now, &request);
    *free_at = outcome.free_at;
    if (outcome.accepted)
        bus_emit(sm->bus, SIMSM_EVENT_MEM_START, sm->now, sm_slot(sm, sub, queued->slot), inst->op,
                 queued->inst.index);
    return outcome.accepted;
}

static void count_outstanding(struct sm *sm, struct warp *warp, const struct inst *inst)
{
    const struct op_exec *exec = &sm->op.op[inst->op];
    if (exec->path != PATH_MEMORY)
        return;
    if (exec->is_store)
        warp->stores_out++;
    else
        warp->loads_out++;
    if (inst->op == SIMSM_OP_COPY_ASYNC)
        warp->copy_group[warp->copy_group_open]++;
}

/* Ideal and fixed memory: nothing queues; the access begins as the instruction issues. */
static void bypass(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    const struct inst *inst = &sm->code[queued->inst.index];
    if (sm->op.op[inst->op].path == PATH_MEMORY) {
        uint64_t free_at;
        (void)access_memory(sm, sub, queued, &free_at); /* never refused in these grades */
    } else {
        due_add(sm,
                (struct due){.cycle = sm->now + sm->op.op[inst->op].latency, .tag = queued->tag});
    }
    if (sm->use_control_bits)
        read_later(sm, sub, queued->slot, queued->inst.index, 1);
}

static void enqueue(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    sub->queue[(sub->queue_head + sub->queue_count++) % 64] = *queued;
    sm->queued++;
}

void queue_push(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst)
{
    struct queued queued = {
        .leave_at = sm->now + sm->config->mio_queue_latency,
        .inst = *inst,
        .tag = flight_new(sm, sub, slot, inst->index),
        .slot = (uint8_t)slot,
    };
    count_outstanding(sm, &sub->warp[slot], &sm->code[inst->index]);
    if (sm->queue_bypass)
        bypass(sm, sub, &queued);
    else
        enqueue(sm, sub, &queued);
}

/*
 * Each address stage asks again for itself. When it does is only a bound, which may depend on the
 * length of windows; that it is let in in the first cycle in which there is room does not.
 */
static void refused(struct sm *sm, struct sub *sub, uint64_t ask_again)
{
    sub->address_retry = ask_again;
    if (!sub->refused)
        sub->refused_since = sm->now;
    sub->refused = true;
}

/* Offers what the address stage holds to its unit. */
static void offer(struct sm *sm, struct sub *sub)
{
    const struct queued *queued = &sub->address;
    const struct op_exec *exec = &sm->op.op[sm->code[queued->inst.index].op];
    uint64_t *unit_free = &sm->unit_free[exec->stage];
    if (*unit_free > sm->now || sub->address_retry > sm->now)
        return;
    if (exec->path == PATH_MEMORY) {
        uint64_t free_at;
        if (!access_memory(sm, sub, queued, &free_at)) {
            refused(sm, sub, free_at);
            return;
        }
        *unit_free = free_at;
    } else {
        uint32_t front = sm->config->mio_queue_latency + sm->config->mio_address_interval;
        uint32_t rest = exec->latency > front ? exec->latency - front : 1;
        *unit_free = sm->now + exec->interval;
        due_add(sm, (struct due){.cycle = sm->now + rest, .tag = queued->tag});
    }
    TALLY(sm->tally, L1_MSHR_STALLS, sub->refused ? sm->now - sub->refused_since : 0);
    sub->refused = false;
    sub->address_busy = false;
    sm->queued--;
    sm->stage_turn = (sub->index + 1) % sm->subs;
}

static void address_stage(struct sm *sm, struct sub *sub)
{
    if (sub->address_busy || !sub->queue_count || sub->queue[sub->queue_head].leave_at > sm->now)
        return;
    sub->address = sub->queue[sub->queue_head];
    sub->queue_head = (sub->queue_head + 1) % 64;
    sub->queue_count--;
    sub->address_busy = true;
    sub->address_done = sm->now + sm->config->mio_address_interval;
    read_later(sm, sub, sub->address.slot, sub->address.inst.index, sm->config->mio_read_release);
    if (sub->units >> SIMSM_PIPE_COUNT && sub->next > sm->now + 1)
        sub->next = sm->now + 1; /* a warp waits for room in the queue */
}

void queue_cycle(struct sm *sm)
{
    uint32_t first = sm->stage_turn;
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[(first + i) % sm->subs];
        if (sub->address_busy && sub->address_done <= sm->now)
            offer(sm, sub);
        address_stage(sm, sub);
    }
}

uint64_t queue_next(const struct sm *sm)
{
    uint64_t next = SM_NEVER;
    for (uint32_t i = 0; i < sm->subs; i++) {
        const struct sub *sub = &sm->sub[i];
        uint64_t at = SM_NEVER;
        if (sub->address_busy) {
            uint8_t stage = sm->op.op[sm->code[sub->address.inst.index].op].stage;
            uint64_t free_at = sm->unit_free[stage];
            at = sub->address_done > free_at ? sub->address_done : free_at;
            if (sub->address_retry > at)
                at = sub->address_retry;
        } else if (sub->queue_count) {
            at = sub->queue[sub->queue_head].leave_at;
        }
        if (at < next)
            next = at;
    }
    return next;
}
