#include "mem/mem.h"

#include <stdlib.h>

#include "mem/l2.h"
#include "mem/mem_sm.h"

/* Without a crossbar nothing passes between SMs, and any length would do. */
enum { FLAT_WINDOW = 64, LONGEST_WINDOW = 128 };

/* An SM that sends, and when its next packet leaves. */
struct sender {
    uint64_t leaves;
    struct mem_sm *sm;
};

struct mem {
    struct mem_timing timing;
    uint32_t atomic_latency;
    uint32_t sms;
    struct mem_sm *sm; /* [sms] */
    struct l2 l2;      /* full */
    uint64_t window;
    struct sender *sender; /* [sms] those that have packets in a window */
    uint32_t senders;
};

static bool full_init(struct mem *mem, const struct simsm_config *config)
{
    mem->atomic_latency = config->l2_atomic_latency;
    mem->sender = calloc(mem->sms, sizeof *mem->sender);
    return mem->sender != NULL && l2_init(&mem->l2, config, mem->timing.dram_extra);
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
    free(mem->sender);
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

static uint32_t l1_mask(const struct packet *packet, uint32_t mask)
{
    return mask >> packet->down << packet->up;
}

static void serve_read(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                       uint64_t cycle, struct tally *tally)
{
    struct l2_reply reply[L2_REPLIES];
    uint64_t way_back = mem->timing.l2_service + mem->timing.xbar_latency;
    uint32_t count = l2_read(&mem->l2, tally, cycle, packet->line,
                             (struct l2_place){packet->slice, packet->set}, packet->mask, reply);
    for (uint32_t i = 0; i < count; i++)
        mshr_put_reply(&sm->mshrs, packet->owner, l1_mask(packet, reply[i].mask), reply[i].level,
                       reply[i].cycle + way_back);
    mshr_served(&sm->mshrs);
}

/* A store or a reduction has been accepted. */
static void acknowledge(struct mem_sm *sm, uint32_t request, uint64_t cycle)
{
    requests_arrived(&sm->requests, request, cycle, SIMSM_LEVEL_L2);
    requests_finish_part(&sm->requests, request);
    sm->unserved_stores--;
}

static void serve_write(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                        uint64_t cycle, struct tally *tally)
{
    struct l2_place place = {packet->slice, packet->set};
    acknowledge(sm, packet->owner,
                l2_write(&mem->l2, tally, cycle, packet->line, place, packet->mask));
}

static void serve_atomic(struct mem *mem, struct mem_sm *sm, const struct packet *packet,
                         uint64_t cycle, struct tally *tally)
{
    struct l2_reply reply;
    struct l2_place place = {packet->slice, packet->set};
    uint64_t turn = l2_atomic(&mem->l2, tally, cycle, packet->line, place, packet->mask,
                              packet->repeat, &reply);
    if (packet->kind == PACKET_REDUCTION) {
        acknowledge(sm, packet->owner, turn);
        return;
    }
    mshr_put_reply(&sm->mshrs, packet->owner, l1_mask(packet, reply.mask), reply.level,
                   reply.cycle + mem->timing.l2_service + mem->atomic_latency +
                       mem->timing.xbar_latency);
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

/* Makes the next packet of an SM ready to be served, and says when it leaves. */
static uint64_t look_at_head(struct mem *mem, struct mem_sm *sm)
{
    struct packet *packet = outbox_head(&sm->outbox);
    if (packet == NULL)
        return MEM_NEVER;
    struct l2_place place = l2_place(&mem->l2, packet->line);
    packet->slice = place.slice;
    packet->set = place.set;
    l2_prefetch(&mem->l2, place.set); /* others come before it: time to fetch it */
    return packet->leaves;
}

/* Lists the SMs that have packets to leave before `end`; returns the earliest cycle of all. */
static uint64_t list_senders(struct mem *mem, uint64_t end)
{
    uint64_t first = MEM_NEVER;
    mem->senders = 0;
    for (uint32_t i = 0; i < mem->sms; i++) {
        mem_sm_window_ends(&mem->sm[i], end);
        const struct packet *packet = outbox_head(&mem->sm[i].outbox);
        if (packet == NULL || packet->leaves >= end)
            continue;
        struct sender *sender = &mem->sender[mem->senders++];
        *sender = (struct sender){look_at_head(mem, &mem->sm[i]), &mem->sm[i]};
        first = sender->leaves < first ? sender->leaves : first;
    }
    return first;
}

void mem_exchange(struct mem *mem, uint64_t window_end, struct tally *tally)
{
    if (mem->timing.flat)
        return;
    for (uint64_t cycle = list_senders(mem, window_end), next; cycle < window_end; cycle = next) {
        next = MEM_NEVER;
        for (uint32_t i = 0; i < mem->senders; i++) {
            struct sender *sender = &mem->sender[i];
            while (sender->leaves == cycle) {
                serve(mem, sender->sm, outbox_head(&sender->sm->outbox), tally);
                outbox_drop_head(&sender->sm->outbox);
                sender->leaves = look_at_head(mem, sender->sm);
            }
            next = sender->leaves < next ? sender->leaves : next;
        }
    }
    for (uint32_t i = 0; i < mem->sms; i++)
        mem_sm_window_ended(&mem->sm[i], window_end);
}
