/*
 * MODEL: the copy engine of an SM (TMA). It takes copies in the order in which they leave the
 * queues of the sub-partitions. A copy begins tma.bulk_latency or tma.tensor_latency after that,
 * when the copy before it has sent all its requests; it then asks for one line of L2 a cycle, or
 * hands one over. Lines pass by L1. A load has landed, and is counted by its barrier, when all
 * lines have come; the shared memory of a store has been read tma.read_latency after its last line
 * has left.
 *
 * SOURCE: H100, cuda/probe/copy_time: 94 bytes a cycle for loads, 32 for stores, 25.6 for
 * reductions, which is what the SM's way to L2 and back carries; rows of 16 bytes take as long as
 * rows of 128.
 *
 * LEFT OUT: reads of tensor maps; conflicts with other accesses to shared memory; what prefetches
 * bring.
 */
#include "core/copy_engine.h"

#include <stdlib.h>

#include "base/check.h"
#include "model/op.h"

enum { PIECE = 16, LINES = 4, NO_COPY = UINT16_MAX };

/* A copy, from its issue until it is done and all its requests have been answered. */
struct copy {
    struct front_part *part; /* [parts]; owned, kept for the next copy */
    uint32_t parts, room;
    uint32_t at, done; /* the part that is sent next, and how much of it has been sent */
    const struct sm_grid *grid;
    uint64_t launched; /* sub.launched of its warp */
    uint64_t start;    /* earliest cycle of its first request */
    uint64_t values;   /* the exchange has executed it by this cycle */
    uint32_t number;   /* front_copy.number */
    uint32_t open;     /* requests without an answer */
    uint32_t between;  /* bytes from shared to shared memory that have not been sent */
    uint16_t targets, target[CLUSTER_BLOCKS]; /* front_copy */
    uint32_t inst;
    uint16_t next; /* in the list of free copies, or of those that wait for the engine */
    uint8_t op, sub, slot, copy_group;
    bool sent; /* all requests */
    bool over; /* it has read its source, or barriers count what it has brought */
    bool told; /* observers know of it */
};

void copy_engine_init(struct sm *sm)
{
    struct copy_engine *engine = &sm->engine;
    engine->next = SM_NEVER;
    engine->first = engine->last = engine->free = NO_COPY;
}

/* Makes room for more copies: a kernel that copies has some at once. */
static bool grow(struct copy_engine *engine)
{
    enum { FIRST = 32 };
    const uint32_t room = engine->room ? 2 * engine->room : FIRST;
    struct copy *grown = room < NO_COPY ? realloc(engine->copy, room * sizeof *grown) : NULL;
    if (!grown)
        return false;
    engine->copy = grown;
    for (uint32_t i = engine->room; i < room; i++) {
        grown[i] = (struct copy){.next = engine->free};
        engine->free = (uint16_t)i;
    }
    engine->room = room;
    return true;
}

void copy_engine_free(struct sm *sm)
{
    for (uint32_t i = 0; i < sm->engine.room; i++)
        free(sm->engine.copy[i].part);
    free(sm->engine.message);
    free(sm->engine.inbox);
    free(sm->engine.copy);
}

/* Keeps the parts of a copy. Returns false if memory runs out. */
static bool keep_parts(struct copy *copy, const struct front_copy *of)
{
    if (copy->room < of->parts) {
        struct front_part *grown = realloc(copy->part, of->parts * sizeof *grown);
        if (!grown)
            return false;
        copy->part = grown;
        copy->room = of->parts;
    }
    for (uint32_t i = 0; i < of->parts; i++)
        copy->part[i] = of->part[i];
    copy->parts = of->parts;
    return true;
}

/* Tells observers of a copy that is issued, unless its number is too large for an event. */
static void tell(const struct sm *sm, uint32_t id)
{
    struct copy *copy = &sm->engine.copy[id];
    copy->told =
        id < BUS_COPIES && op_is_copy(copy->op) && bus_wants(sm->bus, SIMSM_EVENT_COPY_START);
    if (!copy->told)
        return;
    const uint32_t slot = sm_slot(sm, &sm->sub[copy->sub], copy->slot);
    uint32_t bytes = copy->between;
    for (uint32_t i = 0; i < copy->parts; i++)
        bytes += copy->part[i].bytes;
    bus_emit(sm->bus, SIMSM_EVENT_WORK_SIZE, sm->now, slot, copy->targets, bytes);
    bus_emit(sm->bus, SIMSM_EVENT_COPY_START, sm->now, slot, id, copy->inst);
}

