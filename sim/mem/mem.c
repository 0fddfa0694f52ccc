/*
 * MODEL: the part of the memory system that all SMs share: the crossbar with one latency each way,
 * the request coalescers (lrc.c), L2 (l2.c) and DRAM (dram.c). Packets of all SMs are served in the
 * order of (cycle, SM, sequence), which stands for the order of arrival at L2.
 * SOURCE: docs/memory.md, stages; the order among packets of one cycle is an own choice.
 * LEFT OUT: virtual channels and conflicts inside the crossbar; multicast.
 */
#include "mem/mem.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "config/gpcs.h"
#include "mem/fast.h"
#include "mem/l2.h"
#include "mem/late.h"
#include "mem/lrc.h"
#include "mem/mem_sm.h"
#include "mem/tlb.h"

/* Lengths of windows in cycles. Under `ideal` and `fixed` SMs do not affect each other, so any
 * length gives the same result. */
enum { FLAT_WINDOW = 64, LONGEST_WINDOW = 128 };

/* Packets for which the host's cache is filled ahead of their service. */
enum { AHEAD_SETS = 16, AHEAD_ENTRIES = 8 };

struct mem {
    struct arena *arena; /* of everything but the lines of L2 */
    struct arena lines;
    struct mem_timing timing;
    uint32_t atomic_latency; /* added to an atomic on a line of the SM's own partition */
    const struct simsm_config *config;
    uint32_t shared_bytes; /* carve-out of an SM */
    uint32_t sms;
    struct mem_sm *sm; /* [sms] */
    struct network network;
    uint64_t *begun;  /* bit per SM that has a half */
    struct tlb tlb;   /* grades full and fast */
    struct late late; /* grade full: packets that wait for the translation of their address */
    struct l2 l2;     /* grade full */
    struct lrc lrc;   /* grades full and fast */
    struct fast fast; /* grade fast; uses the ports, units and DRAM of l2 */
    uint64_t window;
    struct sent *sent;    /* [sent_room]: the packets of a window in the order of service */
    uint32_t *sent_until; /* [window]: index in `sent` behind the packets of each cycle */
    size_t sent_room;
};

/* A packet that leaves in the window. */
struct sent {
    uint32_t sm, number; /* in the SM's outbox */
};

struct mem_lines {
    struct arena arena;
    struct tags tags;                        /* grade full */
    struct unwritten_part *part;             /* grade full: of lines known in part */
    struct fast_cache fast[FAST_PARTITIONS]; /* grade fast */
};

static bool fast_grade_init(struct mem *mem, const struct simsm_config *config)
{
    struct simsm_config rest = *config;
    rest.l2_bytes = 0; /* l2.tags is not used */
    mem->fast.l2 = &mem->l2;
    mem->fast.lrc = &mem->lrc;
    mem->fast.tlb = &mem->tlb;
    return lrc_init(&mem->lrc, mem->arena, config, mem->timing.l2_service) &&
           tlb_init(&mem->tlb, mem->arena, config) &&
           l2_init(&mem->l2, mem->arena, &mem->lines, &rest, mem->timing.dram_extra) &&
           fast_init(&mem->fast, mem->arena, &mem->lines, config, mem->sms, &mem->timing,
                     mem->window);
}

static bool full_grade_init(struct mem *mem, const struct simsm_config *config)
{
    uint32_t near = config->l2_partitions > 1 ? config->l2_far_latency / 2 : 0;
    mem->atomic_latency = config->l2_atomic_latency > near ? config->l2_atomic_latency - near : 0;
    mem->sent_room = mem->sms * (size_t)outbox_most(config->xbar_request_bytes, mem->window);
    mem->sent = arena_take_pool(mem->arena, mem->sent_room, sizeof *mem->sent);
    mem->sent_until = arena_take(mem->arena, mem->window, sizeof *mem->sent_until);
    return mem->sent != NULL && mem->sent_until != NULL &&
           lrc_init(&mem->lrc, mem->arena, config, mem->timing.l2_service) &&
           tlb_init(&mem->tlb, mem->arena, config) &&
           late_init(&mem->late, mem->arena, config, mem->sms) &&
           l2_init(&mem->l2, mem->arena, &mem->lines, config, mem->timing.dram_extra);
}

