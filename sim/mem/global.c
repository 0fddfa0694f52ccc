/*
 * Global, local and texture accesses at the load/store stage, full grade.
 *
 * Modelled: an instruction holds the stage for the longest of the stage's interval, its lines at
 * tags_per_cycle, and its data wavefronts, which follow the rule of shared-memory banks (measured
 * on A100 and H200: gpu-strides of RRZE gpu-benches); texture tags take a quad of lanes a cycle.
 * Passes beyond the interval and the way back of more than 128 bytes add to the latency. An
 * instruction goes in as a whole: with fewer free miss registers than it needs it waits. Stores in
 * flight are bounded like misses, by as many lines as there are miss registers. Left out: partial
 * progress of a waiting instruction; queueing on the way back to the registers.
 */
#include "mem/banks.h"
#include "mem/mem_sm.h"

enum { TEXTURE_LANES = 4, REGISTER_BYTES = 128 };

/* What a load has to do for one of its lines. */
struct line_plan {
    uint32_t set, way;        /* in L1; way is TAGS_NONE if it is not there */
    uint16_t mshr;            /* that has it on its way, or MSHR_NONE */
    uint8_t hit, wait, fetch; /* sectors: in L1, to wait for, of these not yet asked for */
};

struct plan {
    struct line_plan line[COALESCE_LINES];
    uint32_t registers, waits, packets, hits; /* sums; hits in sectors */
    bool joins_full;                          /* a register can take no more requests */
};

struct room {
    bool enough;
    bool misses; /* it is miss registers that are short */
    uint64_t free_at;
};

static const struct room plenty = {.enough = true};

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct room none_before(uint64_t now, uint64_t free_at, bool misses)
{
    return (struct room){.misses = misses, .free_at = max_u64(now + 1, free_at)};
}

/* Cycles for which the instruction holds the stage. */
static uint32_t stage_passes(const struct mem_timing *timing, const struct mem_request *request,
                             const struct memop *op, uint32_t lines)
{
    uint32_t passes = (lines + timing->tags_per_cycle - 1) / timing->tags_per_cycle;
    if (op->space == MEMOP_TEXTURE)
        passes =
            max_u32(passes, ((uint32_t)__builtin_popcount(request->lanes) + TEXTURE_LANES - 1) /
                                TEXTURE_LANES);
    if (op->action >= MEMOP_ATOMIC)
        return passes;
    uint32_t bound = banks_bound(request->addresses, request->lanes, request->width, timing->banks);
    if (bound <= max_u32(passes, timing->stage_interval))
        return passes;
    return max_u32(
        passes,
        banks_passes(request->addresses, request->lanes, request->width, timing->banks).passes);
}

/* Cycles that the way back to the registers adds for more than 32 bits of each lane. */
static uint32_t return_extra(const struct mem_timing *timing, const struct mem_request *request)
{
    uint32_t bytes = (uint32_t)__builtin_popcount(request->lanes) * request->width;
    if (bytes <= REGISTER_BYTES)
        return 0;
    return (bytes - REGISTER_BYTES + timing->return_bytes - 1) / timing->return_bytes;
}

static void plan_load(const struct mem_sm *sm, const struct coalesced *touched, bool cached,
                      struct plan *plan)
{
    plan->registers = plan->waits = plan->packets = plan->hits = 0;
    plan->joins_full = false;
    for (uint32_t i = 0; i < touched->lines; i++) {
        struct line_plan *line = &plan->line[i];
        uint32_t mask = touched->mask[i];
        line->way = TAGS_NONE;
        line->mshr = MSHR_NONE;
        line->hit = 0;
        if (cached) {
            line->set = l1_set(&sm->l1, touched->line[i]);
            line->way = tags_find(&sm->l1.tags, line->set, touched->line[i]);
        }
        if (line->way != TAGS_NONE)
            line->hit =
                (uint8_t)(mask & tags_valid(*tags_entry(&sm->l1.tags, line->set, line->way)));
        line->wait = line->fetch = (uint8_t)(mask & ~(uint32_t)line->hit);
        plan->hits += sector_count(line->hit);
        if (line->wait == 0)
            continue;
        line->mshr = (uint16_t)mshr_find(&sm->mshrs, touched->line[i]);
        plan->waits++;
        if (line->mshr == MSHR_NONE) {
            plan->registers++;
        } else {
            const struct mshr *mshr = &sm->mshrs.mshr[line->mshr];
            line->fetch &= (uint8_t)~mshr->pending;
            plan->joins_full |= mshr->merged >= sm->mshrs.merge_limit;
        }
        plan->packets += line->fetch != 0;
    }
}

