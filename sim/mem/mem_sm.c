/*
 * MODEL: the SM's half of the memory system. Shared memory is computed here: an access holds the
 * load/store stage for its passes through the banks, and each pass beyond the stage's interval adds
 * mio.pass_interval to the latency. A load of more than 128 bytes takes longer on the way back to
 * the registers. Lanes of an atomic on one word or bank take turns, and a compare-and-swap takes
 * several passes. Global accesses go on to global.c, or to flat.c under `ideal` and `fixed`.
 * An access to shared memory of another SM of the cluster takes cluster.access_latency longer, and
 * waits for the network between them (sm_network.c).
 * SOURCE: H200, cuda/calib/shared (loads, conflict_by_warps), cuda/calib/atomic shared_*,
 * cuda/calib/mbarrier; Huerta et al., MICRO 2025, for the way back (docs/memory.md, stages).
 * LEFT OUT: queueing on the way back to the registers.
 */
#include "mem/mem_sm.h"

#include "mem/banks.h"
#include "model/op.h"

/* Open requests of an SM. Warps without stores cannot have so many. */
enum { OPEN_REQUESTS = 1024 };

enum { WORD_BYTES = 4, REGISTER_BYTES = 128 }; /* of one lane's register; of a whole warp's */

static bool full_init(struct mem_sm *sm, struct arena *arena, const struct simsm_config *config,
                      uint32_t shared_bytes, uint64_t window)
{
    uint32_t total = config->sm_l1_shared_bytes;
    uint32_t l1_bytes = total > shared_bytes ? (total - shared_bytes) * timing_l1_times(config) : 0;
    uint32_t pieces = (sm->timing->l1_sectors - 1) / sm->timing->l2_sectors +
                      1; /* L2 lines that one L1 line lies in */
    return requests_init(&sm->requests, arena, OPEN_REQUESTS) &&
           mshr_init(&sm->mshrs, arena, &sm->requests, config) &&
           l1_init(&sm->l1, arena, l1_bytes, 1u << sm->timing->line_shift, config->l1_ways) &&
           stores_init(&sm->stores, arena, config, pieces * COALESCE_LINES) &&
           outbox_init(&sm->outbox, arena, config, window, pieces * COALESCE_LINES);
}

bool mem_sm_init(struct mem_sm *sm, struct arena *arena, const struct simsm_config *config,
                 const struct mem_timing *timing, uint32_t shared_bytes, uint64_t window)
{
    sm->timing = timing;
    sm->next_departure = MEM_NEVER;
    if (timing->flat)
        return flat_init(&sm->flat, arena, config->sm_sub_partitions, timing->flat_latency,
                         timing->flat_shared);
    if (timing->fast)
        return requests_init(&sm->requests, arena, OPEN_REQUESTS) &&
               fast_sm_init(&sm->fast, arena, config, shared_bytes, window);
    return full_init(sm, arena, config, shared_bytes, window);
}

static void count_line(const struct mem_request *request, uint32_t n, uint32_t least)
{
    if (request->line_stats == NULL)
        return;
    request->line_stats->sectors += n;
    request->line_stats->sectors_least += least < n ? least : n;
}

static void count_shared(struct mem_sm *sm, const struct mem_request *request,
                         const struct memop *op, uint32_t passes, uint32_t conflicts)
{
    memop_count(sm->tally, op->requests, 1);
    memop_count(sm->tally, op->sectors, passes);
    memop_count(sm->tally, op->hits, conflicts);
    count_line(request, passes, passes - conflicts);
}

static void count_global(struct mem_sm *sm, const struct mem_request *request,
                         const struct memop *op, const struct coalesced *touched)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(request->lanes);
    memop_count(sm->tally, op->requests, lanes != 0); /* an H200 counts no request without lanes */
    memop_count(sm->tally, op->sectors, touched->sectors);
    memop_count(sm->tally, op->bytes, (uint64_t)lanes * request->width);
    memop_count(sm->tally, op->instructions, 1);
    memop_count(sm->tally, op->own_sectors, touched->sectors);
    count_line(request, touched->sectors,
               (lanes * request->width + SECTOR_BYTES - 1) / SECTOR_BYTES);
}