uint32_t copy_engine_note(struct sm *sm, const struct sub *sub, unsigned slot,
                          const struct warp_inst *inst)
{
    struct copy_engine *engine = &sm->engine;
    const struct warp *warp = &sub->warp[slot];
    if (engine->free == NO_COPY && !grow(engine)) {
        sm->no_memory = true;
        return NO_COPY;
    }
    const uint32_t id = engine->free;
    struct copy *copy = &engine->copy[id];
    struct front_copy of = {0};
    engine->free = copy->next;
    if (warp->grid->ops->copy)
        warp->grid->ops->copy(warp->grid->front, slot_cursor(sm, sub, slot), inst, &of);
    sm->no_memory |= !keep_parts(copy, &of);
    TALLY(sm->tally, TMA_LD_BYTES, of.filled);
    *copy = (struct copy){.part = copy->part,
                          .parts = sm->no_memory ? 0 : copy->parts,
                          .room = copy->room,
                          .grid = warp->grid,
                          .launched = sub->launched[slot],
                          .values = sm->now + sm->setup->least_answer,
                          .number = of.number,
                          .between = of.between,
                          .targets = (uint16_t)of.targets,
                          .inst = inst->index,
                          .next = NO_COPY,
                          .op = warp->code[inst->index].op,
                          .sub = (uint8_t)sub->index,
                          .slot = (uint8_t)slot,
                          .copy_group = warp->copy_group_open};
    for (uint32_t i = 0; i < of.targets; i++)
        copy->target[i] = of.target[i];
    tell(sm, id);
    return id;
}

bool copy_engine_has_room(const struct sm *sm)
{
    return sm->engine.taken < sm->config->tma_queue;
}

void copy_engine_take(struct sm *sm, uint32_t id)
{
    struct copy_engine *engine = &sm->engine;
    if (id == NO_COPY)
        return; /* memory has run out */
    struct copy *copy = &engine->copy[id];
    const struct inst *inst = &copy->grid->code[copy->inst];
    copy->start =
        sm->now + (inst->by_map ? sm->config->tma_tensor_latency : sm->config->tma_bulk_latency);
    if (engine->first == NO_COPY)
        engine->first = (uint16_t)id;
    else
        engine->copy[engine->last].next = (uint16_t)id;
    engine->last = (uint16_t)id;
    engine->taken++;
    engine->next = least(engine->next, copy->start);
}

/* Gives the entry of a copy that is done back. */
static void release(struct sm *sm, uint32_t id)
{
    struct copy_engine *engine = &sm->engine;
    struct copy *copy = &engine->copy[id];
    if (copy->open || !copy->over)
        return;
    if (copy->told)
        bus_emit(sm->bus, SIMSM_EVENT_COPY_END, sm->now, 0, id, 0);
    copy->next = engine->free;
    engine->free = (uint16_t)id;
    engine->taken--;
}

/* Counts what a copy or message of SM `from` has brought to this SM. `copy`: of a copy of this SM
 * that observers know, its number in events. */
static void count_at_barriers(struct sm *sm, const struct sm_grid *grid, uint32_t from,
                              uint32_t number, uint32_t copy)
{
    if (grid->ops->copied)
        grid->ops->copied(grid->front, sm->index, from, number);
    phase_landed(sm, copy);
}

static void send_to(struct sm *sm, const struct copy *copy, uint32_t to, uint64_t cycle)
{
    struct copy_engine *engine = &sm->engine;
    if (engine->messages == engine->message_room) {
        const uint32_t room = engine->message_room ? 2 * engine->message_room : 64;
        struct sm_message *grown = realloc(engine->message, room * sizeof *grown);
        if (!grown) {
            sm->no_memory = true;
            return;
        }
        engine->message = grown;
        engine->message_room = room;
    }
    engine->message[engine->messages++] =
        (struct sm_message){cycle, copy->grid, copy->number, (uint16_t)to};
}

const struct sm_message *sm_take_messages(struct sm *sm, uint32_t *count)
{
    *count = sm->engine.messages;
    sm->engine.messages = 0;
    return sm->engine.message;
}

