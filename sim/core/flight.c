/*
 * MODEL: instructions in flight and their completions; a heap holds the completions whose cycle is
 * known in advance. A warp that ends waits until its loads are answered and its stores and
 * reductions have left the SM, not for the answers to the stores.
 * SOURCE: H200, own measurement: cuda/calib/launch (a store makes a launch 53 cycles longer),
 * cuda/calib/leave; Nsight Compute: 20 cycles of drain.
 * LEFT OUT: a store that finds its way to L2 full stays in the SM.
 */
#include "base/check.h"
#include "core/copy_engine.h"
#include "core/sm_state.h"

uint32_t flight_new(struct sm *sm, struct sub *sub, unsigned slot, uint32_t inst)
{
    uint32_t tag = sm->flight_free;
    SIMSM_CHECK(tag != NO_FLIGHT, "all %d instructions are in flight", FLIGHTS);
    struct in_flight *flight = &sm->flight[tag];
    sm->flight_free = flight->next;
    struct warp *warp = &sub->warp[slot];
    warp->flights++;
    *flight = (struct in_flight){
        .launched = sub->launched[slot],
        .inst = inst,
        .op = warp->code[inst].op,
        .sub = (uint8_t)sub->index,
        .slot = (uint8_t)slot,
        .copy_group = warp->copy_group_open,
        .level = SIMSM_LEVEL_SHARED,
        .is_memory = sm->op.op[warp->code[inst].op].path == PATH_MEMORY,
    };
    return tag;
}

void flight_waits_for_exchange(struct sm *sm, uint32_t tag)
{
    sm->flight[tag].late = true;
    sm->flight[tag].exchange = sm->setup->exchanges + 1;
}

/* A warp must not read a register before its value is there. */
static void check_values(const struct sm *sm, const struct in_flight *flight)
{
    SIMSM_CHECK(
        !flight->late || (int32_t)(sm->setup->exchanges - flight->exchange) >= 0,
        "SM %u, cycle %llu: instruction %u is answered before exchange %u gives it its values",
        sm->index, (unsigned long long)sm->now, flight->inst, flight->exchange);
}

/* Returns whether flights keep an ended warp from draining. */
bool flights_hold(const struct warp *warp)
{
    return warp->flights > warp->sent;
}

static void account_memory(struct sm *sm, struct warp *warp, const struct in_flight *flight)
{
    warp->sent -= flight->sent;
    uint32_t *out = sm->op.op[flight->op].is_store ? &warp->stores_out : &warp->loads_out;
    SIMSM_CHECK(*out != 0, "slot %u: no access is open", flight->slot);
    (*out)--;
    if (flight->op == SIMSM_OP_COPY_ASYNC) {
        warp->copy_group[flight->copy_group]--;
        phase_copied(sm, &sm->sub[flight->sub], flight->slot);
    }
    if (!warp->fence_waiting || warp->loads_out + warp->stores_out != 0)
        return;
    const uint64_t after_answers = sm->now + warp->fence_cycles;
    warp->fence_until += mem_sm_fence(sm->memory);
    if (warp->fence_until < after_answers)
        warp->fence_until = after_answers;
}

/* Counts one answer or completion of a warp. The warp is gone when it has ended and the last one
 * has come. */
static void count_return(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    SIMSM_CHECK(warp->flights != 0, "slot %u: nothing is in flight", slot);
    warp->flights--;
    if (warp->draining && !flights_hold(warp))
        warp_drained(sm, sub, slot);
    else
        slot_refresh(sm, sub, slot);
    sub->next = sm->now;
}

void flight_done(struct sm *sm, uint32_t tag, uint8_t level)
{
    struct in_flight *flight = &sm->flight[tag];
    struct sub *sub = &sm->sub[flight->sub];
    unsigned slot = flight->slot;
    struct warp *warp = &sub->warp[slot];
    bool gone = !warp->alive || sub->launched[slot] != flight->launched;
    if (flight->phase && !phase_answer(sm, tag))
        return;
    check_values(sm, flight);
    if (flight->is_memory)
        bus_emit(sm->bus, SIMSM_EVENT_MEM_DONE, sm->now, sm_slot(sm, sub, slot), level,
                 flight->inst);
    if (flight->is_memory && !gone)
        account_memory(sm, warp, flight);
    if (op_closes_group(flight->op) && !gone)
        warp->copy_group[flight->copy_group]--;
    if (!gone && !depend_ignores(sm, flight->op))
        depend_done(sub, slot, flight->inst);
    sm->last_answer = sm->now;
    if (sm->op.op[flight->op].is_posted)
        sm->last_store = sm->now;
    for (uint32_t i = 0; sm->flight_free == NO_FLIGHT && i < sm->subs; i++)
        sm->sub[i].next = sm->now; /* any sub-partition may have waited for this entry */
    flight->next = sm->flight_free;
    sm->flight_free = tag;
    if (!gone)
        count_return(sm, sub, slot);
}