/* Accepts a request of the grades ideal and fixed. Refuses it if the queue is full. */
static struct mem_outcome flat_access(struct mem_sm *sm, uint64_t now, uint32_t tag, unsigned queue)
{
    if (!flat_add(&sm->flat, queue, now, tag))
        return (struct mem_outcome){false, now + 1, 0};
    return (struct mem_outcome){true, now, 0};
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns a cycle before which no access to other SMs completes that no exchange has served. */
static uint64_t network_next(const struct mem_sm *sm)
{
    return sm->network ? sm->network->next : MEM_NEVER;
}

uint64_t mem_sm_next_completion(const struct mem_sm *sm)
{
    uint64_t next = min_u64(sm->requests.calendar.next, network_next(sm));
    if (sm->timing->fast)
        return min_u64(next, fast_next_unknown(sm));
    next = min_u64(next, mshr_next_arrival(&sm->mshrs));
    if (sm->mshrs.unserved != 0)
        next = min_u64(next, sm->mshrs.known_until);
    if (sm->unserved_stores != 0)
        next = min_u64(next, sm->stores_known_until);
    return next;
}

/* The cost of an access to shared memory: latency in cycles, passes through the banks, and how many
 * of the passes the latency includes. */
struct shared_cost {
    uint32_t latency, passes, included;
};

/* Accepts an access to shared memory under `fast` and `full`. The stage is held for the passes;
 * passes beyond its interval add to the latency. `remote`: what goes to other SMs. */
static struct mem_outcome shared_access(struct mem_sm *sm, uint64_t now, uint32_t tag,
                                        struct shared_cost cost,
                                        const struct network_access *remote)
{
    uint32_t interval = sm->timing->stage_interval;
    uint32_t each = sm->timing->pass_interval;
    uint32_t included = cost.included > interval ? cost.included : interval;
    if (ids_left(&sm->requests.ids) == 0) {
        uint64_t next = mem_sm_next_completion(sm);
        return (struct mem_outcome){false, next > now ? next : now + 1, 0};
    }
    uint32_t id = requests_open(&sm->requests, tag);
    uint32_t extra = cost.passes > included ? (cost.passes - included) * each : 0;
    if (remote->parts)
        network_send(sm->network, now, remote, id, cost.latency);
    requests_arrived(&sm->requests, id, now + cost.latency + extra, SIMSM_LEVEL_SHARED);
    requests_finish_part(&sm->requests, id);
    return (struct mem_outcome){true, now + (cost.passes > interval ? cost.passes : interval),
                                cost.passes * each};
}

/* Returns the cycles that the way back to the registers adds to a load of more than 32 bits per
 * lane. */
static uint32_t shared_return_extra(const struct mem_timing *timing,
                                    const struct mem_request *request)
{
    uint32_t bytes = (uint32_t)__builtin_popcount(request->lanes) * request->width;
    if (timing->shared_return_bytes == 0 || bytes <= REGISTER_BYTES)
        return 0;
    return (bytes - REGISTER_BYTES + timing->shared_return_bytes - 1) / timing->shared_return_bytes;
}

/* Returns the cost of an atomic. Lanes in one bank take turns; lanes on one word are
 * shared.atomic_interval passes apart. */
static struct shared_cost shared_atomic(const struct mem_timing *timing,
                                        const struct mem_request *request, uint32_t passes,
                                        const struct bank_turns *turns)
{
    bool cas = request->atomic == ATOMIC_CAS;
    uint32_t each = cas ? timing->shared_cas_passes : 1;
    if (turns->repeats > 1)
        passes += (turns->repeats - 1) * timing->shared_atomic_interval;
    if (passes < turns->passes)
        passes = turns->passes;
    return (struct shared_cost){
        .latency = cas ? timing->shared_cas_latency : timing->shared_atomic_latency,
        .passes = passes * each,
        .included = each,
    };
}

uint64_t mem_sm_send_remote(struct mem_sm *sm, uint64_t now, uint32_t bytes)
{
    if (!sm->network)
        return now;
    port_send(&sm->network->out, now, bytes);
    return sm->network->out.cycle;
}

static struct mem_outcome access_shared(struct mem_sm *sm, uint64_t now,
                                        const struct mem_request *request, const struct memop *op)
{
    const struct mem_timing *timing = sm->timing;
    struct mem_request word = *request;
    /* An mbarrier's word takes one pass, however many lanes arrive (H200, cuda/calib/mbarrier). */
    if (op_is_mbarrier(request->op))
        word.width = WORD_BYTES;
    struct bank_passes banks = (op->action == MEMOP_LOAD ? banks_load_passes : banks_passes)(
        word.addresses, word.lanes, word.width, timing->banks);
    if (timing->no_conflicts)
        banks.passes = banks.groups;
    struct shared_cost cost = {timing->shared_latency, banks.passes, 1};
    if (op->action == MEMOP_LOAD)
        cost.latency += shared_return_extra(timing, &word);
    if (op->action == MEMOP_ATOMIC) {
        struct bank_turns turns = {.passes = banks.groups, .repeats = 1};
        if (!timing->no_contention)
            turns = banks_turns(request->addresses, request->lanes, timing->banks);
        else
            banks.passes = banks.groups;
        cost = shared_atomic(timing, request, banks.passes, &turns);
        banks.passes = turns.passes;
    }
    struct network_access remote = {0};
    if (request->remote && sm->network) {
        network_find(&remote, timing, request, op);
        const uint64_t room = network_room(sm->network, &remote);
        if (room > now)
            return (struct mem_outcome){false, room, 0};
        banks.passes = banks.groups = cost.passes = 1; /* as an H100 counts */
        cost.latency += timing->remote_latency;
    }
    struct mem_outcome outcome = timing->flat ? flat_access(sm, now, request->tag, FLAT_SHARED)
                                              : shared_access(sm, now, request->tag, cost, &remote);
    if (outcome.accepted)
        count_shared(sm, request, op, banks.passes, banks.passes - banks.groups);
    return outcome;
}

static struct mem_outcome access_global(struct mem_sm *sm, uint64_t now,
                                        const struct mem_request *request, const struct memop *op)
{
    struct coalesced *touched = &sm->stage.touched;
    const uint32_t pieces = memop_pieces(op, request->width);
    if (pieces > 1)
        coalesce_local(request->addresses, request->lanes, pieces, sm->timing->line_shift, touched);
    else
        coalesce(request->addresses, request->lanes, request->width, sm->timing->line_shift,
                 touched);
    if (timing_is_dense(sm->timing, request, op))
        coalesce_densely(request->addresses, request->lanes, request->width, sm->timing->line_shift,
                         touched);
    sm->stage.next = touched->lines; /* the stage holds no line */
    struct mem_outcome outcome = sm->timing->flat ? flat_access(sm, now, request->tag, FLAT_GLOBAL)
                                                  : global_access(sm, now, request, op);
    if (outcome.accepted)
        count_global(sm, request, op, touched);
    sm->used_near |= sm->timing->flat && outcome.accepted;
    return outcome;
}

/* Returns the cycle at which a packet leaves that no window has served. */
static uint64_t departure(const struct mem_sm *sm)
{
    const struct packet *left = outbox_head(&sm->outbox);
    uint64_t next = left != NULL ? left->leaves : MEM_NEVER;
    if (stores_departure(&sm->stores) != MEM_NEVER && stores_can_leave(sm))
        next = min_u64(next, stores_departure(&sm->stores));
    if (stage_held(&sm->stage) && !sm->stage.storing)
        next = min_u64(next, mshr_next_fill(&sm->mshrs));
    return next;
}

void mem_sm_settle(struct mem_sm *sm)
{
    if (sm->mshrs.known_until >= sm->replies_until)
        return;
    mshr_land(&sm->mshrs, sm->replies_until);
    sm->next_departure = departure(sm);
}

/*
 * Brings the SM to `now`: settles replies that no window has settled because the clock has jumped
 * to them, and lets lines that wait in the stage pass. A packet that has not been sent cannot be
 * answered sooner than after two ways through the crossbar.
 */
static void catch_up(struct mem_sm *sm, uint64_t now)
{
    uint64_t ways = 2 * (uint64_t)sm->timing->xbar_latency;
    mem_sm_settle(sm);
    if (mshr_next_arrival(&sm->mshrs) <= now) {
        bool quiet = sm->mshrs.unserved == 0 && !stage_held(&sm->stage);
        mshr_land(&sm->mshrs, quiet ? now + ways : now + 1);
    }
    if (stage_held(&sm->stage))
        global_advance(sm, now);
}

/*
 * A fence asks the slices of L2 that the SM has used, whichever of its warps did, for what and
 * when. SOURCE: H200, cuda/calib/fence used_fence: 268 cycles after nothing, 407 to 430 after a
 * load or a store of a line of the SM's own partition, 525 to 590 of the other, 4000 cycles later
 * too.
 */
uint32_t mem_sm_fence(struct mem_sm *sm)
{
    uint32_t cycles = sm->used_far    ? sm->timing->fence_far
                      : sm->used_near ? sm->timing->fence_near
                                      : 0;
    sm->used_far = sm->used_near = false;
    return cycles;
}

void mem_sm_empty_l1(struct mem_sm *sm, uint64_t now)
{
    if (sm->timing->flat)
        return;
    if (sm->timing->fast) {
        fast_cache_empty(&sm->fast.l1);
        return;
    }
    mem_sm_settle(sm);
    global_advance(sm, now);
    l1_empty(&sm->l1);
}

uint64_t mem_sm_stage_free(struct mem_sm *sm, uint64_t now)
{
    if (sm->timing->flat)
        return now;
    if (sm->timing->fast)
        return sm->stage.free_at;
    catch_up(sm, now);
    uint64_t free_at = global_stage_free(sm);
    return free_at <= now && stage_held(&sm->stage) ? now + 1 : free_at;
}

uint64_t mem_sm_lines_free(struct mem_sm *sm, uint64_t now, uint32_t lines)
{
    const uint64_t free_at = mem_sm_stage_free(sm, now);
    const struct mshrs *mshrs = &sm->mshrs;
    if (free_at > now || sm->timing->flat || sm->timing->fast)
        return free_at;
    global_advance(sm, now);
    const uint32_t left = mshrs->limit - mshrs->used;
    if (left < lines) {
        const uint64_t bound = mshr_free_bound(mshrs, lines - left);
        return bound > now ? bound : now + 1;
    }
    return mshrs->waiting + lines <= mshrs->waiting_limit ? now : now + 1;
}

uint64_t mem_sm_shared_free(struct mem_sm *sm, uint64_t now)
{
    if (!sm->timing->flat && sm->stage.storing) {
        catch_up(sm, now);
        return now;
    }
    return mem_sm_stage_free(sm, now);
}

struct mem_outcome mem_sm_access(struct mem_sm *sm, uint64_t now, const struct mem_request *request)
{
    const struct memop *op = &memops[request->op];
    bool shared = op->space == MEMOP_SHARED;
    uint64_t free_at = (shared ? mem_sm_shared_free : mem_sm_stage_free)(sm, now);
    if (free_at > now)
        return (struct mem_outcome){false, free_at, 0};
    if (!sm->timing->flat && !sm->timing->fast && !shared)
        global_advance(sm, now);
    struct mem_outcome outcome =
        shared ? access_shared(sm, now, request, op) : access_global(sm, now, request, op);
    if (outcome.accepted)
        TALLY(sm->tally, MEM_REQUESTS_STARTED, 1);
    return outcome;
}

uint64_t mem_sm_next(const struct mem_sm *sm)
{
    if (sm->timing->flat)
        return flat_next(&sm->flat);
    const uint64_t next =
        min_u64(min_u64(sm->requests.calendar.next, sm->next_departure), network_next(sm));
    return sm->timing->fast ? next : min_u64(next, mshr_next_arrival(&sm->mshrs));
}

unsigned mem_sm_collect(struct mem_sm *sm, uint64_t now, struct mem_done *done, unsigned max)
{
    unsigned count;
    if (sm->timing->flat) {
        count = flat_collect(&sm->flat, now, done, max);
    } else if (sm->timing->fast) {
        count = requests_collect(&sm->requests, now, done, max);
        if (sm->next_departure <= now)
            sm->next_departure = MEM_NEVER; /* the window that serves it has begun */
    } else {
        catch_up(sm, now);
        stores_advance(sm, now);
        count = requests_collect(&sm->requests, now, done, max);
        stores_answered(sm, now);
        if (stage_held(&sm->stage))
            global_advance(sm, now);
        if (sm->next_departure <= now)
            sm->next_departure = MEM_NEVER; /* the window that serves it has begun */
    }
    TALLY(sm->tally, MEM_REQUESTS_DONE, count);
    return count;
}

void mem_sm_window_begins(struct mem_sm *sm, uint64_t end)
{
    if (sm->timing->flat || sm->timing->fast)
        return;
    mem_sm_settle(sm);
    mshr_prefetch_fills(&sm->mshrs, &sm->l1.tags, end);
}

void mem_sm_window_ends(struct mem_sm *sm, uint64_t window_end)
{
    mem_sm_settle(sm);
    if (stage_held(&sm->stage))
        global_advance(sm, window_end - 1);
    stores_advance(sm, window_end - 1);
}

void mem_sm_window_ended(struct mem_sm *sm, uint64_t window_end)
{
    uint64_t way = sm->timing->xbar_latency;
    sm->stores_known_until = window_end + way;
    sm->replies_until = window_end + 2 * way;
    sm->next_departure = departure(sm);
}
