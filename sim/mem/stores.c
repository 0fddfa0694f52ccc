/*
 * MODEL: the store buffer. A line stays for as long as L1 takes with its instruction; each store
 * that joins it sets its time anew, whatever words and whichever warp of the SM it comes from.
 * Lines leave in order, one a cycle, into xbar.store_packets places at the SM's port. While
 * xbar.stores_in_flight sectors of the SM are in flight, lines wait. At most l1.store_lines lines
 * wait; a further store holds the load/store stage.
 * SOURCE: H200, cuda/calib/pending and cuda/calib/stores (docs/calibration.md, "Stores that join").
 * LEFT OUT: stores of several SMs to words of one sector are faster on an H200 if each has its own
 * sector (cuda/calib/pending rows_part, rows_far; not explained).
 */
#include "mem/stores.h"

#include "base/check.h"
#include "mem/mem_sm.h"
#include "mem/unwritten.h"

bool stores_init(struct stores *stores, struct arena *arena, const struct simsm_config *config,
                 uint32_t most)
{
    uint32_t packets = config->xbar_store_packets;
    *stores = (struct stores){.room = 1,
                              .head = 1, /* number 0 means none */
                              .tail = 1,
                              .limit = config->l1_store_lines,
                              .packets = packets < STORES_PACKETS ? packets : STORES_PACKETS};
    while (stores->room < stores->limit + most)
        stores->room *= 2;
    uint32_t joins = (config->xbar_stores_in_flight + stores->room) * STORES_JOINS;
    joins = joins < UINT16_MAX ? joins : UINT16_MAX;
    stores->line = arena_take(arena, stores->room, sizeof *stores->line);
    stores->join = arena_take_pool(arena, joins, sizeof *stores->join);
    if (stores->line == NULL || stores->join == NULL || !ids_init(&stores->joins, arena, joins))
        return false;
    (void)ids_take(&stores->joins);
    return true;
}

static struct stores_line *line_at(const struct stores *stores, uint32_t number)
{
    return &stores->line[number & (stores->room - 1)];
}

/* Returns the line's index in stores.last. */
static uint32_t place_of(uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 58);
}

/* Returns the line if it has not left: the one put last. NULL: it is not in the buffer. */
static struct stores_line *find(const struct stores *stores, uint64_t line)
{
    uint32_t number = stores->last[place_of(line)];
    while (number - stores->head < stores->tail - stores->head) {
        struct stores_line *found = line_at(stores, number);
        if (found->packet.line == line)
            return found;
        number = found->before;
    }
    return NULL;
}

/* Returns the line if a further store can join it, else NULL. */
static struct stores_line *find_open(const struct stores *stores, uint64_t line)
{
    struct stores_line *found = find(stores, line);
    bool open = found != NULL && found->joins < STORES_JOINS && ids_left(&stores->joins) != 0;
    return open ? found : NULL;
}

void stores_seal(struct stores *stores, uint64_t line)
{
    struct stores_line *found = find(stores, line);
    if (found != NULL)
        found->joins = STORES_JOINS;
}

uint64_t stores_departure(const struct stores *stores)
{
    if (stores->head == stores->tail)
        return MEM_NEVER;
    uint64_t cycle = line_at(stores, stores->head)->ready;
    if (cycle < stores->from)
        cycle = stores->from;
    uint64_t place = stores->free[stores->head % stores->packets];
    return cycle > place ? cycle : place;
}

/* Sectors in flight are counted until the request that began the line is done. If the only sectors
 * in flight are the first lines of one request, its other lines must be able to leave. */
bool stores_can_leave(const struct mem_sm *sm)
{
    const struct requests *requests = &sm->requests;
    const struct packet *packet = &line_at(&sm->stores, sm->stores.head)->packet;
    return requests->store_sectors == requests->open[packet->owner].store_sectors ||
           (requests->store_sectors + sector_count(packet->mask) <= sm->timing->stores_in_flight &&
            requests->waiting < sm->timing->waiting_limit);
}

static void send_oldest_line(struct mem_sm *sm, uint64_t now)
{
    struct stores *stores = &sm->stores;
    struct packet packet = line_at(stores, stores->head)->packet;
    uint32_t sectors = sector_count(packet.mask);
    packet.partial = (packet.mask & ~whole_sectors(packet.words)) != 0;
    sm->requests.store_sectors += sectors;
    sm->requests.open[packet.owner].store_sectors += (uint16_t)sectors;
    uint64_t sent = outbox_send(&sm->outbox, now, packet_bytes(sm->timing, &packet), &packet);
    stores->free[stores->head % stores->packets] = sent + STORES_CREDIT;
    stores->from = now + 1;
    stores->head++;
}

void stores_advance(struct mem_sm *sm, uint64_t now)
{
    uint64_t cycle;
    while ((cycle = stores_departure(&sm->stores)) <= now) {
        requests_settle(&sm->requests, cycle);
        if (!stores_can_leave(sm))
            return;
        send_oldest_line(sm, cycle);
    }
}

void stores_answered(struct mem_sm *sm, uint64_t now)
{
    if (stores_departure(&sm->stores) <= now) /* it has waited for this answer */
        sm->stores.from = now;
    stores_advance(sm, now);
}

bool stores_have_room(const struct stores *stores, uint64_t line)
{
    return stores->tail - stores->head < stores->limit || find_open(stores, line) != NULL;
}

void stores_put(struct mem_sm *sm, uint64_t now, uint64_t ready, struct packet packet)
{
    struct stores *stores = &sm->stores;
    struct stores_line *line = find_open(stores, packet.line);
    if (ready < now)
        ready = now;
    if (line == NULL) {
        uint32_t *last = &stores->last[place_of(packet.line)];
        SIMSM_CHECK(stores->tail - stores->head < stores->room, "%u lines wait, room for %u",
                    stores->tail - stores->head, stores->room);
        *line_at(stores, stores->tail) = (struct stores_line){packet, ready, 0, *last};
        *last = stores->tail++;
        return;
    }
    uint32_t join = ids_take(&stores->joins);
    stores->join[join] = (struct stores_join){packet.owner, line->packet.joined};
    line->packet.joined = (uint16_t)join;
    line->packet.mask |= packet.mask;
    line->packet.words |= packet.words;
    line->joins++;
    if (line->ready < ready)
        line->ready = ready;
}