static bool due_before(const struct due *a, const struct due *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

/* Schedules an event at `cycle`. Returns its entry, which the caller completes. */
static struct due *due_place(struct sm *sm, uint64_t cycle)
{
    SIMSM_CHECK(sm->due_count < DUE_MAX, "%u completions are due", sm->due_count);
    const struct due due = {.cycle = cycle, .order = sm->due_order++};
    uint32_t i = sm->due_count++;
    while (i > 0 && due_before(&due, &sm->due[(i - 1) / 2])) {
        sm->due[i] = sm->due[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    sm->due[i] = due;
    return &sm->due[i];
}

/* Messages come after everything else of a cycle, in an order of their own: when they are scheduled
 * depends on windows. */
void due_add_message(struct sm *sm, uint64_t cycle, uint32_t from, uint32_t number, uint32_t entry)
{
    const uint64_t order = sm->due_order;
    sm->due_order = UINT64_C(1) << 63 | (uint64_t)from << 32 | number;
    struct due *due = due_place(sm, cycle);
    sm->due_order = order;
    due->kind = DUE_MESSAGE;
    due->tag = entry;
}

void due_add_copy(struct sm *sm, uint64_t cycle, uint32_t copy)
{
    struct due *due = due_place(sm, cycle);
    due->kind = DUE_COPY;
    due->tag = copy;
}

uint64_t due_reserve(struct sm *sm)
{
    return sm->due_order++;
}

void due_add_reserved(struct sm *sm, uint64_t cycle, uint32_t tag, uint64_t order)
{
    const uint64_t next = sm->due_order;
    sm->due_order = order;
    due_add(sm, cycle, tag);
    sm->due_order = next;
}

void due_add(struct sm *sm, uint64_t cycle, uint32_t tag)
{
    due_place(sm, cycle)->tag = tag;
}

/* Schedules an event of a warp that belongs to no entry of `flight`. */
static struct due *due_of_warp(struct sm *sm, uint64_t cycle, const struct sub *sub, unsigned slot)
{
    struct due *due = due_place(sm, cycle);
    due->sub = (uint8_t)sub->index;
    due->slot = (uint8_t)slot;
    sub->warp[slot].flights++;
    return due;
}

void due_add_read(struct sm *sm, uint64_t cycle, const struct sub *sub, unsigned slot,
                  uint32_t inst)
{
    struct due *due = due_of_warp(sm, cycle, sub, slot);
    due->kind = DUE_READ;
    due->tag = inst;
}

/* Notes that the load/store stage has taken a store. Its warp may end mio.store_release cycles
 * later. */
void flight_sent(struct sm *sm, uint32_t tag)
{
    struct in_flight *flight = &sm->flight[tag];
    flight->sent = true;
    sm->sub[flight->sub].warp[flight->slot].sent++;
    due_of_warp(sm, sm->now + sm->config->mio_store_release, &sm->sub[flight->sub], flight->slot)
        ->kind = DUE_SENT;
}

static struct due due_take(struct sm *sm)
{
    struct due first = sm->due[0], last = sm->due[--sm->due_count];
    uint32_t n = sm->due_count, i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= n)
            break;
        if (child + 1 < n && due_before(&sm->due[child + 1], &sm->due[child]))
            child++;
        if (!due_before(&sm->due[child], &last))
            break;
        sm->due[i] = sm->due[child];
        i = child;
    }
    sm->due[i] = last;
    return first;
}

static void sources_read(struct sm *sm, const struct due *due)
{
    struct sub *sub = &sm->sub[due->sub];
    struct warp *warp = &sub->warp[due->slot];
    depend_read(sub, due->slot, due->tag);
    bool matters = warp->own == SIMSM_STATE_SHORT_SCOREBOARD ||
                   warp->own == SIMSM_STATE_LONG_SCOREBOARD || warp->draining;
    if (matters)
        count_return(sm, sub, due->slot);
    else
        warp->flights--;
}

void due_run(struct sm *sm)
{
    while (sm->due_count && sm->due[0].cycle <= sm->now) {
        struct due due = due_take(sm);
        switch ((enum due_kind)due.kind) {
        case DUE_DONE:
            flight_done(sm, due.tag, sm->flight[due.tag].level);
            break;
        case DUE_READ:
            sources_read(sm, &due);
            break;
        case DUE_SENT:
            count_return(sm, &sm->sub[due.sub], due.slot);
            break;
        case DUE_COPY:
            copy_engine_done(sm, due.tag);
            break;
        case DUE_MESSAGE:
            copy_engine_receive(sm, due.tag);
            break;
        }
    }
}