struct mem *mem_create(struct arena *arena, const struct simsm_config *config, uint32_t sms,
                       uint32_t shared_bytes)
{
    struct mem *mem = arena_take(arena, 1, sizeof *mem);
    if (mem == NULL)
        return NULL;
    mem->arena = arena;
    mem->lines.only_small = arena->only_small;
    timing_init(&mem->timing, config);
    mem->window = mem->timing.flat ? FLAT_WINDOW : mem->timing.xbar_latency;
    if (mem->window > LONGEST_WINDOW)
        mem->window = LONGEST_WINDOW;
    mem->config = config;
    mem->shared_bytes = shared_bytes;
    mem->sms = sms;
    mem->network = (struct network){.sms = sms, .window = (uint32_t)mem->window};
    mem->sm = arena_take(arena, sms, sizeof *mem->sm);
    mem->begun = arena_take(arena, (sms + 63) / 64, sizeof *mem->begun);
    bool ok = mem->sm != NULL && mem->begun != NULL &&
              (mem->timing.flat ||
               (mem->timing.fast ? fast_grade_init(mem, config) : full_grade_init(mem, config)));
    if (ok)
        return mem;
    mem_destroy(mem);
    return NULL;
}

void mem_destroy(struct mem *mem)
{
    if (mem == NULL)
        return;
    arena_free(&mem->lines);
    tlb_free(&mem->tlb);
}

void mem_forget_pages(struct mem *mem)
{
    mem->tlb.all_known = false;
}

struct mem_lines *mem_take_lines(struct mem *mem)
{
    struct mem_lines *lines = mem->timing.flat ? NULL : malloc(sizeof *lines);
    if (lines == NULL)
        return NULL;
    *lines = (struct mem_lines){
        .arena = mem->lines, .tags = mem->l2.tags, .part = mem->l2.unwritten.part};
    for (uint32_t i = 0; i < FAST_PARTITIONS; i++)
        lines->fast[i] = mem->fast.lines[i];
    mem->lines = (struct arena){0};
    return lines;
}

void mem_give_lines(struct mem *mem, struct mem_lines *lines)
{
    bool given = mem->timing.fast
                     ? fast_give_lines(&mem->fast, lines->fast)
                     : !mem->timing.flat && l2_give_lines(&mem->l2, &lines->tags, &lines->part);
    if (!given)
        return;
    struct arena mine = mem->lines;
    mem->lines = lines->arena;
    lines->arena = mine;
}

void mem_lines_free(struct mem_lines *lines)
{
    if (lines != NULL)
        arena_free(&lines->arena);
    free(lines);
}

void mem_hold(struct mem *mem, const struct mem_written *written)
{
    if (mem->timing.fast)
        fast_hold(&mem->fast, written);
    else if (!mem->timing.flat)
        l2_hold(&mem->l2, written);
}

uint64_t mem_window(const struct mem *mem)
{
    return mem->window;
}

uint64_t mem_least_answer(const struct mem *mem)
{
    return mem->timing.flat ? mem->timing.flat_latency : 2 * (uint64_t)mem->timing.xbar_latency;
}

uint64_t mem_least_shared_answer(const struct mem *mem)
{
    return mem->timing.flat ? mem->timing.flat_shared : mem->timing.remote_latency;
}

void mem_forget_lines(struct mem *mem, const struct simsm_line_stats *lines, size_t count)
{
    for (uint32_t i = 0; i < mem->sms; i++) {
        struct stage *stage = &mem->sm[i].stage;
        if (stage->line_stats >= lines && stage->line_stats < lines + count)
            stage->line_stats = NULL;
    }
}

struct mem_sm *mem_sm_create(struct mem *mem, uint32_t index, struct tally *tally)
{
    struct mem_sm *sm = &mem->sm[index];
    if (!mem_sm_init(sm, mem->arena, mem->config, &mem->timing, mem->shared_bytes, mem->window))
        return NULL;
    sm->tally = tally;
    sm->l2 = &mem->l2;
    if (!mem->timing.flat)
        sm->partition = gpcs_of_sm(mem->config, index) % mem->config->l2_partitions;
    mem->begun[index / 64] |= UINT64_C(1) << index % 64;
    return sm;
}

