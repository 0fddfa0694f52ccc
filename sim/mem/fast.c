/*
 * MODEL: the grade fast, shared part. It has the latencies of the configuration; the lines that L2
 * holds, with eight ways (fast_cache.h); reads of a GPC that join; reads that wait behind a write
 * to their line; the rates of the way out of an SM and back, of L2's slices and of DRAM's channels
 * with rows, turns and refresh; turns of atomics. Each packet asks once for its place in these
 * queues, when it leaves its SM, in the order of (cycle, SM, sequence). Its answer is known then.
 * SOURCE: as l2.c, lrc.c, turnaround.c and dram.c; the simplifications are own choices.
 * docs/sampling.md has the error and the speed.
 * LEFT OUT: of the grade full: MSHRs (only the number of lines under way is bounded, l1.mshrs),
 * lines of stores that join, sectors known in part, merging by words. Replies have no queue: the
 * delay of the way back counts from the request's arrival at L2.
 */
#include "mem/fast.h"

#include "base/bits.h"
#include "base/check.h"
#include "mem/coalesce.h"
#include "mem/fast_sm.h"
#include "mem/mem_sm.h"

enum { AHEAD = 16 }; /* packets; the sets of a packet are prefetched so far ahead */

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool fast_init(struct fast *fast, struct arena *arena, struct arena *lines,
               const struct simsm_config *config, uint32_t sms, const struct mem_timing *timing,
               uint64_t window)
{
    const uint32_t partitions = config->l2_partitions;
    const uint32_t line_bytes = 1u << timing->line_shift;
    const uint32_t near = partitions > 1 ? config->l2_far_latency / 2 : 0;
    fast->timing = timing;
    fast->window = window;
    fast->atomic_latency = config->l2_atomic_latency > near ? config->l2_atomic_latency - near : 0;
    fast->value_bytes = config->xbar_atomic_reply * config->xbar_reply_bytes;
    if (config->l2_dirty_ways != 0 && config->l2_dirty_ways < config->l2_ways) {
        fast->dirty_ways = config->l2_dirty_ways * FAST_WAYS / config->l2_ways;
        fast->dirty_ways += fast->dirty_ways == 0;
    }
    for (uint32_t i = 0; i < partitions; i++)
        if (!fast_cache_init(
                &fast->lines[i], lines,
                max_u64((uint64_t)config->l2_bytes / partitions, (uint64_t)line_bytes * FAST_WAYS),
                line_bytes))
            return false;
    fast->room = sms * ((uint32_t)window * (config->xbar_request_bytes / SECTOR_BYTES + 1) + 1);
    fast->flight = arena_take(arena, FAST_FLIGHTS, sizeof *fast->flight);
    fast->turn = arena_take(arena, fast->room, sizeof *fast->turn);
    fast->first = arena_take(arena, window + 1, sizeof *fast->first);
    return fast->turn != NULL && fast->flight != NULL && fast->first != NULL;
}

/* Returns the L2 line of an L1 line. */
static uint64_t l2_line(const struct fast *fast, uint64_t line)
{
    return line * fast->timing->l1_sectors >> fast->timing->l2_sector_shift;
}

/* A packet at L2. */
struct fast_visit {
    struct fast *fast;
    struct tally *tally;
    struct mem_sm *sm;
    const struct fast_packet *packet;
    uint64_t cycle; /* cycle at which it comes to L2 */
    uint64_t line;  /* L2 line */
    uint64_t late;  /* cycles that the translation of its address takes */
    uint32_t own;   /* partition that owns the line */
    uint32_t index; /* SM */
};

static void answer(const struct fast_visit *visit, uint64_t cycle, uint8_t level)
{
    fast_answer(visit->sm, cycle + visit->late, level);
}

static uint32_t slice_of(const struct fast_visit *visit, uint32_t partition)
{
    return l2_place(visit->fast->l2, visit->line, partition, partition != visit->own).slice;
}

/* Moves bytes through a port of a slice. Returns the cycle of the last byte. */
static uint64_t pass(struct port *port, uint64_t cycle, uint32_t bytes)
{
    (void)port_send(port, cycle, bytes);
    return port_last(port);
}

/* An entry of a cache: line << 16 | dirty sectors << 8 | valid sectors. */
enum { TAG_SHIFT = 16 };

static uint32_t dirty_of(uint64_t entry)
{
    return entry == FAST_EMPTY ? 0 : (uint32_t)entry >> 8 & 0xFF;
}

