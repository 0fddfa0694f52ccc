/*
 * MODEL: the grade fast, the SM's half. L1 has eight ways and LRU replacement. A load of sectors on
 * their way waits for the packet that brings them. At most l1.mshrs lines of loads and
 * xbar.stores_in_flight sectors of stores are under way. The port towards L2 has the rate and the
 * packet sizes of the grade full.
 * SOURCE: own choice, a simplification of global.c, mshr.c and stores.c.
 * LEFT OUT: MSHRs, the store buffer, parts of sectors in L1.
 */
#include "mem/fast_sm.h"

#include <stdlib.h>

#include "base/check.h"
#include "mem/coalesce.h"
#include "mem/mem_sm.h"

/* Cycles that the port may be behind before the stage holds back. */
enum { BACKLOG = 64 };

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool fast_sm_init(struct fast_sm *fast, struct arena *arena, const struct simsm_config *config,
                  uint32_t shared_bytes, uint64_t window)
{
    const uint32_t total = config->sm_l1_shared_bytes;
    const uint32_t bytes =
        total > shared_bytes ? (total - shared_bytes) * timing_l1_times(config) : 0;
    const uint32_t per_cycle = config->xbar_request_bytes / SECTOR_BYTES + 1;
    fast->limit = config->l1_mshrs;
    fast->way_out.rate = config->xbar_request_bytes;
    fast->reply.rate = config->xbar_reply_bytes;
    fast->room = 64;
    while (fast->room < (window + BACKLOG) * per_cycle + 2 * COALESCE_LINES)
        fast->room *= 2;
    /* Lines pass at this rate, and a packet can be joined until a window has served it. */
    const uint32_t joins =
        (uint32_t)(window + BACKLOG) * config->l1_tags_per_cycle + 2 * COALESCE_LINES;
    fast->packet = arena_take(arena, fast->room, sizeof *fast->packet);
    fast->join = arena_take(arena, joins, sizeof *fast->join);
    fast->land = arena_take(arena, FAST_STEPS, sizeof *fast->land);
    fast->arrival = arena_take(arena, FAST_ARRIVALS, sizeof *fast->arrival);
    if (fast->packet == NULL || fast->join == NULL || fast->land == NULL || fast->arrival == NULL ||
        !ids_init(&fast->joins, arena, joins))
        return false;
    (void)ids_take(&fast->joins); /* 0 means none */
    return fast_cache_init(&fast->l1, arena, bytes, config->l1_line_bytes);
}

/* Subtracts the lines that have arrived by `now` from the lines under way. */
static void drain(struct fast_sm *fast, uint64_t now)
{
    for (; fast->drained < now / FAST_STEP; fast->drained++) {
        uint16_t *land = &fast->land[fast->drained % FAST_STEPS];
        SIMSM_CHECK(fast->flying >= *land, "%u lines are under way, %u arrive", fast->flying,
                    *land);
        fast->flying -= *land;
        *land = 0;
        if (fast->flying == 0)
            fast->drained = now / FAST_STEP - 1;
    }
}

/* Returns the cycle at which at most `most` lines are under way, as far as answers are known; else
 * MEM_NEVER. */
static uint64_t flying_falls_to(const struct fast_sm *fast, uint32_t most)
{
    uint32_t left = fast->flying;
    for (uint64_t step = fast->drained; step < fast->drained + FAST_STEPS; step++) {
        left -= fast->land[step % FAST_STEPS];
        if (left <= most)
            return (step + 1) * FAST_STEP;
    }
    return MEM_NEVER;
}

uint64_t fast_next_unknown(const struct mem_sm *sm)
{
    const struct fast_sm *fast = &sm->fast;
    if (fast->head == fast->tail)
        return MEM_NEVER;
    /* A store is accepted when it comes to L2. */
    return max_u64(fast->served_until, fast_next_packet(fast)->leaves) + sm->timing->xbar_latency;
}

uint64_t fast_room_at(struct mem_sm *sm, uint64_t now, bool stores)
{
    struct fast_sm *fast = &sm->fast;
    const struct requests *requests = &sm->requests;
    uint64_t room = now;
    drain(fast, now);
    if (fast->way_out.cycle > now + BACKLOG)
        room = fast->way_out.cycle - BACKLOG;
    if (fast->flying >= fast->limit)
        room = max_u64(room, max_u64(now + 1, min_u64(flying_falls_to(fast, fast->limit - 1),
                                                      fast_next_unknown(sm))));
    const bool crowded =
        stores && requests->store_sectors != 0 &&
        requests->store_sectors + sm->stage.touched.sectors > sm->timing->stores_in_flight;
    if (crowded || ids_left(&requests->ids) == 0)
        room = max_u64(room,
                       max_u64(now + 1, min_u64(requests->calendar.next, fast_next_unknown(sm))));
    return room;
}