bool mem_sm_carve(struct mem *mem, uint32_t index, uint32_t shared_bytes)
{
    const struct simsm_config *config = mem->config;
    struct mem_sm *sm = &mem->sm[index];
    const uint32_t total = config->sm_l1_shared_bytes;
    const uint32_t bytes = total > shared_bytes ? total - shared_bytes : 0;
    if (mem_sm_next(sm) != MEM_NEVER)
        return false;
    if (mem->timing.fast)
        fast_cache_resize(&sm->fast.l1, bytes, config->l1_line_bytes);
    else if (!mem->timing.flat)
        l1_resize(&sm->l1, bytes, 1u << mem->timing.line_shift);
    return true;
}

bool mem_join_network(struct mem *mem, uint32_t index)
{
    struct mem_sm *sm = &mem->sm[index];
    if (!mem->timing.flat)
        sm->network = network_join(&mem->network, mem->arena, &mem->timing, index, &sm->requests);
    return mem->timing.flat || sm->network;
}

/* Returns the next SM from `from` on that has a half; mem->sms if there is none. */
static uint32_t next_sm(const struct mem *mem, uint32_t from)
{
    return bits_next(mem->begun, mem->sms, from);
}

static uint32_t l1_mask(const struct packet *packet, uint32_t mask)
{
    return mask >> packet->down << packet->up;
}

static struct l2_request request_of(const struct packet *packet, uint64_t cycle)
{
    return (struct l2_request){.cycle = cycle,
                               .line = packet->line,
                               .at = packet->at,
                               .mask = packet->mask,
                               .words = packet->words};
}

/* Reads L2 for a read that no earlier read answers. */
static void read_line(struct mem *mem, const struct packet *packet, uint64_t cycle,
                      struct tally *tally, struct lrc_read *read)
{
    struct l2_request request = request_of(packet, cycle);
    TALLY(tally, L2_SM_READ_SECTORS, sector_count(packet->mask));
    read->replies = (uint8_t)l2_read(&mem->l2, tally, &request, read->reply);
}

static void serve_read(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                       uint64_t cycle, struct tally *tally)
{
    struct lrc_read alone = {0};
    uint64_t way_back = mem->timing.l2_service + mem->timing.xbar_latency;
    /* A read that joins late finds the data of an earlier reply at the end of L2. */
    uint64_t earliest = cycle > mem->timing.l2_service ? cycle - mem->timing.l2_service : 0;
    struct lrc_request asked = {cycle, packet->line, (uint32_t)(sm - mem->sm), packet->mask};
    struct lrc_read *read = packet->alone ? NULL : lrc_place(&mem->lrc, asked.sm, asked.line);
    if (read == NULL) {
        read = &alone;
        read_line(mem, packet, cycle, tally, read);
    } else if (!lrc_join(&mem->lrc, read, &asked)) {
        read_line(mem, packet, cycle, tally, read);
        lrc_note(&mem->lrc, read, &asked);
    }
    for (uint32_t i = 0; i < read->replies; i++) {
        const struct l2_reply *reply = &read->reply[i];
        mshr_put_reply(&sm->mshrs, packet->owner, l1_mask(packet, reply->mask), reply->level,
                       (reply->cycle > earliest ? reply->cycle : earliest) + way_back);
    }
    mshr_served(&sm->mshrs);
}

/* Tells a request that L2 has accepted one of its stores or reductions. */
static void acknowledge(struct mem_sm *sm, uint32_t request, uint64_t cycle)
{
    requests_arrived(&sm->requests, request, cycle, SIMSM_LEVEL_L2);
    requests_finish_part(&sm->requests, request);
    SIMSM_CHECK(sm->unserved_stores != 0, "request %u: no store is on its way", request);
    sm->unserved_stores--;
}

static void serve_write(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                        uint64_t cycle, struct tally *tally)
{
    struct l2_request request = request_of(packet, cycle);
    TALLY(tally, L2_SM_WRITE_SECTORS, sector_count(packet->mask));
    uint64_t accepted = l2_write(&mem->l2, tally, &request);
    acknowledge(sm, packet->owner, accepted);
    for (uint32_t join = packet->joined, next; join != 0; join = next) {
        acknowledge(sm, sm->stores.join[join].request, accepted);
        next = sm->stores.join[join].next;
        ids_give(&sm->stores.joins, join);
    }
}

