/*
 * MODEL: the network between the SMs of a cluster. An SM sends in pieces of 32 bytes: a store the
 * sectors that it touches; an atomic too, but once for each lane on the same word; a load a request
 * for each line. Loads and atomics are answered: the SM that is asked sends as many pieces back.
 * All that an SM sends leaves at cluster.bytes a cycle, loads before data; what reaches it
 * enters at cluster.receive_bytes. An SM that is behind with either holds its senders back.
 * SOURCE: H100, cuda/probe/cluster_time (stream), cuda/probe/cluster_scatter.
 * LEFT OUT: conflicts between SMs of a GPC; conflicts in the banks of the SM that is asked; what
 * copies between blocks take at the end that receives them.
 */
#include "mem/sm_network.h"

#include <string.h>

#include "base/check.h"
#include "mem/coalesce.h"

/* Cycles by which a way may be behind before senders hold back. */
enum { BACKLOG = 64 };

static bool create(struct network *network, struct arena *arena)
{
    if (network->seen)
        return true;
    network->end = arena_take(arena, network->sms, sizeof *network->end);
    network->sender = arena_take(arena, network->sms, sizeof *network->sender);
    network->seen = arena_take(arena, network->sms, sizeof *network->seen);
    return network->end && network->sender && network->seen;
}

struct network_end *network_join(struct network *network, struct arena *arena,
                                 const struct mem_timing *timing, uint32_t sm,
                                 struct requests *requests)
{
    if (!create(network, arena))
        return NULL;
    if (network->end[sm])
        return network->end[sm];
    struct network_end *end = arena_take(arena, 1, sizeof *end);
    /* Room for one access in each cycle of a window, and for those that wait for the way out. */
    const uint32_t room = (network->window + BACKLOG) * SIMSM_WARP_LANES;
    struct network_packet *packet = arena_take_pool(arena, room, sizeof *packet);
    if (!end || !packet)
        return NULL;
    *end = (struct network_end){.ask.rate = timing->remote_bytes,
                                .out.rate = timing->remote_bytes,
                                .in.rate = timing->receive_bytes,
                                .seen = network->seen,
                                .packet = packet,
                                .room = room,
                                .next = MEM_NEVER,
                                .requests = requests};
    return network->end[sm] = end;
}

/* Returns the lanes that reach SM `sm`. */
static uint32_t lanes_to(const struct mem_request *request, uint32_t lanes, uint32_t sm)
{
    uint32_t there = 0;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (lane_address(request->addresses, lane) >> LANE_SM_BIT == sm)
            there |= 1u << lane;
    }
    return there;
}

static struct network_part part_of(const struct mem_timing *timing,
                                   const struct mem_request *request, const struct memop *op,
                                   uint32_t lanes)
{
    struct coalesced touched;
    struct coalesced_repeats repeats;
    coalesce(request->addresses, lanes, request->width, timing->line_shift, &touched);
    const uint16_t sectors = (uint16_t)touched.sectors;
    if (op->action == MEMOP_LOAD)
        return (struct network_part){.sent = (uint16_t)touched.lines, .answers = sectors};
    if (op->action == MEMOP_STORE)
        return (struct network_part){.sent = sectors};
    uint32_t turns = 0;
    coalesce_repeats(request->addresses, lanes, timing->line_shift, &touched, &repeats);
    for (uint32_t i = 0; i < touched.lines; i++)
        turns += repeats.turns[i];
    return (struct network_part){.sent = (uint16_t)turns, .answers = (uint16_t)turns};
}

void network_find(struct network_access *access, const struct mem_timing *timing,
                  const struct mem_request *request, const struct memop *op)
{
    access->parts = 0;
    access->loads = op->action == MEMOP_LOAD;
    for (uint32_t left = request->lanes; left;) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t sm = (uint32_t)(lane_address(request->addresses, lane) >> LANE_SM_BIT);
        const uint32_t lanes = lanes_to(request, left, sm);
        left &= ~lanes;
        if (sm == request->own_sm)
            continue;
        struct network_part *part = &access->part[access->parts++];
        *part = part_of(timing, request, op, lanes);
        part->to = (uint16_t)sm;
    }
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t network_room(const struct network_end *end, const struct network_access *access)
{
    uint64_t free = access->loads ? end->ask.cycle : end->out.cycle;
    for (uint32_t i = 0; i < access->parts; i++) {
        const struct network_seen *seen = &end->seen[access->part[i].to];
        free =
            max_u64(free, access->loads ? seen->in_free : max_u64(seen->in_free, seen->out_free));
    }
    return free > BACKLOG ? free - BACKLOG : 0;
}

