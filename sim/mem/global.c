/*
 * MODEL: global, local and texture accesses at the load/store stage, grade full. An instruction
 * holds the stage for the longest of: the stage's interval, its lines at l1.tags_per_cycle, its
 * data passes. Data passes follow the rule of shared-memory banks; texture tags take four lanes a
 * cycle. Passes beyond the interval and the way back of more than 128 bytes add to the latency.
 * Lines pass in order: a line that needs an MSHR when none is free waits, and all lines behind it
 * wait, too. Reductions wait while xbar.stores_in_flight sectors are in flight.
 * SOURCE: A100 and H200, gpu-strides of RRZE gpu-benches; H200, cuda/calib/l1 and cuda/calib/pipes;
 * Nsight Compute guide (texture tags).
 * LEFT OUT: queueing on the way back to the registers.
 */
#include <string.h>

#include "mem/banks.h"
#include "mem/mem_sm.h"

enum { TEXTURE_LANES = 4, REGISTER_BYTES = 128 };

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Passes of an instruction through the stage, in cycles: of its tags, and of its data. */
struct passes {
    uint32_t tags, data;
};

static struct passes stage_passes(const struct mem_timing *timing,
                                  const struct mem_request *request, const struct memop *op,
                                  uint32_t lines)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(request->lanes);
    struct passes passes = {.tags = (lines + timing->tags_per_cycle - 1) / timing->tags_per_cycle,
                            .data = 0};
    if (op->space == MEMOP_TEXTURE)
        passes.tags = max_u32(passes.tags, (lanes + TEXTURE_LANES - 1) / TEXTURE_LANES);
    if (op->action >= MEMOP_ATOMIC || request->beside)
        return passes;
    if (timing_is_dense(timing, request, op)) {
        passes.data = (lanes * request->width + REGISTER_BYTES - 1) / REGISTER_BYTES;
        return passes;
    }
    const uint32_t pieces = memop_pieces(op, request->width), width = request->width / pieces;
    passes.data = banks_bound(request->addresses, request->lanes, width, timing->banks);
    if (passes.data > 1 && !request->addresses->affine && width <= 4)
        passes.data = banks_passes(request->addresses, request->lanes, width, timing->banks).passes;
    passes.data *= pieces;
    return passes;
}

/* Returns the cycles that the way back to the registers adds for more than 32 bits per lane. */
static uint32_t return_extra(const struct mem_timing *timing, const struct mem_request *request)
{
    uint32_t bytes = (uint32_t)__builtin_popcount(request->lanes) * request->width;
    if (bytes <= REGISTER_BYTES)
        return 0;
    return (bytes - REGISTER_BYTES + timing->return_bytes - 1) / timing->return_bytes;
}

/* Returns the cycles by which L1 takes longer with these passes than with a single pass. */
static uint32_t passes_extra(const struct mem_timing *timing, struct passes passes)
{
    uint32_t interval = timing->stage_interval;
    uint32_t data = passes.data > interval ? (passes.data - interval) * timing->pass_interval : 0;
    uint32_t tags = passes.tags > interval ? passes.tags - interval : 0;
    return passes.data != 0 ? data + tags : 0;
}

/* Returns the cycles for which an instruction holds the stage. */
static uint32_t busy_cycles(const struct mem_timing *timing, struct passes passes)
{
    return max_u32(max_u32(passes.tags, passes.data), timing->stage_interval);
}

/* Returns the cycles by which a load with these passes is later than a load of a single pass. */
static uint32_t load_extra(const struct mem_timing *timing, const struct mem_request *request,
                           struct passes passes)
{
    return request->beside ? 0
                           : max_u32(passes_extra(timing, passes), return_extra(timing, request));
}

/* Returns whether a new line could take an MSHR and wait there. */
static bool has_register(const struct mshrs *mshrs)
{
    return mshrs->used < mshrs->limit && mshrs->waiting < mshrs->waiting_limit;
}

/* Takes an MSHR for line `i` of the stage. */
static uint32_t open_register(struct mem_sm *sm, uint32_t i)
{
    const struct stage *stage = &sm->stage;
    uint32_t mshr =
        mshr_open(&sm->mshrs, stage->touched.line[i], stage->set[i], stage->keeps, stage->joins);
    sm->mshrs.mshr[mshr].owner = stage->owner;
    return mshr;
}

