/*
 * MODEL: stores and reductions at the load/store stage, grade full. The lines of a store pass in
 * order, each when its tags have been looked up and the store buffer has room (stores.c). The lines
 * of a reduction go to the outbox at once, l1.tags_per_cycle a cycle, and invalidate their sectors
 * of L1. A store leaves in L1 what docs/memory.md says under "L1".
 * SOURCE: H200, cuda/calib/l1 load_after_store, cuda/calib/pending, cuda/calib/stores.
 * LEFT OUT: byte masks: a store of a byte counts as a store of its word.
 */
#include "mem/mem_sm.h"

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t global_store_turn(const struct mem_sm *sm)
{
    const struct stage *stage = &sm->stage;
    return max_u64(stage->turn, stage->begun + stage->next / sm->timing->tags_per_cycle);
}

bool global_store_has_room(const struct mem_sm *sm)
{
    const struct stage *stage = &sm->stage;
    uint64_t sector = stage->touched.line[stage->next] * sm->timing->l1_sectors +
                      (uint32_t)__builtin_ctz(stage->touched.mask[stage->next]);
    return stores_have_room(&sm->stores, sector >> sm->timing->l2_sector_shift);
}

/* Returns whether L1 keeps the words of a store that fills sectors in part. If so, fills
 * stage.words. */
static bool keeps_parts(struct mem_sm *sm, const struct mem_request *request, bool partial)
{
    enum { WORD = 4, LINE_SHIFT = 7 };
    if (!partial || !sm->timing->store_allocate || sm->l1.none || request->width < WORD ||
        sm->timing->line_shift != LINE_SHIFT)
        return false;
    global_find_words(sm, request);
    return true;
}

/* Returns the packet of a store or reduction without its line. */
static struct packet store_packet(const struct mem_request *request, uint32_t id, bool reduction)
{
    return (struct packet){.owner = (uint16_t)id,
                           .kind = reduction ? PACKET_REDUCTION : PACKET_WRITE,
                           .atomic = request->atomic,
                           .repeat = 1,
                           .turns = 1};
}

/* Adds `packets` that L2 has to accept to the parts of a request. */
static void await_packets(struct mem_sm *sm, uint32_t id, uint32_t packets)
{
    requests_add_parts(&sm->requests, id, packets);
    sm->unserved_stores += packets;
}

static void reduce(struct mem_sm *sm, uint64_t now, const struct mem_request *request, uint32_t id)
{
    struct stage *stage = &sm->stage;
    uint32_t in_flight = 0;
    for (uint32_t i = 0; i < stage->touched.lines; i++) {
        uint64_t line = stage->touched.line[i];
        uint32_t mask = stage->touched.mask[i];
        struct packet packet = store_packet(request, id, true);
        packet.repeat = stage->repeats.most[i];
        packet.turns = stage->repeats.turns[i];
        l1_drop(&sm->l1, line, mask);
        await_packets(sm, id,
                      send_line(sm, now + i / sm->timing->tags_per_cycle, line, mask, &packet));
        in_flight += packet.turns;
    }
    sm->requests.open[id].store_sectors = (uint16_t)in_flight;
    sm->requests.store_sectors += in_flight;
    stage->next = stage->touched.lines;
    requests_finish_part(&sm->requests, id);
}

/* Passes a store through L1, and fills stage.words with the words that it writes. */
static void store_in_l1(struct mem_sm *sm, const struct mem_request *request)
{
    struct stage *stage = &sm->stage;
    bool partial = (uint32_t)__builtin_popcount(request->lanes) * request->width <
                   stage->touched.sectors * SECTOR_BYTES;
    bool fills = !partial && sm->timing->store_allocate && !request->beside;
    bool parts = keeps_parts(sm, request, partial);
    if (partial && !parts)
        global_find_words(sm, request);
    for (uint32_t i = 0; i < stage->touched.lines; i++) {
        uint64_t line = stage->touched.line[i];
        uint32_t mask = stage->touched.mask[i];
        if (parts)
            l1_store_words(&sm->l1, line, (uint32_t)stage->words[i]);
        else
            l1_store(&sm->l1, line, fills ? mask : 0);
        if (!partial)
            stage->words[i] = sector_words(mask);
    }
}

void global_pass_stores(struct mem_sm *sm, uint64_t now)
{
    struct stage *stage = &sm->stage;
    struct packet packet = stage->packet;
    uint64_t cycle = stage->turn;
    for (; stage->next < stage->touched.lines; stage->next++) {
        uint64_t line = stage->touched.line[stage->next];
        cycle = global_store_turn(sm);
        if (cycle > now)
            return;
        stores_advance(sm, cycle);
        while (!global_store_has_room(sm)) {
            if (!stores_can_leave(sm) || stores_departure(&sm->stores) > now)
                return;
            cycle = stores_departure(&sm->stores);
            stores_advance(sm, cycle);
        }
        stage->turn = cycle;
        packet.words = stage->words[stage->next];
        await_packets(sm, packet.owner,
                      send_line(sm, cycle, line, stage->touched.mask[stage->next], &packet));
    }
    if (stage->free_at < cycle)
        stage->free_at = stage->room_at = cycle;
    requests_finish_part(&sm->requests, packet.owner);
}

void global_store(struct mem_sm *sm, uint64_t now, const struct memop *op,
                  const struct mem_request *request, struct store_times times)
{
    struct stage *stage = &sm->stage;
    bool reduction = op->action == MEMOP_REDUCTION;
    uint32_t id = requests_open(&sm->requests, request->tag);
    if (stage->touched.lines == 0)
        requests_arrived(&sm->requests, id, times.ready, SIMSM_LEVEL_L1);
    stage->begun = stage->turn = now;
    stage->free_at = now + times.busy;
    if (reduction) {
        reduce(sm, now, request, id);
        return;
    }
    stage->storing = true;
    stage->next = 0;
    stage->packet = store_packet(request, id, false);
    /* This store's data pass while the lines of the store before it wait for room. */
    uint64_t passed = stage->room_at == now ? stage->passed : now;
    stage->passed = passed + times.busy;
    stage->ready = passed + sm->timing->store_cycles + times.extra;
    store_in_l1(sm, request);
    global_pass_stores(sm, now);
}