/* Writes the dirty sectors of an entry. Returns the cycle at which the channel can take them. */
static uint64_t write_back(const struct fast_visit *visit, uint64_t entry)
{
    return dram_write(&visit->fast->l2->dram, visit->tally, visit->cycle,
                      l2_line(visit->fast, entry >> TAG_SHIFT), sector_count(dirty_of(entry)));
}

/* Returns the line's entry in a partition. Takes an entry if the line has none; *room is raised to
 * the cycle at which an evicted line can be written. */
static uint64_t *enter(const struct fast_visit *visit, uint32_t partition, uint64_t *room)
{
    struct fast_set *set = fast_cache_set(&visit->fast->lines[partition], visit->packet->line);
    uint64_t *way = fast_cache_find(set, visit->packet->line, TAG_SHIFT);
    uint64_t evicted;
    if (way != NULL)
        return way;
    way = fast_cache_take(set, visit->packet->line, TAG_SHIFT, &evicted);
    if (dirty_of(evicted) != 0)
        *room = max_u64(*room, write_back(visit, evicted));
    return way;
}

/* Returns the entry which notes that sectors of `line` are on their way to `partition`. */
static struct fast_flight *flight_of(const struct fast *fast, uint64_t line, uint32_t partition)
{
    uint64_t hash = (line * FAST_PARTITIONS + partition) * UINT64_C(0x9E3779B97F4A7C15);
    return &fast->flight[hash >> 32 & (FAST_FLIGHTS - 1)];
}

static void note_flight(const struct fast_visit *visit, uint32_t partition, uint64_t until)
{
    *flight_of(visit->fast, visit->packet->line, partition) =
        (struct fast_flight){visit->packet->line * FAST_PARTITIONS + partition, until};
}

/* Returns the cycle at which the sectors on their way to `partition` are there; 0 if none are. */
static uint64_t flies_until(const struct fast_visit *visit, uint32_t partition)
{
    const struct fast_flight *flight = flight_of(visit->fast, visit->packet->line, partition);
    return flight->line == visit->packet->line * FAST_PARTITIONS + partition ? flight->until : 0;
}

/* Returns the sectors of the aligned blocks around `mask`, which a miss reads. */
static uint32_t blocks_of(const struct l2 *l2, uint32_t mask)
{
    uint32_t all = mask;
    for (uint32_t first = 0; l2->fetch > 1 && first < 8; first += l2->fetch) {
        uint32_t block = ((1u << l2->fetch) - 1u) << first;
        all |= mask & block ? block : 0;
    }
    return all & 0xFF;
}

/* Returns the cycle at which `sectors` that come at `there` are in a slice, whose way in they share
 * with stores. */
static uint64_t fill(const struct fast_visit *visit, uint32_t partition, uint32_t sectors,
                     uint64_t there)
{
    struct port *in = &visit->fast->l2->in[slice_of(visit, partition)];
    return max_u64(there, pass(in, visit->cycle, sectors * SECTOR_BYTES));
}

/* Reads the sectors of `mask` that entry `way` lacks from DRAM. *level becomes DRAM if there are
 * any. Returns the cycle at which all sectors are there. */
static uint64_t fetch(const struct fast_visit *visit, uint64_t *way, uint32_t partition,
                      uint32_t mask, uint64_t start, uint8_t *level)
{
    struct l2 *l2 = visit->fast->l2;
    const uint64_t before = flies_until(visit, partition);
    const uint32_t missing = mask & ~(uint32_t)*way;
    if (missing == 0)
        return max_u64(start, before);
    const uint32_t all = blocks_of(l2, missing) & ~(uint32_t)*way;
    uint64_t done = dram_read(&l2->dram, visit->tally, start, visit->line, sector_count(all));
    done = fill(visit, partition, sector_count(all), done);
    *way |= all;
    *level = SIMSM_LEVEL_DRAM;
    note_flight(visit, partition, max_u64(before, done + l2->dram_extra));
    return max_u64(before, done + l2->dram_extra);
}

static void count_read(struct tally *tally, uint32_t mask, uint32_t hit)
{
    TALLY(tally, L2_READ_SECTORS, sector_count(mask));
    TALLY(tally, L2_READ_HITS, sector_count(hit));
}

/* Reads in the SM's partition and, on a miss, in the line's own. Returns the cycle at which the
 * data are at the SM's slice. */