static void request_sectors(struct mem_sm *sm, uint64_t cycle, uint32_t i, uint32_t mshr,
                            uint32_t mask)
{
    const struct stage *stage = &sm->stage;
    struct packet packet = {.owner = (uint16_t)mshr,
                            .kind = stage->atomic ? PACKET_ATOMIC : PACKET_READ,
                            .atomic = stage->atomic_kind,
                            .alone = stage->alone,
                            .repeat = stage->atomic ? stage->repeats.most[i] : 1,
                            .turns = stage->atomic ? stage->repeats.turns[i] : 1};
    if (stage->atomic && stage->atomic_kind == ATOMIC_CAS)
        packet.words = stage->words[i];
    uint32_t packets = send_line(sm, cycle, stage->touched.line[i], mask, &packet);
    mshr_expect(&sm->mshrs, mshr, mask, packets);
}

/* Returns the sectors of line `i` that L1 has; *way is the line's way or TAGS_NONE. */
static uint32_t look_up(struct mem_sm *sm, uint32_t i, uint32_t *way)
{
    struct stage *stage = &sm->stage;
    *way = TAGS_NONE;
    if (!stage->cached)
        return 0;
    *way = tags_find(&sm->l1.tags, stage->set[i], stage->touched.line[i]);
    if (*way == TAGS_NONE)
        return 0;
    uint32_t wanted = stage->touched.mask[i];
    uint32_t hit = wanted & tags_valid(*tags_entry(&sm->l1.tags, stage->set[i], *way));
    if (hit != wanted && sm->l1.parts)
        hit |= l1_sectors_of(&sm->l1, stage->set[i], *way, wanted, (uint32_t)stage->words[i]);
    return hit;
}

uint32_t global_look_up(struct mem_sm *sm, uint32_t i)
{
    uint32_t way;
    return look_up(sm, i, &way);
}

/* Passes line `i` at `cycle`, with L1 as it is at `now`. Returns false if the line must wait for an
 * MSHR. */
static bool pass_line(struct mem_sm *sm, uint64_t now, uint64_t cycle, uint32_t i)
{
    struct stage *stage = &sm->stage;
    uint32_t way = TAGS_NONE, hit = 0, mshr = MSHR_NONE;
    if (!stage->missing[i]) {
        hit = look_up(sm, i, &way);
        if (hit != stage->touched.mask[i])
            mshr = mshr_find(&sm->mshrs, stage->touched.line[i]);
    }
    uint32_t wait = stage->touched.mask[i] & ~hit, coming = 0;
    if (wait != 0) {
        stage->missed = true;
        if (mshr == MSHR_NONE) {
            stage->missing[i] |= way == TAGS_NONE;
            if (!has_register(&sm->mshrs))
                return false;
            mshr = open_register(sm, i);
            stage->needed -= stage->needed != 0;
        } else if (!mshr_has_room(&sm->mshrs, mshr)) {
            return false;
        }
        uint32_t fetch = wait & ~(uint32_t)sm->mshrs.mshr[mshr].pending;
        coming = stage->cached ? wait & ~fetch : 0; /* count as hits (H200, cuda/calib/pipes) */
        if (fetch != 0)
            request_sectors(sm, cycle, i, mshr, fetch);
        mshr_wait(&sm->mshrs, now, mshr, stage->request, wait);
    }
    if (hit != 0)
        tags_touch(&sm->l1.tags, stage->set[i], way);
    memop_count(sm->tally, stage->hits, sector_count(hit | coming));
    if (stage->line_stats && stage->hits)
        stage->line_stats->sector_hits += sector_count(hit | coming);
    return true;
}

/* Counts the least number of MSHRs for the lines from `next` on. While the stage is held nothing
 * else brings lines, so a missing line stays missing. */
static void count_needed(struct mem_sm *sm)
{
    struct stage *stage = &sm->stage;
    stage->needed = 0;
    for (uint32_t i = stage->next; i < stage->touched.lines; i++) {
        if (!stage->missing[i]) {
            uint32_t way;
            uint32_t hit = look_up(sm, i, &way);
            bool wanted = hit != stage->touched.mask[i] &&
                          mshr_find(&sm->mshrs, stage->touched.line[i]) == MSHR_NONE;
            stage->missing[i] = wanted && way == TAGS_NONE;
            stage->needed += wanted;
        } else {
            stage->needed++;
        }
    }
}

/* Passes lines at `now` or when their turn comes, as long as MSHRs allow. */
static void pass_lines(struct mem_sm *sm, uint64_t now)
{
    struct stage *stage = &sm->stage;
    uint32_t in_cycle = stage->next % sm->timing->tags_per_cycle;
    uint64_t turn = stage->begun + stage->next / sm->timing->tags_per_cycle;
    for (; stage->next < stage->touched.lines; stage->next++) {
        if (turn + stage->delay < now) {
            TALLY(sm->tally, L1_MSHR_STALLS, now - turn - stage->delay);
            stage->delay = now - turn;
        }
        if (!pass_line(sm, now, turn + stage->delay, stage->next))
            return;
        if (++in_cycle == sm->timing->tags_per_cycle) {
            in_cycle = 0;
            turn++;
        }
    }
    stage->free_at += stage->delay;
    requests_finish_part(&sm->requests, stage->request);
}