static uint32_t bytes_of(const struct mem_timing *timing, const struct fast_packet *packet)
{
    static const uint8_t kind[] = {[MEMOP_LOAD] = PACKET_READ,
                                   [MEMOP_STORE] = PACKET_WRITE,
                                   [MEMOP_ATOMIC] = PACKET_ATOMIC,
                                   [MEMOP_REDUCTION] = PACKET_REDUCTION};
    const struct packet same = {.kind = kind[packet->kind],
                                .mask = packet->mask,
                                .partial = packet->partial,
                                .atomic = packet->atomic,
                                .repeat = packet->repeat,
                                .turns = packet->turns};
    return packet_bytes(timing, &same);
}

static void send_packet(struct mem_sm *sm, uint64_t cycle, struct fast_packet packet)
{
    struct fast_sm *fast = &sm->fast;
    mem_sm_used(sm, packet.line * sm->timing->l1_sectors >> sm->timing->l2_sector_shift);
    packet.leaves = port_send(&fast->way_out, cycle, bytes_of(sm->timing, &packet));
    SIMSM_CHECK(fast->tail - fast->head < fast->room, "%u packets wait, room for %u",
                fast->tail - fast->head, fast->room);
    fast->packet[fast->tail++ & (fast->room - 1)] = packet;
    requests_add_parts(&sm->requests, packet.request, 1);
    fast->flying++;
}

/* Makes a request wait for packet `index`, which an earlier request has sent. */
static void join_packet(struct mem_sm *sm, uint32_t index, uint32_t request)
{
    struct fast_sm *fast = &sm->fast;
    struct fast_packet *packet = &fast->packet[index & (fast->room - 1)];
    uint32_t id = ids_take(&fast->joins);
    fast->join[id] = (struct fast_join){(uint16_t)request, packet->join};
    packet->join = (uint16_t)id;
    requests_add_parts(&sm->requests, request, 1);
}

/* An entry of L1: 32 bits of the line, 24 bits of the number of the packet that brings its latest
 * sectors, 8 bits of valid sectors. */
enum { TAG_SHIFT = 32, PACKET_SHIFT = 8, PACKET_BITS = 24 };

static uint64_t tag_of(uint64_t line)
{
    return (uint32_t)(line ^ line >> 32);
}

static const uint64_t packet_numbers = ((UINT64_C(1) << PACKET_BITS) - 1) << PACKET_SHIFT;

static void note_packet(uint64_t *way, uint32_t number)
{
    *way = (*way & ~packet_numbers) | ((uint64_t)number << PACKET_SHIFT & packet_numbers);
}

/* Returns the line's entry. A new entry waits for no packet. */
static uint64_t *enter_l1(struct fast_sm *fast, uint64_t line)
{
    struct fast_set *set = fast_cache_set(&fast->l1, line);
    uint64_t evicted;
    uint64_t *way = fast_cache_find(set, tag_of(line), TAG_SHIFT);
    if (way != NULL)
        return way;
    way = fast_cache_take(set, tag_of(line), TAG_SHIFT, &evicted);
    note_packet(way, fast->tail - FAST_ARRIVALS - 1);
    return way;
}

/* Makes a request wait for the packet that brings the entry's sectors. Returns false if the sectors
 * are there. */
static bool wait_for_packet(struct mem_sm *sm, uint64_t now, uint64_t entry, uint32_t request)
{
    struct fast_sm *fast = &sm->fast;
    const uint32_t numbers = (1u << PACKET_BITS) - 1;
    const uint32_t age = (fast->tail - (uint32_t)(entry >> PACKET_SHIFT)) & numbers;
    const uint32_t index = fast->tail - age;
    if (age == 0 || age > FAST_ARRIVALS)
        return false; /* arrived long ago */
    if (age <= fast->tail - fast->head) {
        join_packet(sm, index, request);
        return true;
    }
    const struct fast_arrival *arrival = &fast->arrival[index % FAST_ARRIVALS];
    if (arrival->cycle <= now)
        return false;
    requests_arrived(&sm->requests, request, arrival->cycle, arrival->level);
    return true;
}

/* Looks line `i` up in L1. Returns the sectors that have to be asked for. */
static uint32_t look_up(struct mem_sm *sm, uint64_t now, uint32_t i, uint32_t id,
                        const struct memop *op, const struct mem_request *request)
{
    const uint32_t mask = sm->stage.touched.mask[i];
    uint64_t *way = enter_l1(&sm->fast, sm->stage.touched.line[i]);
    const uint32_t missing = mask & ~(uint32_t)*way;
    if (missing != mask && !wait_for_packet(sm, now, *way, id)) {
        memop_count(sm->tally, op->hits, sector_count(mask & ~missing));
        if (request->line_stats && op->hits)
            request->line_stats->sector_hits += sector_count(mask & ~missing);
    }
    if (missing == 0)
        return 0;
    *way |= missing;
    note_packet(way, sm->fast.tail);
    return missing;
}