/* Room at the way out and for one more open request. */
static struct room check_exit(const struct mem_sm *sm, uint64_t now, uint32_t packets)
{
    if (packets != 0) {
        uint64_t free_at = outbox_free_at(&sm->outbox, now, packets);
        if (free_at > now)
            return none_before(now, free_at, false);
    }
    if (ids_left(&sm->requests.ids) == 0)
        return none_before(now, mem_sm_next_completion(sm), false);
    return plenty;
}

static struct room check_misses(const struct mem_sm *sm, uint64_t now, uint32_t registers,
                                uint32_t waits)
{
    const struct mshrs *mshrs = &sm->mshrs;
    if (mshrs->used == 0)
        return plenty;
    if (mshrs->used + registers > mshrs->limit) {
        uint32_t needed = mshrs->used + registers - mshrs->limit;
        needed = needed < mshrs->used ? needed : mshrs->used;
        return none_before(now, mshr_free_bound(mshrs, needed), true);
    }
    if (mshrs->waiting + waits > mshrs->waiting_limit)
        return none_before(now, mshr_free_bound(mshrs, 1), true);
    return plenty;
}

static struct room check_stores(const struct mem_sm *sm, uint64_t now, uint32_t lines)
{
    uint32_t in_flight = sm->requests.store_lines;
    if (in_flight == 0 || in_flight + lines <= sm->mshrs.limit)
        return plenty;
    return none_before(now, mem_sm_next_completion(sm), false);
}

static void send(struct mem_sm *sm, uint64_t now, uint32_t index, uint32_t bytes,
                 const struct coalesced *touched, struct packet packet)
{
    packet.sector = touched->line[index] << (sm->timing->line_shift - SECTOR_SHIFT);
    outbox_send(&sm->outbox, now + index / sm->timing->tags_per_cycle, bytes, packet);
}

static struct room load(struct mem_sm *sm, uint64_t now, const struct memop *op,
                        const struct coalesced *touched, uint32_t tag, uint64_t ready)
{
    struct plan plan;
    bool cached = !sm->l1.none && (op->space != MEMOP_GLOBAL || sm->timing->cache_global);
    plan_load(sm, touched, cached, &plan);
    struct room room = check_misses(sm, now, plan.registers, plan.waits);
    if (room.enough && plan.joins_full)
        room = none_before(now, mshr_free_bound(&sm->mshrs, 1), true);
    if (room.enough)
        room = check_exit(sm, now, plan.packets);
    if (!room.enough)
        return room;
    uint32_t id = requests_open(&sm->requests, tag);
    requests_arrived(&sm->requests, id, ready, SIMSM_LEVEL_L1);
    memop_count(sm->tally, op->hits, plan.hits);
    for (uint32_t i = 0; i < touched->lines; i++) {
        const struct line_plan *line = &plan.line[i];
        uint32_t mshr = line->mshr;
        if (line->hit != 0)
            tags_touch(&sm->l1.tags, line->set, line->way);
        if (line->wait == 0)
            continue;
        if (mshr == MSHR_NONE)
            mshr = mshr_open(&sm->mshrs, touched->line[i], cached, true);
        if (line->fetch != 0) {
            mshr_expect(&sm->mshrs, mshr, line->fetch);
            send(
                sm, now, i, SECTOR_BYTES, touched,
                (struct packet){.owner = (uint16_t)mshr, .mask = line->fetch, .kind = PACKET_READ});
        }
        mshr_wait(&sm->mshrs, now, mshr, id, line->wait);
    }
    requests_finish_part(&sm->requests, id);
    return plenty;
}