void global_advance(struct mem_sm *sm, uint64_t now)
{
    struct mshr_fill fill;
    if (stage_held(&sm->stage) && sm->stage.storing)
        global_pass_stores(sm, now);
    while (mshr_take_fill(&sm->mshrs, now, &fill)) {
        if (fill.fills)
            l1_fill(&sm->l1, fill.set, fill.line, fill.mask);
        if (fill.fills && sm->l1.log)
            l1_own(&sm->l1, fill.set, fill.line, fill.owner);
        if (!stage_held(&sm->stage) || sm->stage.storing)
            continue;
        pass_lines(sm, fill.cycle);
    }
}

uint64_t global_stage_free(const struct mem_sm *sm)
{
    const struct stage *stage = &sm->stage;
    if (!stage_held(stage))
        return stage->free_at;
    if (stage->storing && global_store_has_room(sm))
        return global_store_turn(sm);
    if (stage->storing)
        return stores_can_leave(sm) ? stores_departure(&sm->stores) : mem_sm_next_completion(sm);
    /* Either as many MSHRs become free as are needed, or the first free one lets a line out, whose
     * reply comes back itself. */
    uint32_t free = sm->mshrs.limit - sm->mshrs.used;
    uint32_t count = stage->needed > free ? stage->needed - free : 1;
    if (count > sm->mshrs.used)
        count = sm->mshrs.used;
    uint64_t bound = mshr_free_bound(&sm->mshrs, count);
    uint64_t again = mshr_free_bound(&sm->mshrs, 1) + 2 * (uint64_t)sm->timing->xbar_latency;
    return bound < again ? bound : again;
}

/* Sends the prefetches that the L1 policy has asked for, after the load's lines, while there is
 * room. */
static void prefetch(struct mem_sm *sm, uint64_t now)
{
    const uint32_t whole = (1u << sm->timing->l1_sectors) - 1;
    for (uint32_t i = 0; i < sm->answer.prefetches; i++) {
        uint64_t line = sm->answer.prefetch[i];
        uint32_t set = l1_set(&sm->l1, line);
        uint32_t way = tags_find(&sm->l1.tags, set, line);
        uint32_t there = way == TAGS_NONE ? 0 : tags_valid(*tags_entry(&sm->l1.tags, set, way));
        if (there == whole || mshr_find(&sm->mshrs, line) != MSHR_NONE)
            continue;
        if (!has_register(&sm->mshrs) || outbox_free_at(&sm->outbox, now) > now)
            return;
        uint32_t mshr = mshr_open(&sm->mshrs, line, set, true, true);
        struct packet packet = {
            .owner = (uint16_t)mshr, .kind = PACKET_READ, .repeat = 1, .turns = 1};
        sm->mshrs.mshr[mshr].owner = sm->stage.owner;
        uint32_t packets = send_line(sm, now, line, whole & ~there, &packet);
        mshr_expect(&sm->mshrs, mshr, whole & ~there, packets);
    }
}

/*
 * Finds the lines' sets of L1, and prefetches into the host's cache what passing the lines reads.
 */
static void find_sets(struct mem_sm *sm)
{
    struct stage *stage = &sm->stage;
    for (uint32_t i = 0; stage->cached && i < stage->touched.lines; i++) {
        stage->set[i] = l1_set(&sm->l1, stage->touched.line[i]);
        tags_prefetch(&sm->l1.tags, stage->set[i]);
    }
    mshr_prefetch(&sm->mshrs, stage->touched.line, stage->touched.lines);
}

void global_find_words(struct mem_sm *sm, const struct mem_request *request)
{
    const struct memop *op = &memops[request->op];
    const uint32_t pieces = memop_pieces(op, request->width);
    if (timing_is_dense(sm->timing, request, op)) {
        for (uint32_t i = 0; i < sm->stage.touched.lines; i++)
            sm->stage.words[i] = sector_words(sm->stage.touched.mask[i]);
        return;
    }
    coalesce_words(request->addresses, request->lanes, request->width / pieces, pieces,
                   sm->timing->line_shift, &sm->stage.touched, sm->stage.words);
}

/* Starts a load or an atomic. The parts of its request are one for itself and one for each line
 * that does not come from L1. */