/* Returns a free entry of the inbox, or UINT32_MAX: out of memory. */
static uint32_t take_entry(struct copy_engine *engine)
{
    uint32_t entry = 0;
    while (entry < engine->inbox_room && engine->inbox[entry].grid)
        entry++;
    if (entry < engine->inbox_room)
        return entry;
    const uint32_t room = engine->inbox_room ? 2 * engine->inbox_room : 16;
    struct inbox *grown = realloc(engine->inbox, room * sizeof *grown);
    if (!grown)
        return UINT32_MAX;
    for (uint32_t i = engine->inbox_room; i < room; i++)
        grown[i].grid = NULL;
    engine->inbox = grown;
    engine->inbox_room = room;
    return entry;
}

void sm_deliver(struct sm *sm, uint32_t from, const struct sm_message *message)
{
    const uint32_t entry = take_entry(&sm->engine);
    if (entry == UINT32_MAX) {
        sm->no_memory = true;
        return;
    }
    sm->engine.inbox[entry] = (struct inbox){message->grid, from, message->number};
    due_add_message(sm, message->cycle, from, message->number, entry);
    sm->next = least(sm->next, message->cycle);
}

void copy_engine_receive(struct sm *sm, uint32_t entry)
{
    const struct inbox message = sm->engine.inbox[entry];
    sm->engine.inbox[entry].grid = NULL;
    sm->last_answer = sm->now;
    count_at_barriers(sm, message.grid, message.from, message.number, BUS_COPIES);
}

/* What a copy brings to the SMs that it reaches will be there `latency` cycles from now. */
static void tell_targets(struct sm *sm, const struct copy *copy, uint32_t latency)
{
    for (uint32_t i = 0; i < copy->targets; i++)
        if (copy->target[i] != sm->index)
            send_to(sm, copy, copy->target[i], sm->now + latency);
}

/* Returns whether barriers of this SM count the copy. */
static bool counts_here(const struct sm *sm, const struct copy *copy)
{
    bool here = !copy->targets;
    for (uint32_t i = 0; i < copy->targets; i++)
        here |= copy->target[i] == sm->index;
    return here;
}

void copy_engine_send_message(struct sm *sm, uint32_t id)
{
    struct copy_engine *engine = &sm->engine;
    if (id == NO_COPY)
        return; /* memory has run out */
    struct copy *copy = &engine->copy[id];
    tell_targets(sm, copy, sm->config->cluster_message_latency);
    if (counts_here(sm, copy)) { /* to itself, by its address in the cluster */
        engine->taken++;
        copy->op = SIMSM_OP_TMA_LOAD;
        copy->targets = 0;
        due_add_copy(sm, sm->now + sm->config->cluster_message_latency, id);
        return;
    }
    copy->next = engine->free;
    engine->free = (uint16_t)id;
}

/* All that a load brings has come. What lies outside of a tensor comes without a request. */
static void land(struct sm *sm, uint32_t id)
{
    const struct copy *copy = &sm->engine.copy[id];
    if (copy->between) { /* to another SM */
        due_add_copy(sm, sm->engine.busy_until + sm->config->cluster_copy_latency, id);
        return;
    }
    const uint64_t at = sm->now + sm->config->tma_landed_latency;
    due_add_copy(sm, at > copy->values ? at : copy->values, id);
}

/* The copy has sent all its requests; the next one can begin. */
static void finish(struct sm *sm, uint32_t id)
{
    struct copy_engine *engine = &sm->engine;
    struct copy *copy = &engine->copy[id];
    engine->first = copy->next;
    copy->sent = true;
    if (copy->op != SIMSM_OP_TMA_LOAD)
        due_add_copy(sm, engine->busy_until + sm->config->tma_read_latency, id);
    else if (!copy->open)
        land(sm, id);
}

/* Collects lanes of 16 bytes for the next request: at most four lines. Returns the lines. */
static uint32_t collect(const struct copy *copy, uint32_t line_bytes, struct mem_request *request,
                        struct lane_addresses *addresses)
{
    uint32_t lines = 0, lane = 0, at = copy->at, done = copy->done;
    uint64_t line = 0;
    addresses->affine = true;
    addresses->stride = PIECE;
    for (; lane < SIMSM_WARP_LANES && at < copy->parts; lane++) {
        const uint64_t address = copy->part[at].address + done;
        if (!lines || address / line_bytes != line) {
            if (lines == LINES)
                break;
            lines++;
            line = address / line_bytes;
        }
        if (!lane)
            addresses->base = address;
        addresses->affine = addresses->affine && address == addresses->base + lane * PIECE;
        addresses->lane[lane] = address;
        done += PIECE;
        if (done >= copy->part[at].bytes) {
            at++;
            done = 0;
        }
    }
    request->lanes = lane == SIMSM_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lane) - 1;
    return lines;
}