/* Stores and reductions: each line is acknowledged by L2. */
static struct room store(struct mem_sm *sm, uint64_t now, const struct memop *op,
                         const struct coalesced *touched, const uint8_t *repeat, uint32_t tag,
                         uint64_t ready)
{
    struct room room = check_stores(sm, now, touched->lines);
    if (room.enough)
        room = check_exit(sm, now, touched->lines);
    if (!room.enough)
        return room;
    bool reduction = op->action == MEMOP_REDUCTION;
    uint32_t id = requests_open(&sm->requests, tag);
    struct open_request *open = &sm->requests.open[id];
    open->store_lines = (uint16_t)touched->lines;
    sm->requests.store_lines += touched->lines;
    if (touched->lines == 0)
        requests_arrived(&sm->requests, id, ready, SIMSM_LEVEL_L1);
    for (uint32_t i = 0; i < touched->lines; i++) {
        uint32_t bytes = sector_count(touched->mask[i]) * SECTOR_BYTES;
        if (reduction)
            l1_drop(&sm->l1, touched->line[i], touched->mask[i]);
        else
            l1_store(&sm->l1, touched->line[i]);
        requests_add_part(&sm->requests, id);
        sm->unserved_stores++;
        send(sm, now, i, bytes, touched,
             (struct packet){.owner = (uint16_t)id,
                             .mask = touched->mask[i],
                             .kind = reduction ? PACKET_REDUCTION : PACKET_WRITE,
                             .repeat = reduction ? repeat[i] : 1});
    }
    requests_finish_part(&sm->requests, id);
    return plenty;
}

static struct room atomic(struct mem_sm *sm, uint64_t now, const struct coalesced *touched,
                          const uint8_t *repeat, uint32_t tag, uint64_t ready)
{
    struct room room = check_misses(sm, now, touched->lines, touched->lines);
    if (room.enough)
        room = check_exit(sm, now, touched->lines);
    if (!room.enough)
        return room;
    uint32_t id = requests_open(&sm->requests, tag);
    requests_arrived(&sm->requests, id, ready, SIMSM_LEVEL_L1);
    for (uint32_t i = 0; i < touched->lines; i++) {
        uint32_t mask = touched->mask[i];
        uint32_t mshr = mshr_open(&sm->mshrs, touched->line[i], false, false);
        l1_drop(&sm->l1, touched->line[i], mask);
        mshr_expect(&sm->mshrs, mshr, mask);
        send(sm, now, i, sector_count(mask) * SECTOR_BYTES, touched,
             (struct packet){.owner = (uint16_t)mshr,
                             .mask = (uint8_t)mask,
                             .kind = PACKET_ATOMIC,
                             .repeat = repeat[i]});
        mshr_wait(&sm->mshrs, now, mshr, id, mask);
    }
    requests_finish_part(&sm->requests, id);
    return plenty;
}

static void take_fills(struct mem_sm *sm, uint64_t now)
{
    struct mshr_fill fill;
    while (mshr_take_fill(&sm->mshrs, now, &fill)) {
        if (fill.fills)
            l1_fill(&sm->l1, fill.line, fill.mask);
    }
}

/* Time spent refused counts as one stall, however often the instruction was offered. */
static struct mem_outcome refuse(struct mem_sm *sm, uint64_t now, const struct room *room)
{
    if (sm->refused_since == MEM_NEVER) {
        sm->refused_since = now;
        sm->refused_for_misses = room->misses;
    }
    return (struct mem_outcome){false, room->free_at};
}

struct mem_outcome global_access(struct mem_sm *sm, uint64_t now, const struct mem_request *request,
                                 const struct memop *op, const struct coalesced *touched)
{
    const struct mem_timing *timing = sm->timing;
    uint8_t repeat[COALESCE_LINES];
    take_fills(sm, now);
    uint32_t passes = stage_passes(timing, request, op, touched->lines);
    uint32_t extra = passes > timing->stage_interval ? passes - timing->stage_interval : 0;
    uint64_t ready = now + timing->l1_latency;
    struct room room;
    if (op->action >= MEMOP_ATOMIC)
        coalesce_repeats(request->addresses, request->lanes, timing->line_shift, touched, repeat);
    if (op->action == MEMOP_LOAD)
        room = load(sm, now, op, touched, request->tag,
                    ready + max_u32(extra, return_extra(timing, request)));
    else if (op->action == MEMOP_ATOMIC)
        room = atomic(sm, now, touched, repeat, request->tag, ready);
    else
        room = store(sm, now, op, touched, repeat, request->tag, ready);
    if (!room.enough)
        return refuse(sm, now, &room);
    return (struct mem_outcome){true, now + max_u32(passes, timing->stage_interval)};
}