/* Puts a packet into the order in which packets leave. */
static void insert(struct network_end *end, const struct network_packet *packet)
{
    uint32_t at = end->packets++;
    for (; at != 0 && end->packet[at - 1].leaves > packet->leaves; at--)
        end->packet[at] = end->packet[at - 1];
    end->packet[at] = *packet;
}

void network_send(struct network_end *end, uint64_t now, const struct network_access *access,
                  uint32_t request, uint32_t latency)
{
    SIMSM_CHECK(end->packets + access->parts <= end->room, "%u packets of an SM", end->packets);
    requests_add_parts(end->requests, request, access->parts);
    for (uint32_t i = 0; i < access->parts; i++) {
        const struct network_part *part = &access->part[i];
        uint64_t leaves = port_send(&end->out, now, part->sent * SECTOR_BYTES);
        if (access->loads)
            leaves = port_send(&end->ask, now, part->sent * SECTOR_BYTES);
        insert(end, &(struct network_packet){
                        .leaves = leaves, .latency = latency, .request = request, .part = *part});
    }
    if (now + latency < end->next)
        end->next = now + latency;
}

/* Takes a packet through the receiver's ways, and tells the sender's request when it is over. */
static void serve(const struct network *network, struct network_end *from,
                  const struct network_packet *packet, uint64_t now)
{
    const struct network_part *part = &packet->part;
    struct network_end *to = network->end[part->to];
    uint64_t done = port_send(&to->in, packet->leaves, part->sent * SECTOR_BYTES);
    if (part->answers) {
        const uint32_t behind = (part->answers - 1u) * SECTOR_BYTES / to->out.rate;
        done = port_send(&to->out, done, part->answers * SECTOR_BYTES) + behind;
    }
    done += packet->latency;
    SIMSM_CHECK(done >= now, "an access of cycle %llu ends at %llu, served at %llu",
                (unsigned long long)packet->leaves, (unsigned long long)done,
                (unsigned long long)now);
    requests_arrived(from->requests, packet->request, done, SIMSM_LEVEL_SHARED);
    requests_finish_part(from->requests, packet->request);
}

/* Lists the SMs that have sent something. Returns how many there are, and sets *first to the cycle
 * in which the first packet leaves. */
static uint32_t list_senders(const struct network *network, uint64_t *first)
{
    uint32_t senders = 0;
    *first = MEM_NEVER;
    for (uint32_t i = 0; i < network->sms; i++) {
        const struct network_end *end = network->end[i];
        if (!end || !end->packets)
            continue;
        network->sender[senders++] = (uint16_t)i;
        if (end->packet[0].leaves < *first)
            *first = end->packet[0].leaves;
    }
    return senders;
}

/* Serves the packets of one SM that leave in `cycle`. Returns the cycle in which the next one
 * does. */
static uint64_t serve_cycle(const struct network *network, struct network_end *end, uint64_t cycle,
                            uint64_t now)
{
    while (end->served < end->packets && end->packet[end->served].leaves == cycle)
        serve(network, end, &end->packet[end->served++], now);
    return end->served < end->packets ? end->packet[end->served].leaves : MEM_NEVER;
}

/* Drops the packets that have been served. */
static void drop_served(struct network_end *end)
{
    end->packets -= end->served;
    memmove(end->packet, &end->packet[end->served], end->packets * sizeof *end->packet);
    end->served = 0;
    end->next = MEM_NEVER;
    for (uint32_t i = 0; i < end->packets; i++)
        if (end->packet[i].leaves + end->packet[i].latency < end->next)
            end->next = end->packet[i].leaves + end->packet[i].latency;
}

void network_exchange(struct network *network, uint64_t now)
{
    uint64_t cycle;
    const uint32_t senders = list_senders(network, &cycle);
    while (cycle < now) {
        uint64_t next = MEM_NEVER;
        for (uint32_t i = 0; i < senders; i++) {
            const uint64_t leaves =
                serve_cycle(network, network->end[network->sender[i]], cycle, now);
            next = leaves < next ? leaves : next;
        }
        cycle = next;
    }
    for (uint32_t i = 0; i < senders; i++)
        drop_served(network->end[network->sender[i]]);
    for (uint32_t i = 0; i < network->sms; i++)
        if (network->end[i])
            network->seen[i] =
                (struct network_seen){network->end[i]->in.cycle, network->end[i]->out.cycle};
}