/* Goes on by `pieces`. */
static void advance(struct copy *copy, uint32_t pieces)
{
    for (; pieces; pieces--) {
        copy->done += PIECE;
        if (copy->done < copy->part[copy->at].bytes)
            continue;
        copy->at++;
        copy->done = 0;
    }
}

/* Returns the cycles for which a request keeps the engine: a load asks for one line a cycle; the
 * data of a store or reduction leave through the SM's port. */
static uint32_t cycles_of(const struct sm *sm, const struct copy *copy, uint32_t lines,
                          uint32_t pieces)
{
    if (copy->op == SIMSM_OP_TMA_LOAD)
        return lines;
    const uint32_t more =
        copy->op == SIMSM_OP_TMA_REDUCE ? lines * sm->config->xbar_atomic_bytes : 0;
    const uint32_t rate = sm->config->xbar_request_bytes;
    return (pieces * PIECE + more + rate - 1) / rate;
}

/* Sends a request of the copy that is first. Returns the cycle of the next attempt. */
static uint64_t send(struct sm *sm, uint32_t id)
{
    struct copy *copy = &sm->engine.copy[id];
    struct lane_addresses addresses;
    struct mem_request request = {.op = copy->op,
                                  .width = PIECE,
                                  .tag = COPY_TAG | id,
                                  .past_l1 = true,
                                  .beside = true,
                                  .of_system = copy->targets > 1, /* no other read merges with it */
                                  .addresses = &addresses};
    const uint32_t lines = collect(copy, sm->config->l1_line_bytes, &request, &addresses);
    const uint64_t room =
        mem_sm_lines_free(sm->memory, sm->now, copy->op == SIMSM_OP_TMA_LOAD ? lines : 0);
    if (room > sm->now)
        return room;
    const struct mem_outcome outcome = mem_sm_access(sm->memory, sm->now, &request);
    if (!outcome.accepted)
        return outcome.free_at;
    const uint32_t pieces = (uint32_t)__builtin_popcount(request.lanes);
    advance(copy, pieces);
    copy->open++;
    return sm->now + cycles_of(sm, copy, lines, pieces);
}

/* Copies to shared memory of another block of the cluster. Returns the cycle at which the way is
 * free. */
static uint64_t copy_between(struct sm *sm, const struct copy *copy)
{
    return mem_sm_send_remote(sm->memory, sm->now, copy->between);
}

void copy_engine_cycle(struct sm *sm)
{
    struct copy_engine *engine = &sm->engine;
    engine->next = SM_NEVER;
    while (engine->first != NO_COPY) {
        const uint32_t id = engine->first;
        const struct copy *copy = &engine->copy[id];
        const uint64_t from = copy->start > engine->busy_until ? copy->start : engine->busy_until;
        if (from > sm->now) {
            engine->next = from;
            return;
        }
        if (copy->at < copy->parts)
            engine->busy_until = send(sm, id);
        if (copy->at < copy->parts)
            continue;
        if (copy->between)
            engine->busy_until = copy_between(sm, copy);
        finish(sm, id);
    }
}

void copy_engine_answer(struct sm *sm, uint32_t id)
{
    struct copy *copy = &sm->engine.copy[id];
    SIMSM_CHECK(copy->open != 0, "copy %u: no request is open", id);
    copy->open--;
    sm->last_answer = sm->now;
    if (copy->op == SIMSM_OP_TMA_LOAD && copy->sent && !copy->open)
        land(sm, id);
    else
        release(sm, id);
}

void copy_engine_done(struct sm *sm, uint32_t id)
{
    struct copy *copy = &sm->engine.copy[id];
    struct sub *sub = &sm->sub[copy->sub];
    struct warp *warp = &sub->warp[copy->slot];
    copy->over = true;
    sm->last_answer = sm->now;
    if (copy->op == SIMSM_OP_TMA_LOAD) {
        tell_targets(sm, copy, sm->config->cluster_multicast_latency);
        if (counts_here(sm, copy))
            count_at_barriers(sm, copy->grid, sm->index, copy->number,
                              copy->told ? id : BUS_COPIES);
    } else if (warp->alive && sub->launched[copy->slot] == copy->launched) {
        warp->copy_group[copy->copy_group]--;
        warp->deps_known = false;
        slot_refresh(sm, sub, copy->slot);
        sub->next = sm->now;
    }
    release(sm, id);
}