static uint64_t read_line(const struct fast_visit *visit, uint8_t *level)
{
    struct l2 *l2 = visit->fast->l2;
    const uint32_t mask = visit->packet->mask, partition = visit->sm->partition;
    uint64_t room = 0;
    uint64_t start = pass(&l2->out[slice_of(visit, partition)], visit->cycle,
                          sector_count(mask) * SECTOR_BYTES + l2->read_bytes);
    uint64_t *way = enter(visit, partition, &room);
    const uint32_t missing = mask & ~(uint32_t)*way;
    TALLY(visit->tally, L2_SM_READ_SECTORS, sector_count(mask));
    count_read(visit->tally, mask, mask & ~missing);
    if (missing == 0)
        start = l2_in_order(l2, visit->cycle, start, visit->line, false);
    if (missing == 0 || visit->own == partition)
        return fetch(visit, way, partition, mask, start, level);
    uint64_t there = pass(&l2->out[slice_of(visit, visit->own)], visit->cycle,
                          sector_count(missing) * SECTOR_BYTES + l2->read_bytes);
    uint64_t *far = enter(visit, visit->own, &room);
    count_read(visit->tally, missing, missing & (uint32_t)*far);
    there = fetch(visit, far, visit->own, missing, there, level);
    *way |= missing;
    there = fill(visit, partition, sector_count(missing), max_u64(there, start));
    there = max_u64(flies_until(visit, partition), there + l2->far_latency);
    note_flight(visit, partition, there);
    return there;
}

/* Returns the cycles that the way back to the SM adds. The port is as busy as the packets served so
 * far make it. */
static uint64_t way_back(const struct fast_visit *visit, uint32_t bytes)
{
    struct port *port = &visit->sm->fast.reply;
    (void)port_send(port, visit->cycle, bytes);
    return visit->fast->timing->xbar_latency + (port_last(port) - visit->cycle);
}

static void serve_read(const struct fast_visit *visit)
{
    const struct fast_packet *packet = visit->packet;
    const struct lrc *lrc = visit->fast->lrc;
    const struct lrc_request asked = {visit->cycle, visit->line, visit->index, packet->mask};
    struct lrc_read *read = packet->alone ? NULL : lrc_place(lrc, asked.sm, asked.line);
    const uint32_t service = visit->fast->timing->l2_service;
    uint64_t cycle;
    uint8_t level = SIMSM_LEVEL_L2;
    if (lrc_join(lrc, read, &asked)) {
        cycle = read->reply[0].cycle;
        level = read->reply[0].level;
        if (visit->cycle > service) /* a read that joins late finds the data at the end of L2 */
            cycle = max_u64(cycle, visit->cycle - service);
    } else {
        cycle = read_line(visit, &level);
        if (read != NULL) {
            read->reply[0].cycle = cycle;
            read->reply[0].level = level;
            read->replies = 1;
            lrc_note(lrc, read, &asked);
        }
    }
    answer(visit, cycle + service + way_back(visit, sector_count(packet->mask) * SECTOR_BYTES),
           level);
}

/*
 * Returns the line's entry in its own partition, which lies behind the SM's partition if they
 * differ. *start: cycle at which the data have come. *late: cycles that the way between partitions
 * adds.
 */
static uint64_t *enter_own(const struct fast_visit *visit, uint32_t bytes, uint64_t *start,
                           uint64_t *late, uint64_t *room)
{
    struct l2 *l2 = visit->fast->l2;
    *late = 0;
    if (visit->own != visit->sm->partition) {
        (void)pass(&l2->in[slice_of(visit, visit->sm->partition)], visit->cycle, bytes);
        *late = l2->far_latency;
    }
    *start = pass(&l2->in[slice_of(visit, visit->own)], visit->cycle, bytes);
    *room = *start;
    return enter(visit, visit->own, room);
}

/* Makes sectors of a line dirty. If its set then has too many dirty lines, writes the least
 * recently used dirty line; *room is raised to the cycle of that write. */
static void make_dirty(const struct fast_visit *visit, uint64_t *way, uint32_t mask, uint64_t *room)
{
    struct fast_set *set = (struct fast_set *)(void *)way; /* the entry is the first of its set */
    uint32_t dirty = 0, last = 0;
    *way |= mask | mask << 8;
    for (uint32_t i = 0; i < FAST_WAYS && visit->fast->dirty_ways != 0; i++) {
        dirty += dirty_of(set->way[i]) != 0;
        last = dirty_of(set->way[i]) != 0 ? i : last;
    }
    if (dirty <= visit->fast->dirty_ways)
        return;
    *room = max_u64(*room, write_back(visit, set->way[last]));
    set->way[last] &= ~UINT64_C(0xFF00);
}