static void serve_atomic(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                         uint64_t cycle, struct tally *tally)
{
    struct l2_reply reply;
    struct l2_request request = request_of(packet, cycle);
    struct l2_work work = {packet->repeat, packet->turns, packet->tail, packet->atomic};
    uint64_t turn = l2_atomic(&mem->l2, tally, &request, &work, &reply);
    if (packet->kind == PACKET_REDUCTION) {
        requests_reach_l2(&sm->requests, packet->owner, cycle,
                          turn > cycle + mem->l2.far_latency + packet->tail);
        acknowledge(sm, packet->owner, turn);
        return;
    }
    mshr_put_values(&sm->mshrs,
                    (struct reply){.cycle = reply.cycle + mem->timing.l2_service +
                                            mem->atomic_latency + mem->timing.xbar_latency,
                                   .mshr = packet->owner,
                                   .mask = (uint8_t)l1_mask(packet, reply.mask),
                                   .level = reply.level,
                                   .values = packet->repeat});
    mshr_served(&sm->mshrs);
}

static void serve(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                  struct tally *tally)
{
    uint64_t cycle = packet->leaves + mem->timing.xbar_latency;
    if (packet->kind == PACKET_READ)
        serve_read(mem, sm, packet, cycle, tally);
    else if (packet->kind == PACKET_WRITE)
        serve_write(mem, sm, packet, cycle, tally);
    else
        serve_atomic(mem, sm, packet, cycle, tally);
}

/* Lets a packet wait if the translation of its address takes time. Returns whether it waits. */
static bool waits_for_translation(struct mem *mem, const struct mem_sm *sm,
                                  const struct packet *packet, struct tally *tally)
{
    const uint32_t index = (uint32_t)(sm - mem->sm);
    if (mem->tlb.entries == 0)
        return false;
    const uint64_t address = packet->line << (mem->timing.l2_sector_shift + SECTOR_SHIFT);
    const uint64_t ready = tlb_translate(&mem->tlb, tally, index, address, packet->leaves);
    if (ready == packet->leaves)
        return false;
    late_add(&mem->late, packet, index, ready);
    return true;
}

/* Serves the packets that have waited for their translation until `cycle`. */
static void serve_late(struct mem *mem, uint64_t cycle, struct tally *tally)
{
    while (late_next(&mem->late) <= cycle) {
        const struct late_packet late = late_take(&mem->late);
        serve(mem, &mem->sm[late.sm], &late.packet, tally);
    }
}

static struct packet *sent_packet(const struct mem *mem, const struct sent *sent)
{
    return outbox_at(&mem->sm[sent->sm].outbox, sent->number);
}

/* Returns packet `number` of an outbox if it leaves before `end`, else NULL. */
static const struct packet *leaving(const struct outbox *outbox, uint32_t number, uint64_t end)
{
    const struct packet *packet = outbox_at(outbox, number);
    return number != outbox->tail && packet->leaves < end ? packet : NULL;
}

/* Sorts the packets that leave in [base, end) by (cycle, SM, sequence). Returns their number. */
static uint32_t sort_sent(struct mem *mem, uint64_t base, uint64_t end)
{
    uint32_t *until = mem->sent_until, count = 0;
    memset(until, 0, (end - base) * sizeof *until);
    for (uint32_t sm = next_sm(mem, 0); sm < mem->sms; sm = next_sm(mem, sm + 1)) {
        const struct outbox *outbox = &mem->sm[sm].outbox;
        const struct packet *packet;
        for (uint32_t at = outbox->head; (packet = leaving(outbox, at, end)) != NULL; at++) {
            SIMSM_CHECK(packet->leaves >= base, "SM %u: a packet leaves at %llu, before %llu", sm,
                        (unsigned long long)packet->leaves, (unsigned long long)base);
            until[packet->leaves - base]++;
        }
    }
    for (uint64_t cycle = 0; cycle < end - base; cycle++) {
        uint32_t here = until[cycle];
        until[cycle] = count;
        count += here;
    }
    SIMSM_CHECK(count <= mem->sent_room, "%u packets in a window of %zu", count, mem->sent_room);
    for (uint32_t sm = next_sm(mem, 0); sm < mem->sms; sm = next_sm(mem, sm + 1)) {
        const struct outbox *outbox = &mem->sm[sm].outbox;
        const struct packet *packet;
        for (uint32_t at = outbox->head; (packet = leaving(outbox, at, end)) != NULL; at++)
            mem->sent[until[packet->leaves - base]++] = (struct sent){sm, at};
    }
    return count;
}

