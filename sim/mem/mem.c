#include "mem/mem.h"

#include <stdlib.h>
#include <string.h>

#include "mem/l2.h"
#include "mem/mem_sm.h"

/* Without a crossbar nothing passes between SMs, and any length would do. */
enum { FLAT_WINDOW = 64, LONGEST_WINDOW = 128, PREFETCH_AHEAD = 8 };

struct mem {
    struct mem_timing timing;
    uint32_t atomic_latency;
    uint32_t sms;
    struct mem_sm *sm; /* [sms] */
    struct l2 l2;      /* full */
    uint64_t window;
    struct packet *packets; /* of a window, in the order in which they are served */
    uint32_t *starts;       /* [window + 1] index of the first that leaves in each cycle */
};

static bool full_init(struct mem *mem, const struct simsm_config *config)
{
    mem->atomic_latency = config->l2_atomic_latency;
    uint64_t most = mem->sms * outbox_most(config->xbar_request_bytes, mem->window);
    mem->packets = calloc(most, sizeof *mem->packets);
    mem->starts = calloc(mem->window + 1, sizeof *mem->starts);
    return mem->packets != NULL && mem->starts != NULL &&
           l2_init(&mem->l2, config, mem->timing.dram_extra);
}

struct mem *mem_create(const struct simsm_config *config, uint32_t sms, uint32_t shared_bytes)
{
    struct mem *mem = calloc(1, sizeof *mem);
    if (mem == NULL)
        return NULL;
    timing_init(&mem->timing, config);
    mem->window = mem->timing.flat ? FLAT_WINDOW : mem->timing.xbar_latency;
    if (mem->window > LONGEST_WINDOW)
        mem->window = LONGEST_WINDOW;
    mem->sms = sms;
    mem->sm = calloc(sms, sizeof *mem->sm);
    bool ok = mem->sm != NULL && (mem->timing.flat || full_init(mem, config));
    for (uint32_t i = 0; ok && i < sms; i++)
        ok = mem_sm_init(&mem->sm[i], config, &mem->timing, shared_bytes, mem->window);
    if (ok)
        return mem;
    mem_destroy(mem);
    return NULL;
}

void mem_destroy(struct mem *mem)
{
    if (mem == NULL)
        return;
    for (uint32_t i = 0; mem->sm != NULL && i < mem->sms; i++)
        mem_sm_free(&mem->sm[i]);
    l2_free(&mem->l2);
    free(mem->packets);
    free(mem->starts);
    free(mem->sm);
    free(mem);
}

uint64_t mem_window(const struct mem *mem)
{
    return mem->window;
}

struct mem_sm *mem_sm_of(struct mem *mem, uint32_t sm, struct tally *tally)
{
    mem->sm[sm].tally = tally;
    return &mem->sm[sm];
}

/* The part of a packet that lies in one L2 line. */
struct piece {
    uint64_t line;
    struct l2_place place;
    uint32_t mask;       /* of the line */
    uint32_t low, above; /* bit `low` of the packet is bit `above` of the line */
};

/* Takes the first piece off *mask. L1 and L2 lines may differ in size. */
static struct piece next_piece(const struct l2 *l2, const struct packet *packet, uint32_t *mask)
{
    struct piece piece;
    piece.low = (uint32_t)__builtin_ctz(*mask);
    uint64_t sector = packet->sector + piece.low;
    piece.line = sector >> l2->sector_shift;
    piece.place = piece.line == packet->sector >> l2->sector_shift
                      ? (struct l2_place){packet->slice, packet->set}
                      : l2_place(l2, piece.line);
    piece.above = (uint32_t)sector & (l2->sectors - 1);
    uint32_t here = (1u << (l2->sectors - piece.above)) - 1u;
    piece.mask = (*mask >> piece.low & here) << piece.above;
    *mask &= ~(here << piece.low);
    return piece;
}

static void serve_read(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                       uint64_t cycle, struct tally *tally)
{
    uint64_t way_back = mem->timing.l2_service + mem->timing.xbar_latency;
    for (uint32_t mask = packet->mask; mask != 0;) {
        struct piece piece = next_piece(&mem->l2, packet, &mask);
        struct l2_reply reply[L2_REPLIES];
        uint32_t count =
            l2_read(&mem->l2, tally, cycle, piece.line, piece.place, piece.mask, reply);
        for (uint32_t i = 0; i < count; i++)
            mshr_put_reply(&sm->mshrs, packet->owner, reply[i].mask >> piece.above << piece.low,
                           reply[i].level, reply[i].cycle + way_back);
    }
    mshr_served(&sm->mshrs);
}