static void serve_store(const struct fast_visit *visit)
{
    const struct fast_packet *packet = visit->packet;
    const struct l2 *l2 = visit->fast->l2;
    uint64_t start, late, room;
    uint32_t bytes =
        sector_count(packet->mask) * SECTOR_BYTES + (packet->partial ? l2->part_bytes : 0);
    uint64_t *way =
        enter_own(visit, bytes > l2->write_least ? bytes : l2->write_least, &start, &late, &room);
    TALLY(visit->tally, L2_SM_WRITE_SECTORS, sector_count(packet->mask));
    TALLY(visit->tally, L2_WRITE_SECTORS, sector_count(packet->mask) << (late != 0));
    make_dirty(visit, way, packet->mask, &room);
    room = max_u64(room, l2_in_order(visit->fast->l2, visit->cycle, start, visit->line, true));
    answer(visit, max_u64(start, room) + late + visit->fast->timing->store_cycles, SIMSM_LEVEL_L2);
}

/* Serves an atomic or a reduction: takes turns on its sectors and at the slice's unit. */
static void serve_atomic(const struct fast_visit *visit)
{
    const struct fast_packet *packet = visit->packet;
    struct l2 *l2 = visit->fast->l2;
    const uint64_t interval = l2->atomic_interval[packet->atomic];
    uint64_t data, late, room, turn = 0, last = 0;
    uint8_t level = SIMSM_LEVEL_L2;
    uint64_t *way =
        enter_own(visit, l2->no_contention ? 0 : sector_count(packet->mask) * SECTOR_BYTES, &data,
                  &late, &room);
    data = fetch(visit, way, visit->own, packet->mask, data, &level);
    for (uint32_t left = packet->mask; left != 0; left &= left - 1) {
        uint64_t sector =
            packet->line * visit->fast->timing->l1_sectors + (uint32_t)__builtin_ctz(left);
        uint64_t start = l2_take_turn(l2, slice_of(visit, visit->own), sector, data * L2_FRACTION,
                                      packet->repeat * interval, 1);
        last = max_u64(last, (start + (packet->repeat - 1) * interval) / L2_FRACTION);
        if (start > data * L2_FRACTION) /* a reduction waits for its turn, but not for memory */
            turn = max_u64(turn, start / L2_FRACTION);
    }
    /* Lanes on one word come one by one: further work for the unit. */
    if (packet->turns > sector_count(packet->mask) && l2->atomic_sector_interval != 0 &&
        !l2->no_contention)
        l2->unit_free[slice_of(visit, visit->own)] +=
            (uint64_t)(packet->turns - sector_count(packet->mask)) *
            l2->atomic_interval[ATOMIC_INTEGER];
    make_dirty(visit, way, packet->mask, &room);
    TALLY(visit->tally, L2_ATOM_SECTORS, sector_count(packet->mask) << (late != 0));
    if (packet->kind == MEMOP_REDUCTION) {
        answer(visit, max_u64(room, turn) + late, SIMSM_LEVEL_L2);
        return;
    }
    uint32_t bytes = sector_count(packet->mask) * SECTOR_BYTES +
                     (packet->repeat - 1u) * visit->fast->value_bytes;
    answer(visit,
           last + late + visit->fast->timing->l2_service + visit->fast->atomic_latency +
               way_back(visit, bytes),
           level);
}

static void serve(struct fast *fast, struct mem_sm *sm, uint32_t index, struct tally *tally)
{
    const struct fast_packet packet = *fast_next_packet(&sm->fast);
    struct fast_visit visit = {.fast = fast,
                               .tally = tally,
                               .sm = sm,
                               .index = index,
                               .packet = &packet,
                               .cycle = packet.leaves + fast->timing->xbar_latency,
                               .line = l2_line(fast, packet.line)};
    visit.own = l2_owner(fast->l2, visit.line);
    if (fast->tlb->entries != 0)
        visit.late = tlb_translate(fast->tlb, tally, index, packet.line << fast->timing->line_shift,
                                   packet.leaves) -
                     packet.leaves;
    if (packet.kind == MEMOP_LOAD)
        serve_read(&visit);
    else if (packet.kind == MEMOP_STORE)
        serve_store(&visit);
    else
        serve_atomic(&visit);
}

static uint32_t next_sm(const struct fast_sms *sms, uint32_t from)
{
    return bits_next(sms->begun, sms->count, from);
}

/* Puts the packets that leave in [base, end) into the order of (cycle, SM, sequence). Returns their
 * number. */