/* Prefetches into the host's cache what serving a packet reads first. */
TAGS_INLINE void prefetch_sets(const struct mem *mem, const struct sent *sent)
{
    const struct packet *packet = sent_packet(mem, sent);
    tags_prefetch(&mem->l2.tags, packet->at.near.set);
    if (!l2_is_own(&packet->at))
        tags_prefetch(&mem->l2.tags, packet->at.own.set);
    if (packet->kind == PACKET_READ && !packet->alone && mem->lrc.cycles != 0)
        __builtin_prefetch(lrc_place(&mem->lrc, sent->sm, packet->line));
}

/* Prefetches into the host's cache the entries that serving a packet finds in its sets. */
TAGS_INLINE void prefetch_entries(const struct mem *mem, const struct sent *sent)
{
    const struct packet *packet = sent_packet(mem, sent);
    tags_prefetch_entry(&mem->l2.tags, packet->at.near.set, packet->line);
    if (!l2_is_own(&packet->at))
        tags_prefetch_entry(&mem->l2.tags, packet->at.own.set, packet->line);
}

/* Serves the packets that leave in [base, end), which is at most a window, in the order of (cycle,
 * SM, sequence). */
static void serve_span(struct mem *mem, uint64_t base, uint64_t end, struct tally *tally)
{
    const uint32_t count = sort_sent(mem, base, end);
    const struct sent *sent = mem->sent;
    for (uint32_t i = 0; i < AHEAD_SETS && i < count; i++)
        prefetch_sets(mem, &sent[i]);
    for (uint32_t i = 0; i < count; i++) {
        struct mem_sm *sm = &mem->sm[sent[i].sm];
        const struct packet *packet = outbox_head(&sm->outbox);
        if (i + AHEAD_SETS < count)
            prefetch_sets(mem, &sent[i + AHEAD_SETS]);
        if (i + AHEAD_ENTRIES < count)
            prefetch_entries(mem, &sent[i + AHEAD_ENTRIES]);
        serve_late(mem, packet->leaves, tally);
        if (!waits_for_translation(mem, sm, packet, tally))
            serve(mem, sm, packet, tally);
        outbox_drop_head(&sm->outbox);
    }
    serve_late(mem, end - 1, tally);
}

static uint64_t first_departure(const struct mem *mem)
{
    uint64_t first = late_next(&mem->late);
    for (uint32_t i = next_sm(mem, 0); i < mem->sms; i = next_sm(mem, i + 1)) {
        const struct packet *packet = outbox_head(&mem->sm[i].outbox);
        if (packet != NULL && packet->leaves < first)
            first = packet->leaves;
    }
    return first;
}

void mem_exchange(struct mem *mem, uint64_t window_end, struct tally *tally)
{
    if (mem->timing.flat)
        return;
    if (mem->timing.fast) {
        const struct fast_sms sms = {mem->sm, mem->begun, mem->sms};
        fast_exchange(&mem->fast, &sms, window_end, tally);
        return;
    }
    for (uint32_t i = next_sm(mem, 0); i < mem->sms; i = next_sm(mem, i + 1))
        mem_sm_window_ends(&mem->sm[i], window_end);
    uint64_t base;
    while ((base = first_departure(mem)) < window_end) {
        uint64_t end = window_end - base < mem->window ? window_end : base + mem->window;
        serve_span(mem, base, end, tally);
    }
    for (uint32_t i = next_sm(mem, 0); i < mem->sms; i = next_sm(mem, i + 1))
        mem_sm_window_ended(&mem->sm[i], window_end);
}

uint64_t mem_next(const struct mem *mem)
{
    return late_next(&mem->late);
}

bool mem_no_memory(const struct mem *mem)
{
    return mem->tlb.no_memory;
}

void mem_exchange_network(struct mem *mem, uint64_t now)
{
    if (mem->network.seen)
        network_exchange(&mem->network, now);
}