/* Changes L1 for a store or an atomic: sectors `sets` become valid, sectors `drops` invalid. */
static void change_l1(struct mem_sm *sm, uint64_t line, uint32_t sets, uint32_t drops)
{
    struct fast_cache *l1 = &sm->fast.l1;
    if (l1->sets == 0)
        return;
    uint64_t *way = sets != 0 ? enter_l1(&sm->fast, line)
                              : fast_cache_find(fast_cache_set(l1, line), tag_of(line), TAG_SHIFT);
    if (way != NULL)
        *way = (*way & ~(uint64_t)drops) | sets;
}

void fast_load(struct mem_sm *sm, uint64_t now, const struct memop *op,
               const struct mem_request *request, uint64_t ready)
{
    const struct coalesced *touched = &sm->stage.touched;
    const struct mem_timing *timing = sm->timing;
    const bool atomic = op->action == MEMOP_ATOMIC;
    const bool cached = !atomic && !request->past_l1 && sm->fast.l1.sets != 0 &&
                        (op->space != MEMOP_GLOBAL || timing->cache_global);
    const uint32_t id = requests_open(&sm->requests, request->tag);
    requests_arrived(&sm->requests, id, ready, SIMSM_LEVEL_L1);
    for (uint32_t i = 0; i < touched->lines && cached; i++)
        __builtin_prefetch(fast_cache_set(&sm->fast.l1, touched->line[i]));
    for (uint32_t i = 0; i < touched->lines; i++) {
        const uint32_t mask = cached ? look_up(sm, now, i, id, op, request) : touched->mask[i];
        struct fast_packet packet = {.line = touched->line[i],
                                     .request = (uint16_t)id,
                                     .mask = (uint8_t)mask,
                                     .kind = op->action,
                                     .repeat = 1,
                                     .turns = 1,
                                     .alone = request->of_system || atomic};
        if (mask == 0)
            continue;
        if (atomic) {
            change_l1(sm, packet.line, 0, mask);
            packet.atomic = request->atomic;
            packet.repeat = sm->stage.repeats.most[i];
            packet.turns = sm->stage.repeats.turns[i];
        }
        send_packet(sm, now + i / timing->tags_per_cycle, packet);
    }
    requests_finish_part(&sm->requests, id);
}

void fast_store(struct mem_sm *sm, uint64_t now, const struct memop *op,
                const struct mem_request *request, uint64_t ready)
{
    const struct coalesced *touched = &sm->stage.touched;
    const struct mem_timing *timing = sm->timing;
    const bool reduction = op->action == MEMOP_REDUCTION;
    const bool partial = (uint32_t)__builtin_popcount(request->lanes) * request->width <
                         touched->sectors * SECTOR_BYTES;
    const bool keeps = !reduction && !partial && timing->store_allocate;
    const uint32_t id = requests_open(&sm->requests, request->tag);
    uint32_t in_flight = reduction ? 0 : touched->sectors;
    if (touched->lines == 0)
        requests_arrived(&sm->requests, id, ready, SIMSM_LEVEL_L1);
    for (uint32_t i = 0; i < touched->lines; i++) {
        struct fast_packet packet = {.line = touched->line[i],
                                     .request = (uint16_t)id,
                                     .mask = touched->mask[i],
                                     .kind = op->action,
                                     .repeat = 1,
                                     .partial = partial};
        change_l1(sm, packet.line, keeps ? packet.mask : 0, reduction ? packet.mask : 0);
        if (reduction) {
            packet.atomic = request->atomic;
            packet.repeat = sm->stage.repeats.most[i];
            packet.turns = sm->stage.repeats.turns[i];
            in_flight += packet.turns;
        }
        send_packet(sm, now + i / timing->tags_per_cycle, packet);
        sm->fast.flying--; /* stores are bounded by their sectors */
    }
    sm->requests.open[id].store_sectors = (uint16_t)in_flight;
    sm->requests.store_sectors += in_flight;
    requests_finish_part(&sm->requests, id);
}

/* Tells a request that a line has arrived. */
static void arrive(struct mem_sm *sm, uint32_t request, uint64_t cycle, uint8_t level)
{
    requests_arrived(&sm->requests, request, cycle, level);
    requests_finish_part(&sm->requests, request);
}

void fast_answer(struct mem_sm *sm, uint64_t cycle, uint8_t level)
{
    struct fast_sm *fast = &sm->fast;
    const struct fast_packet packet = *fast_next_packet(fast);
    if (packet.kind == MEMOP_LOAD || packet.kind == MEMOP_ATOMIC) {
        const uint64_t latest = packet.leaves / FAST_STEP + FAST_STEPS - 64;
        drain(fast, packet.leaves);
        fast->land[min_u64(cycle / FAST_STEP, latest) % FAST_STEPS]++;
    }
    arrive(sm, packet.request, cycle, level);
    for (uint32_t id = packet.join, next; id != 0; id = next) {
        arrive(sm, fast->join[id].request, cycle, level);
        next = fast->join[id].next;
        ids_give(&fast->joins, id);
    }
    fast->arrival[fast->head % FAST_ARRIVALS] = (struct fast_arrival){cycle, level};
    fast->head++;
}
