/*
 * MODEL: packets from L1 to L2, one for each L2 line that the sectors lie in. A store waits in the
 * store buffer (stores.c) first; a read, an atomic or a reduction enters the outbox at once and
 * closes its line in the store buffer.
 * SOURCE: docs/memory.md, stage "SM to L2"; H200, cuda/calib/hot share (no store joins a line
 * before another access to it).
 * LEFT OUT: nothing known.
 */
/* Sends or buffers one packet. */
#include "mem/mem_sm.h"

static void post(struct mem_sm *sm, uint64_t cycle, struct packet *packet)
{
    packet->at = l2_places(sm->l2, packet->line, sm->partition);
    *(l2_is_own(&packet->at) ? &sm->used_near : &sm->used_far) = true;
    if (packet->kind == PACKET_WRITE) {
        stores_put(sm, cycle, sm->stage.ready, *packet);
        return;
    }
    stores_seal(&sm->stores, packet->line);
    stores_advance(sm, cycle);
    (void)outbox_send(&sm->outbox, cycle, packet_bytes(sm->timing, packet), packet);
}

/* Sends one packet for each L2 line that `mask` lies in. Returns the number of packets. */
static uint32_t send_pieces(struct mem_sm *sm, uint64_t cycle, uint64_t line, uint32_t mask,
                            struct packet *packet)
{
    const struct mem_timing *timing = sm->timing;
    uint32_t step =
        timing->l1_sectors < timing->l2_sectors ? timing->l1_sectors : timing->l2_sectors;
    uint32_t count = 0;
    uint64_t words = packet->words; /* words of the L1 line */
    for (uint32_t first = 0; first < timing->l1_sectors; first += step) {
        uint32_t part = mask >> first & ((1u << step) - 1u);
        if (part == 0)
            continue;
        uint64_t sector = line * timing->l1_sectors + first;
        packet->turns = (uint8_t)(sector_count(part) * packet->repeat);
        packet->line = sector >> timing->l2_sector_shift;
        packet->down = (uint8_t)(sector & (timing->l2_sectors - 1));
        packet->up = (uint8_t)first;
        packet->mask = (uint8_t)(part << packet->down);
        packet->words = words >> first * SECTOR_WORDS << packet->down * SECTOR_WORDS;
        post(sm, cycle, packet);
        count++;
    }
    return count;
}

uint32_t send_line(struct mem_sm *sm, uint64_t cycle, uint64_t line, uint32_t mask,
                   struct packet *packet)
{
    if (sm->timing->l1_sectors != sm->timing->l2_sectors)
        return send_pieces(sm, cycle, line, mask, packet);
    packet->line = line;
    packet->mask = (uint8_t)mask;
    post(sm, cycle, packet);
    return 1;
}
