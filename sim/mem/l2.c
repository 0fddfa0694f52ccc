#include "mem/l2.h"

#include <stdlib.h>

#include "mem/coalesce.h"
#include "mem/timing.h"

bool l2_init(struct l2 *l2, const struct simsm_config *config, uint32_t dram_extra)
{
    uint32_t line_bytes = 1u << timing_shift(config->l2_line_bytes);
    uint32_t slices = config->l2_slices;
    uint64_t sets = (uint64_t)config->l2_bytes / slices / line_bytes / config->l2_ways;
    if (sets == 0)
        sets = 1;
    l2->slices = spread_over(slices);
    l2->sets = spread_over((uint32_t)sets);
    l2->sectors = line_bytes / SECTOR_BYTES;
    l2->fetch = 1u << timing_shift(config->l2_fetch_bytes / SECTOR_BYTES);
    if (l2->fetch > l2->sectors)
        l2->fetch = l2->sectors;
    l2->dram_extra = dram_extra;
    l2->atomic_interval = config->l2_atomic_interval;
    if (!tags_init(&l2->tags, (uint32_t)sets * slices, config->l2_ways, true))
        return false;
    l2->port = calloc(slices, sizeof *l2->port);
    l2->turn = calloc((size_t)slices * L2_TURNS, sizeof *l2->turn);
    if (l2->port == NULL || l2->turn == NULL)
        return false;
    for (uint32_t i = 0; i < slices; i++)
        l2->port[i].rate = config->l2_slice_bytes;
    return dram_init(&l2->dram, config, line_bytes);
}

void l2_free(struct l2 *l2)
{
    tags_free(&l2->tags);
    free(l2->port);
    free(l2->turn);
    dram_free(&l2->dram);
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Where a line is looked up, and when the slice has moved its sectors. */
struct visit {
    uint64_t *entry, *filling; /* of its line, in the tags */
    uint64_t asked;            /* cycle at which it came */
    uint64_t cycle;            /* at which the slice has moved the last byte */
    uint64_t room;             /* at which a line that had to give way could be written */
};

/* Passes `mask` through the slice of `line` and finds or makes its entry. */
static struct visit enter(struct l2 *l2, struct tally *tally, uint64_t cycle, uint64_t line,
                          struct l2_place place, uint32_t mask)
{
    struct visit visit;
    struct port *port = &l2->port[place.slice];
    (void)port_send(port, cycle, sector_count(mask) * SECTOR_BYTES);
    visit.asked = cycle;
    visit.cycle = port_last(port);
    visit.room = visit.cycle;
    uint64_t evicted;
    uint32_t way = tags_take(&l2->tags, place.set, line, &evicted);
    visit.entry = tags_entry(&l2->tags, place.set, way);
    visit.filling = tags_note(&l2->tags, place.set, way);
    if (tags_valid(*visit.entry) == 0)
        *visit.filling = 0;
    uint32_t dirty = tags_dirty(evicted);
    if (dirty != 0)
        visit.room = max_u64(visit.cycle, dram_write(&l2->dram, tally, cycle, tags_line(evicted),
                                                     sector_count(dirty)));
    return visit;
}

/* Sectors of the aligned blocks around `mask`. */
static uint32_t blocks(const struct l2 *l2, uint32_t mask)
{
    uint32_t all = 0;
    if (l2->fetch == 1)
        return mask;
    for (uint32_t first = 0; first < l2->sectors; first += l2->fetch) {
        uint32_t block = ((1u << l2->fetch) - 1u) << first;
        all |= mask & block ? block : 0;
    }
    return all;
}

/* Reads what is missing of `mask`; returns the sectors of it that were there. */
static uint32_t fetch_missing(struct l2 *l2, struct tally *tally, const struct visit *visit,
                              uint64_t line, uint32_t mask)
{
    uint64_t *entry = visit->entry;
    uint64_t *filling = visit->filling;
    uint32_t valid = tags_valid(*entry);
    if (*filling >> 8 <= visit->cycle)
        *filling = 0;
    uint32_t missing = mask & ~valid;
    if (missing != 0) {
        uint32_t fetch = blocks(l2, missing) & ~valid;
        /* Channels are asked in the order of arrival, so that a slice's queue leaves no gaps. */
        uint64_t read = dram_read(&l2->dram, tally, visit->asked, line, sector_count(fetch));
        uint64_t done = max_u64(read, visit->cycle) + l2->dram_extra;
        uint64_t last = max_u64(*filling >> 8, done);
        *filling = last << 8 | (*filling & 0xFF) | fetch;
        *entry |= fetch;
    }
    return mask & valid & ~(uint32_t)(*filling & 0xFF);
}

uint32_t l2_read(struct l2 *l2, struct tally *tally, uint64_t cycle, uint64_t line,
                 struct l2_place place, uint32_t mask, struct l2_reply reply[L2_REPLIES])
{
    struct visit visit = enter(l2, tally, cycle, line, place, mask);
    uint32_t hit = fetch_missing(l2, tally, &visit, line, mask);
    uint32_t count = 0;
    TALLY(tally, L2_READ_SECTORS, sector_count(mask));
    TALLY(tally, L2_READ_HITS, sector_count(hit));
    if (hit != 0)
        reply[count++] = (struct l2_reply){visit.cycle, hit, SIMSM_LEVEL_L2};
    if (hit != mask)
        reply[count++] = (struct l2_reply){*visit.filling >> 8, mask & ~hit, SIMSM_LEVEL_DRAM};
    return count;
}

uint64_t l2_write(struct l2 *l2, struct tally *tally, uint64_t cycle, uint64_t line,
                  struct l2_place place, uint32_t mask)
{
    struct visit visit = enter(l2, tally, cycle, line, place, mask);
    *visit.entry |= mask << 8 | mask;
    *visit.filling &= ~(uint64_t)mask;
    TALLY(tally, L2_WRITE_SECTORS, sector_count(mask));
    return visit.room;
}

uint64_t l2_atomic(struct l2 *l2, struct tally *tally, uint64_t cycle, uint64_t line,
                   struct l2_place place, uint32_t mask, uint32_t repeat, struct l2_reply *reply)
{
    struct visit visit = enter(l2, tally, cycle, line, place, mask);
    uint32_t hit = fetch_missing(l2, tally, &visit, line, mask);
    uint64_t data = hit == mask ? visit.cycle : *visit.filling >> 8;
    uint64_t turn_at = visit.room;
    *reply = (struct l2_reply){0, mask, hit == mask ? SIMSM_LEVEL_L2 : SIMSM_LEVEL_DRAM};
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint64_t sector = line * l2->sectors + (uint32_t)__builtin_ctz(left);
        struct l2_turn *turn = &l2->turn[place.slice * L2_TURNS + sector % L2_TURNS];
        uint64_t free = turn->sector == sector ? turn->free : 0;
        uint64_t start = max_u64(free, data);
        uint64_t last = start + (uint64_t)(repeat - 1) * l2->atomic_interval;
        *turn = (struct l2_turn){sector, last + l2->atomic_interval};
        reply->cycle = max_u64(reply->cycle, last);
        turn_at = max_u64(turn_at, free);
    }
    *visit.entry |= mask << 8;
    TALLY(tally, L2_ATOM_SECTORS, sector_count(mask));
    return turn_at;
}