static void serve_write(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                        uint64_t cycle, struct tally *tally)
{
    for (uint32_t mask = packet->mask; mask != 0;) {
        struct piece piece = next_piece(&mem->l2, packet, &mask);
        uint64_t done = l2_write(&mem->l2, tally, cycle, piece.line, piece.place, piece.mask);
        requests_arrived(&sm->requests, packet->owner, done, SIMSM_LEVEL_L2);
    }
    requests_finish_part(&sm->requests, packet->owner);
    sm->unserved_stores--;
}

static void serve_atomic(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                         uint64_t cycle, struct tally *tally)
{
    struct l2_reply last = {0, packet->mask, SIMSM_LEVEL_L2};
    uint64_t turn = 0;
    for (uint32_t mask = packet->mask; mask != 0;) {
        struct piece piece = next_piece(&mem->l2, packet, &mask);
        struct l2_reply reply;
        uint64_t at = l2_atomic(&mem->l2, tally, cycle, piece.line, piece.place, piece.mask,
                                packet->repeat, &reply);
        turn = at > turn ? at : turn;
        last.cycle = reply.cycle > last.cycle ? reply.cycle : last.cycle;
        last.level = reply.level > last.level ? reply.level : last.level;
    }
    if (packet->kind == PACKET_REDUCTION) {
        requests_arrived(&sm->requests, packet->owner, turn, SIMSM_LEVEL_L2);
        requests_finish_part(&sm->requests, packet->owner);
        sm->unserved_stores--;
    } else {
        mshr_put_reply(&sm->mshrs, packet->owner, last.mask, last.level,
                       last.cycle + mem->timing.l2_service + mem->atomic_latency +
                           mem->timing.xbar_latency);
        mshr_served(&sm->mshrs);
    }
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

/* Earliest cycle at which a packet leaves that has not been served, or MEM_NEVER. */
static uint64_t first_departure(const struct mem *mem)
{
    uint64_t first = MEM_NEVER;
    for (uint32_t i = 0; i < mem->sms; i++) {
        const struct packet *packet = outbox_head(&mem->sm[i].outbox);
        if (packet != NULL && packet->leaves < first)
            first = packet->leaves;
    }
    return first;
}

/* Turns counts of packets by cycle into the index of each cycle's first; returns their sum. */
static uint32_t sum_starts(uint32_t *starts, uint64_t cycles)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < cycles; i++) {
        uint32_t count = starts[i];
        starts[i] = sum;
        sum += count;
    }
    return sum;
}

/*
 * Moves what leaves before `end`, which is at most a window after `base`, to mem->packets, ordered
 * by (cycle, SM, sequence): a counting sort. Returns how many there are.
 */
static uint32_t line_up(struct mem *mem, uint64_t base, uint64_t end)
{
    memset(mem->starts, 0, (end - base) * sizeof *mem->starts);
    for (uint32_t i = 0; i < mem->sms; i++) {
        const struct outbox *outbox = &mem->sm[i].outbox;
        for (uint32_t at = outbox->head; at != outbox->tail; at++) {
            const struct packet *packet = &outbox->ring[at & (outbox->room - 1)];
            if (packet->leaves >= end)
                break;
            mem->starts[packet->leaves - base]++;
        }
    }
    uint32_t count = sum_starts(mem->starts, end - base);
    for (uint32_t i = 0; i < mem->sms; i++) {
        struct outbox *outbox = &mem->sm[i].outbox;
        const struct packet *packet;
        while ((packet = outbox_head(outbox)) != NULL && packet->leaves < end) {
            struct packet *to = &mem->packets[mem->starts[packet->leaves - base]++];
            struct l2_place place = l2_place(&mem->l2, packet->sector >> mem->l2.sector_shift);
            *to = *packet;
            to->sm = (uint16_t)i;
            to->slice = place.slice;
            to->set = place.set;
            outbox->head++;
        }
        outbox_rewind(outbox);
    }
    return count;
}

void mem_exchange(struct mem *mem, uint64_t window_end, struct tally *tally)
{
    if (mem->timing.flat)
        return;
    uint64_t base;
    while ((base = first_departure(mem)) < window_end) {
        uint64_t end = window_end - base < mem->window ? window_end : base + mem->window;
        uint32_t count = line_up(mem, base, end);
        for (uint32_t i = 0; i < count; i++) {
            if (i + PREFETCH_AHEAD < count)
                l2_prefetch(&mem->l2, mem->packets[i + PREFETCH_AHEAD].set);
            serve(mem, &mem->sm[mem->packets[i].sm], &mem->packets[i], tally);
        }
    }
    for (uint32_t i = 0; i < mem->sms; i++)
        mem_sm_window_ended(&mem->sm[i], window_end);
}