static void begin_load(struct mem_sm *sm, uint64_t now, const struct memop *op,
                       const struct mem_request *request, uint64_t ready, uint32_t busy)
{
    struct stage *stage = &sm->stage;
    stage->next = stage->needed = 0;
    stage->begun = now;
    stage->delay = 0;
    stage->free_at = now + busy;
    stage->hits = op->hits;
    stage->line_stats = request->line_stats;
    stage->storing = false;
    stage->atomic = op->action == MEMOP_ATOMIC;
    stage->atomic_kind = request->atomic;
    stage->missed = false;
    stage->cached = !stage->atomic && !request->past_l1 && !sm->l1.none &&
                    (op->space != MEMOP_GLOBAL || sm->timing->cache_global);
    stage->request = requests_open(&sm->requests, request->tag);
    requests_arrived(&sm->requests, stage->request, ready, SIMSM_LEVEL_L1);
    if ((sm->l1.parts && stage->cached) || (stage->atomic && stage->atomic_kind == ATOMIC_CAS))
        global_find_words(sm, request);
    find_sets(sm);
    stage->joins = !stage->atomic && !request->past_l1;
    stage->alone = request->of_system;
    stage->owner = (uint16_t)request->warp;
    bool watched = sm->watch.policy && stage->cached;
    if (watched)
        l1_watch_ask(sm, now, request);
    stage->keeps = stage->cached && !(watched && sm->answer.bypass);
    memset(stage->missing, !stage->joins, stage->touched.lines);
    for (uint32_t i = 0; stage->atomic && i < stage->touched.lines; i++)
        l1_drop(&sm->l1, stage->touched.line[i], stage->touched.mask[i]);
    pass_lines(sm, now);
    if (stage_held(stage))
        count_needed(sm);
    else if (watched && sm->answer.prefetches)
        prefetch(sm, now);
}

/* Returns the cycle from which the outbox and the open requests have room; at most `now` if there
 * is room. A reduction also needs room among the stores in flight. */
static uint64_t room_at(const struct mem_sm *sm, uint64_t now, bool reduction,
                        const struct coalesced *touched)
{
    uint64_t room = outbox_free_at(&sm->outbox, now);
    const struct requests *requests = &sm->requests;
    bool crowded = reduction && requests->store_sectors != 0 &&
                   (requests->store_sectors + touched->sectors > sm->timing->stores_in_flight ||
                    requests->waiting >= sm->timing->waiting_limit);
    if (crowded || ids_left(&sm->requests.ids) == 0)
        room = max_u64(room, max_u64(now + 1, mem_sm_next_completion(sm)));
    return room;
}

/* Makes the lanes of an atomic as cheap as lanes on addresses of their own
 * (what_if.no_contention). */
static void forget_repeats(const struct coalesced *touched, struct coalesced_repeats *repeats)
{
    for (uint32_t i = 0; i < touched->lines; i++) {
        repeats->most[i] = 1;
        repeats->turns[i] = (uint8_t)sector_count(touched->mask[i]);
    }
}

struct mem_outcome global_access(struct mem_sm *sm, uint64_t now, const struct mem_request *request,
                                 const struct memop *op)
{
    const struct mem_timing *timing = sm->timing;
    struct stage *stage = &sm->stage;
    bool loads = op->action == MEMOP_LOAD || op->action == MEMOP_ATOMIC;
    uint64_t room;
    if (timing->fast) {
        room = fast_room_at(sm, now, !loads);
    } else {
        stores_advance(sm, now); /* before counting the parts that have come to L2 */
        requests_settle(&sm->requests, now);
        room = room_at(sm, now, op->action == MEMOP_REDUCTION, &stage->touched);
    }
    if (room > now)
        return (struct mem_outcome){false, room, 0};
    struct passes passes = stage_passes(timing, request, op, stage->touched.lines);
    uint32_t busy = busy_cycles(timing, passes);
    uint64_t ready = now + timing->l1_latency;
    if (op->action >= MEMOP_ATOMIC)
        coalesce_repeats(request->addresses, request->lanes, timing->line_shift, &stage->touched,
                         &stage->repeats);
    if (op->action >= MEMOP_ATOMIC && timing->no_contention)
        forget_repeats(&stage->touched, &stage->repeats);
    if (op->action == MEMOP_LOAD)
        ready += load_extra(timing, request, passes);
    if (timing->fast) {
        stage->free_at = now + busy;
        (loads ? fast_load : fast_store)(sm, now, op, request, ready);
        return (struct mem_outcome){true, stage->free_at,
                                    loads ? passes.data * timing->pass_interval : 0};
    }
    if (!loads) {
        struct store_times times = {ready, busy, passes_extra(timing, passes)};
        global_store(sm, now, op, request, times);
        return (struct mem_outcome){true, max_u64(now + busy, global_stage_free(sm)), 0};
    }
    begin_load(sm, now, op, request, ready, busy);
    uint32_t held = stage->missed ? passes.tags : passes.data * timing->pass_interval;
    return (struct mem_outcome){true, max_u64(now + busy, global_stage_free(sm)), held};
}