static uint32_t put_in_order(struct fast *fast, const struct fast_sms *sms, uint64_t base,
                             uint64_t end)
{
    const struct mem_sm *sm = sms->sm;
    uint32_t *first = fast->first, total = 0;
    for (uint64_t cycle = 0; cycle <= end - base; cycle++)
        first[cycle] = 0;
    for (uint32_t i = next_sm(sms, 0); i < sms->count; i = next_sm(sms, i + 1))
        for (uint32_t at = sm[i].fast.head; at != sm[i].fast.tail; at++, total++) {
            const struct fast_packet *packet = &sm[i].fast.packet[at & (sm[i].fast.room - 1)];
            if (packet->leaves >= end)
                break;
            first[packet->leaves - base + 1]++;
        }
    SIMSM_CHECK(total <= fast->room, "%u packets leave in a window, room for %u", total,
                fast->room);
    for (uint64_t cycle = 1; cycle <= end - base; cycle++)
        first[cycle] += first[cycle - 1];
    for (uint32_t i = next_sm(sms, 0); i < sms->count; i = next_sm(sms, i + 1))
        for (uint32_t at = sm[i].fast.head; at != sm[i].fast.tail; at++) {
            const struct fast_packet *packet = &sm[i].fast.packet[at & (sm[i].fast.room - 1)];
            if (packet->leaves >= end)
                break;
            fast->turn[first[packet->leaves - base]++] = (struct fast_turn){i, at};
        }
    return total;
}

/* Prefetches into the host's cache what serving a later packet reads. Inline, because gcc takes a
 * function that only prefetches for one without effect. */
static inline __attribute__((always_inline)) void
prefetch(const struct fast *fast, const struct mem_sm *sm, const struct fast_turn *turn)
{
    const struct mem_sm *of = &sm[turn->sm];
    const struct fast_packet *packet = &of->fast.packet[turn->ahead & (of->fast.room - 1)];
    const uint32_t own = l2_owner(fast->l2, l2_line(fast, packet->line));
    __builtin_prefetch(fast_cache_set(&fast->lines[of->partition], packet->line));
    if (own != of->partition)
        __builtin_prefetch(fast_cache_set(&fast->lines[own], packet->line));
    __builtin_prefetch(flight_of(fast, packet->line, of->partition));
    __builtin_prefetch(&of->requests.open[packet->request]);
}

static uint64_t first_departure(const struct fast_sms *sms)
{
    uint64_t first = MEM_NEVER;
    for (uint32_t i = next_sm(sms, 0); i < sms->count; i = next_sm(sms, i + 1)) {
        const struct fast_packet *packet = fast_next_packet(&sms->sm[i].fast);
        if (packet != NULL && packet->leaves < first)
            first = packet->leaves;
    }
    return first;
}

void fast_exchange(struct fast *fast, const struct fast_sms *sms, uint64_t window_end,
                   struct tally *tally)
{
    struct mem_sm *sm = sms->sm;
    uint64_t base;
    while ((base = first_departure(sms)) < window_end) {
        const uint64_t end = window_end - base < fast->window ? window_end : base + fast->window;
        const uint32_t turns = put_in_order(fast, sms, base, end);
        for (uint32_t i = 0; i < turns; i++) {
            if (i + AHEAD < turns)
                prefetch(fast, sm, &fast->turn[i + AHEAD]);
            serve(fast, &sm[fast->turn[i].sm], fast->turn[i].sm, tally);
        }
    }
    for (uint32_t i = next_sm(sms, 0); i < sms->count; i = next_sm(sms, i + 1)) {
        const struct fast_packet *left = fast_next_packet(&sms->sm[i].fast);
        sm[i].fast.served_until = window_end;
        sm[i].next_departure = left != NULL ? left->leaves : MEM_NEVER;
    }
}

bool fast_give_lines(struct fast *fast, struct fast_cache lines[FAST_PARTITIONS])
{
    for (uint32_t i = 0; i < FAST_PARTITIONS; i++)
        if (fast->lines[i].sets != lines[i].sets)
            return false;
    for (uint32_t i = 0; i < FAST_PARTITIONS; i++) {
        const struct fast_cache mine = fast->lines[i];
        fast->lines[i] = lines[i];
        lines[i] = mine;
    }
    return true;
}

void fast_hold(struct fast *fast, const struct mem_written *written)
{
    const uint32_t shift = fast->timing->line_shift, all = (1u << fast->timing->l1_sectors) - 1u;
    const uint64_t end = written->address + written->bytes;
    uint64_t evicted;
    for (uint64_t line = (end - written->kept) >> shift; line << shift < end; line++) {
        const uint32_t own = l2_owner(fast->l2, l2_line(fast, line));
        struct fast_set *set = fast_cache_set(&fast->lines[own], line);
        uint64_t *way = fast_cache_find(set, line, TAG_SHIFT);
        if (way == NULL)
            way = fast_cache_take(set, line, TAG_SHIFT, &evicted);
        *way |= all | all << 8;
    }
}
