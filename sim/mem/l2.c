/*
 * MODEL: L2. Addresses are hashed over slices and sets; lines are sectored, LRU, write-back. A
 * slice moves a number of bytes a cycle out for reads, and beside them a number in for stores and
 * atomics. A miss reads the aligned block of l2.fetch_bytes around it; a request for sectors that
 * are being read waits for the same fill. Fills and stores share the way into a slice: a copy of an
 * array takes as long as its loads and its stores one after the other. An evicted line writes its
 * dirty sectors. Atomics act here: atomics on one sector take turns, an interval for each lane on
 * one address, and the slice's unit takes one sector each interval of its own. With two partitions
 * an SM reads through its own partition. A line belongs to the partition whose memory holds it, and
 * a read or a store of whole sectors leaves a copy in the SM's partition. Stores and atomics pass
 * through the SM's partition and act in the line's own. An access that passes both partitions is
 * counted in both. Further rules: turnaround.c (reads behind writes), unwritten.c (dirty lines).
 * SOURCE: H200, cuda/calib/slices, bandwidth (l2_mix, hot_lines, count_*), atomic (one_word,
 * one_line_all), distance; cuda/probe/memory_mix (fills); docs/calibration.md, memory.
 * LEFT OUT: invalidating copies that SMs of the other partition overwrite; the width of the way
 * between partitions; compression. Fills of one line that overlap count as complete together.
 */
#include "mem/l2.h"

#include "mem/coalesce.h"
#include "mem/timing.h"

static uint32_t fraction(double cycles)
{
    return (uint32_t)(cycles * L2_FRACTION + 0.5);
}

bool l2_init(struct l2 *l2, struct arena *arena, struct arena *lines,
             const struct simsm_config *config, uint32_t dram_extra)
{
    uint32_t line_bytes = 1u << timing_shift(config->l2_line_bytes);
    uint32_t each = config->l2_slices / config->l2_partitions; /* slices of a partition */
    uint32_t slices = (each != 0 ? each : 1) * config->l2_partitions;
    uint64_t sets = (uint64_t)config->l2_bytes / slices / line_bytes / config->l2_ways;
    if (sets == 0)
        sets = 1;
    l2->partitions = config->l2_partitions;
    l2->four = config->l2_slice_of_four;
    l2->far_latency = l2->partitions > 1 ? config->l2_far_latency : 0;
    l2->slices = spread_over(slices / l2->partitions);
    l2->sets = spread_over((uint32_t)sets);
    l2->sectors = line_bytes / SECTOR_BYTES;
    l2->fetch = 1u << timing_shift(config->l2_fetch_bytes / SECTOR_BYTES);
    if (l2->fetch > l2->sectors)
        l2->fetch = l2->sectors;
    l2->read_bytes = config->l2_read_bytes;
    l2->write_least = config->l2_write_least;
    l2->part_bytes = config->l2_part_bytes;
    l2->dram_extra = dram_extra > l2->far_latency / 2 ? dram_extra - l2->far_latency / 2 : 0;
    for (int kind = 0; kind < ATOMIC_KINDS; kind++)
        l2->atomic_interval[kind] = fraction(config->l2_atomic_interval);
    if (config->l2_atomic_float_interval > 0)
        l2->atomic_interval[ATOMIC_FLOAT] = fraction(config->l2_atomic_float_interval);
    l2->atomic_sector_interval = fraction(config->l2_atomic_sector_interval);
    l2->cas_factor = config->l2_cas_factor;
    l2->no_contention = config->what_if_no_contention;
    if (!tags_init(&l2->tags, lines, (uint32_t)sets * slices, config->l2_ways, true))
        return false;
    l2->out = arena_take(arena, slices, sizeof *l2->out);
    l2->in = arena_take(arena, slices, sizeof *l2->in);
    l2->turn = arena_take(arena, (size_t)slices * L2_TURNS, sizeof *l2->turn);
    l2->unit_free = arena_take(arena, slices, sizeof *l2->unit_free);
    if (!turnaround_init(&l2->turnaround, arena, config->l2_write_read_interval, slices))
        return false;
    if (l2->out == NULL || l2->in == NULL || l2->turn == NULL || l2->unit_free == NULL)
        return false;
    uint32_t writes = config->l2_write_bytes != 0 ? config->l2_write_bytes : config->l2_slice_bytes;
    for (uint32_t i = 0; i < slices; i++) {
        l2->out[i].rate = config->l2_slice_bytes;
        l2->in[i].rate = writes;
    }
    return dram_init(&l2->dram, arena, config, line_bytes) &&
           unwritten_init(&l2->unwritten, arena, lines, config, &l2->tags, &l2->dram);
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* An access at one slice: its line's entry, and when the slice has moved its bytes. */
struct l2_visit {
    uint64_t *entry, *filling; /* the line's entry and note in the tags */
    uint64_t asked;            /* cycle at which the access came */
    uint64_t cycle;            /* cycle at which the slice has moved the last byte */
    uint64_t room;             /* cycle at which an evicted line could be written */
    uint32_t slice, set;
};

/* Moves `bytes` of `line` through a port of its slice, and finds the line's entry. Takes an entry
 * for the line if it has none. */
static struct l2_visit visit_slice(struct l2 *l2, struct tally *tally, uint64_t cycle,
                                   uint64_t line, struct l2_place place, struct port *port,
                                   uint32_t bytes)
{
    struct l2_visit visit;
    (void)port_send(port, cycle, bytes);
    visit.slice = place.slice;
    visit.set = place.set;
    visit.asked = cycle;
    visit.cycle = port_last(port);
    visit.room = visit.cycle;
    uint64_t evicted;
    uint32_t way = tags_take(&l2->tags, place.set, line, &evicted);
    visit.entry = tags_entry(&l2->tags, place.set, way);
    visit.filling = tags_note(&l2->tags, place.set, way);
    if (tags_valid(*visit.entry) == 0)
        *visit.filling = 0;
    if (tags_dirty(evicted) != 0)
        visit.room =
            max_u64(visit.cycle, unwritten_leave(&l2->unwritten, tally, cycle, place.set, evicted));
    return visit;
}

static struct l2_visit visit_slice_read(struct l2 *l2, struct tally *tally, uint64_t cycle,
                                        uint64_t line, struct l2_place place, uint32_t mask)
{
    uint32_t bytes = sector_count(mask) * SECTOR_BYTES + l2->read_bytes;
    return visit_slice(l2, tally, cycle, line, place, &l2->out[place.slice], bytes);
}

/* Returns the sectors of the aligned blocks around `mask`. */
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

/* The state of the sectors that an access wants. */
struct found {
    uint32_t hit;     /* sectors that are valid */
    uint32_t missing; /* sectors neither valid nor on their way */
    uint8_t level;    /* level that the sectors without a hit come from */
};

/*
 * Notes that sectors `fetch` of the line are valid `latency` cycles after they have come at
 * `there`. They share the way into the slice with stores. It is taken in the order of requests, so
 * a fill leaves no gap in it.
 */
static void begin_fill(struct l2 *l2, const struct l2_visit *visit, uint32_t fetch, uint64_t there,
                       uint32_t latency)
{
    struct port *in = &l2->in[visit->slice];
    (void)port_send(in, visit->asked, sector_count(fetch) * SECTOR_BYTES);
    there = max_u64(max_u64(there, visit->cycle), port_last(in)) + latency;
    uint64_t last = max_u64(*visit->filling >> 8, there);
    *visit->filling = last << 8 | (*visit->filling & 0xFF) | fetch;
    *visit->entry |= fetch;
}

static uint32_t sectors_missing(const struct l2_visit *visit, uint32_t mask)
{
    if (*visit->filling >> 8 <= visit->cycle)
        *visit->filling = 0;
    return mask & ~tags_valid(*visit->entry);
}

/* Returns the state of sectors `mask`; missing sectors come from DRAM. */
static inline struct found look_up_sectors(const struct l2_visit *visit, uint32_t mask)
{
    uint32_t missing = sectors_missing(visit, mask);
    uint32_t filling = (uint32_t)(*visit->filling & 0xFF);
    return (struct found){
        .hit = mask & ~missing & ~filling, .missing = missing, .level = SIMSM_LEVEL_DRAM};
}

/* Reads the missing sectors of `mask` from DRAM. Returns the state before the read. */
static inline struct found fetch_missing(struct l2 *l2, struct tally *tally,
                                         const struct l2_visit *visit, uint64_t line, uint32_t mask)
{
    struct found found = look_up_sectors(visit, mask);
    if (found.missing != 0) {
        uint32_t fetch = blocks(l2, found.missing) & ~tags_valid(*visit->entry);
        /* Channels are asked in the order of arrival, so a slice's queue leaves no gaps in them. */
        uint64_t read = dram_read(&l2->dram, tally, visit->asked, line, sector_count(fetch));
        begin_fill(l2, visit, fetch, read, l2->dram_extra);
    }
    return found;
}

/* Counts a read; sectors on their way count as hits. */
static void count_read(struct tally *tally, uint32_t mask, uint32_t missing)
{
    TALLY(tally, L2_READ_SECTORS, sector_count(mask));
    TALLY(tally, L2_READ_HITS, sector_count(mask & ~missing));
}

/* As fetch_missing, but reads the missing sectors from the line's own partition, whose slice is
 * visited at the time of the request. */
static inline struct found copy_missing(struct l2 *l2, struct tally *tally,
                                        const struct l2_visit *visit,
                                        const struct l2_request *request)
{
    struct found found = look_up_sectors(visit, request->mask);
    uint32_t missing = found.missing;
    if (missing == 0)
        return found;
    struct l2_visit far =
        visit_slice_read(l2, tally, request->cycle, request->line, request->at.own, missing);
    struct found other = fetch_missing(l2, tally, &far, request->line, missing);
    uint32_t hit = other.hit;
    count_read(tally, missing, other.missing);
    uint64_t there = hit == missing ? far.cycle : *far.filling >> 8;
    begin_fill(l2, visit, missing, there, l2->far_latency);
    if (hit == missing)
        found.level = SIMSM_LEVEL_L2;
    return found;
}

uint64_t l2_in_order(struct l2 *l2, uint64_t asked, uint64_t cycle, uint64_t line, bool write)
{
    if (!turnaround_concerns(&l2->turnaround, line, write))
        return cycle;
    uint32_t slice = l2_place(l2, line, l2_owner(l2, line), false).slice;
    struct turnaround_access access = {
        .line = line, .asked = asked, .cycle = cycle, .slice = slice, .write = write};
    if (!write)
        access.cycle = max_u64(access.cycle, l2->out[slice].cycle);
    uint64_t turn = turnaround_serve(&l2->turnaround, &access);
    if (turn > access.cycle) {
        port_hold(&l2->out[slice], turn);
        port_hold(&l2->in[slice], turn);
    }
    return turn;
}

uint32_t l2_read(struct l2 *l2, struct tally *tally, const struct l2_request *request,
                 struct l2_reply reply[L2_REPLIES])
{
    uint32_t mask = request->mask;
    struct l2_visit visit =
        visit_slice_read(l2, tally, request->cycle, request->line, request->at.near, mask);
    struct found found = l2_is_own(&request->at)
                             ? fetch_missing(l2, tally, &visit, request->line, mask)
                             : copy_missing(l2, tally, &visit, request);
    uint32_t count = 0;
    count_read(tally, mask, found.missing);
    if (found.hit != 0)
        reply[count++] =
            (struct l2_reply){l2_in_order(l2, visit.asked, visit.cycle, request->line, false),
                              found.hit, SIMSM_LEVEL_L2};
    if (found.hit != mask)
        reply[count++] = (struct l2_reply){*visit.filling >> 8, mask & ~found.hit, found.level};
    return count;
}

/* Changes the copy of a line in the SM's partition, where sectors `takes` are stored and sectors
 * `drops` become out of date. A store of whole sectors makes a copy if there is none. Returns the
 * cycle at which the line that it displaces could be written. */
static uint64_t write_copy(struct l2 *l2, struct tally *tally, const struct l2_request *request,
                           uint32_t takes, uint32_t drops)
{
    const uint32_t set = request->at.near.set;
    uint64_t evicted = TAGS_EMPTY;
    uint32_t way = takes != 0 ? tags_take(&l2->tags, set, request->line, &evicted)
                              : tags_find(&l2->tags, set, request->line);
    if (way == TAGS_NONE)
        return 0;
    uint64_t *copy = tags_entry(&l2->tags, set, way);
    if (tags_valid(*copy) == 0)
        *tags_note(&l2->tags, set, way) = 0;
    *copy = (*copy & ~(uint64_t)drops) | takes;
    return tags_dirty(evicted) != 0
               ? unwritten_leave(&l2->unwritten, tally, request->cycle, set, evicted)
               : 0;
}

/*
 * Visits the slice of the line's own partition for a store or an atomic. If the SM is in the other
 * partition, the access passes the SM's slice first. A copy there gets sectors `takes` and loses
 * sectors `drops`. *late: cycles that the way between the partitions adds.
 */
static struct l2_visit visit_own_slice(struct l2 *l2, struct tally *tally,
                                       const struct l2_request *request, uint32_t takes,
                                       uint32_t drops, uint32_t bytes, uint64_t *late)
{
    const struct l2_place place = request->at.near, own = request->at.own;
    *late = 0;
    if (l2_is_own(&request->at))
        return visit_slice(l2, tally, request->cycle, request->line, own, &l2->in[own.slice],
                           bytes);
    uint64_t room = write_copy(l2, tally, request, takes, drops);
    (void)port_send(&l2->in[place.slice], request->cycle, bytes);
    *late = l2->far_latency;
    struct l2_visit visit =
        visit_slice(l2, tally, request->cycle, request->line, own, &l2->in[own.slice], bytes);
    visit.room = max_u64(visit.room, room);
    return visit;
}

/* Returns the bytes of a slice's port that a store takes. `whole`: the sectors that it fills. */
static uint32_t write_bytes(const struct l2 *l2, uint32_t mask, uint32_t whole)
{
    uint32_t bytes = sector_count(mask) * SECTOR_BYTES + (mask != whole ? l2->part_bytes : 0);
    return bytes > l2->write_least ? bytes : l2->write_least;
}

uint64_t l2_write(struct l2 *l2, struct tally *tally, const struct l2_request *request)
{
    uint64_t late;
    uint32_t mask = request->mask, whole = whole_sectors(request->words) & mask;
    struct l2_visit visit =
        visit_own_slice(l2, tally, request, whole, 0, write_bytes(l2, mask, whole), &late);
    uint64_t room = unwritten_add(&l2->unwritten, tally, visit.asked, visit.set, visit.entry, mask,
                                  request->words);
    *visit.filling &= ~(uint64_t)whole;
    TALLY(tally, L2_WRITE_SECTORS, sector_count(mask) << (late != 0));
    return max_u64(max_u64(visit.room, room),
                   l2_in_order(l2, visit.asked, visit.cycle, request->line, true)) +
           late;
}

uint64_t l2_take_turn(struct l2 *l2, uint32_t slice, uint64_t sector, uint64_t data,
                      uint64_t length, double factor)
{
    struct l2_turn *turn = &l2->turn[slice * L2_TURNS + sector % L2_TURNS];
    if (l2->no_contention)
        return data;
    uint64_t start = max_u64(turn->sector == sector ? turn->free : 0, data);
    uint64_t *unit = &l2->unit_free[slice];
    if (l2->atomic_sector_interval != 0) {
        start = max_u64(start, *unit);
        *unit = start + (uint64_t)(l2->atomic_sector_interval * factor);
    }
    *turn = (struct l2_turn){sector, start + length};
    return start;
}

/* Returns how much longer than others an atomic keeps the slice's unit. Compare-and-swap on several
 * words of a sector has two operands for each (H100, cuda/calib/contend cas: 1 on one word, 1.45 on
 * 8, 1.57 on 64). */
static double unit_factor(const struct l2 *l2, const struct l2_request *request,
                          const struct l2_work *work)
{
    enum { FEW = 2 }; /* words of 32 bits: one of 64 */
    const uint64_t words = request->words & sector_words(request->mask);
    const bool several = (uint32_t)__builtin_popcountll(words) > FEW * sector_count(request->mask);
    return work->kind == ATOMIC_CAS && several ? l2->cas_factor : 1;
}

/* Returns the bytes of a slice's port that an atomic takes. */
static uint32_t atomic_bytes(const struct l2 *l2, uint32_t mask)
{
    return l2->no_contention ? 0 : sector_count(mask) * SECTOR_BYTES;
}

uint64_t l2_atomic(struct l2 *l2, struct tally *tally, const struct l2_request *request,
                   const struct l2_work *work, struct l2_reply *reply)
{
    uint64_t interval = l2->atomic_interval[work->kind];
    uint64_t late;
    uint32_t mask = request->mask;
    struct l2_visit visit =
        visit_own_slice(l2, tally, request, 0, mask, atomic_bytes(l2, mask), &late);
    uint32_t hit = fetch_missing(l2, tally, &visit, request->line, mask).hit;
    uint64_t data = max_u64(visit.cycle, request->cycle + work->tail);
    if (hit != mask)
        data = max_u64(data, *visit.filling >> 8);
    uint64_t turn_at = visit.room;
    const double factor = unit_factor(l2, request, work);
    *reply = (struct l2_reply){0, mask, hit == mask ? SIMSM_LEVEL_L2 : SIMSM_LEVEL_DRAM};
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint64_t sector = request->line * l2->sectors + (uint32_t)__builtin_ctz(left);
        uint64_t start = l2_take_turn(l2, visit.slice, sector, data * L2_FRACTION,
                                      work->repeat * interval, factor);
        uint64_t last = start + (work->repeat - 1) * interval;
        reply->cycle = max_u64(reply->cycle, last / L2_FRACTION);
        if (start > data * L2_FRACTION) /* a reduction waits for its turn, but not for memory */
            turn_at = max_u64(turn_at, start / L2_FRACTION);
    }
    reply->cycle += late;
    /* Lanes on one word come one by one: further work for the unit. */
    uint32_t sectors = sector_count(mask);
    if (work->turns > sectors && l2->atomic_sector_interval != 0 && !l2->no_contention)
        l2->unit_free[visit.slice] +=
            (uint64_t)((work->turns - sectors) * factor * l2->atomic_interval[ATOMIC_INTEGER]);
    (void)unwritten_add(&l2->unwritten, tally, visit.asked, visit.set, visit.entry, mask,
                        UINT64_MAX);
    TALLY(tally, L2_ATOM_SECTORS, sectors << (late != 0));
    return turn_at + late;
}

/* Begins a launch with a set that another launch has left: what was on its way has come. */
static void begin_set(struct l2 *l2, uint32_t set)
{
    for (uint32_t way = 0; way < l2->tags.ways; way++)
        *tags_note(&l2->tags, set, way) = 0;
    unwritten_begin(&l2->unwritten, set);
}

bool l2_give_lines(struct l2 *l2, struct tags *lines, struct unwritten_part **part)
{
    struct tags mine = l2->tags;
    struct unwritten_part *my_part = l2->unwritten.part;
    if (mine.sets != lines->sets || mine.ways != lines->ways)
        return false;
    l2->tags = *lines;
    *lines = mine;
    l2->unwritten.part = *part;
    *part = my_part;
    for (uint32_t set = 0; set < mine.sets; set++)
        if (mine.used[set] || l2->tags.used[set])
            begin_set(l2, set);
    return true;
}

/* Returns whether the SM that wrote the line before a launch was in the other partition. It is not
 * known which one it was: half of the lines count as written there. */
static bool is_from_other(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15) >> 63 != 0;
}

/* Puts a copy of the line into `partition`, or drops it. */
static void hold_copy(struct l2 *l2, uint64_t line, uint32_t partition, bool kept)
{
    const uint32_t all = (1u << l2->sectors) - 1u, set = l2_place(l2, line, partition, true).set;
    uint64_t evicted;
    uint32_t way = tags_find(&l2->tags, set, line);
    if (kept) {
        way = tags_take(&l2->tags, set, line, &evicted);
        unwritten_drop(&l2->unwritten, set, evicted);
    }
    if (way == TAGS_NONE)
        return;
    uint64_t *entry = tags_entry(&l2->tags, set, way);
    *entry = kept ? *entry | all : *entry & ~UINT64_C(0xFFFF);
}

/* `taken`: L2 takes the line in if it lacks it. */
static void hold_line(struct l2 *l2, uint64_t line, bool taken, bool by_host)
{
    const uint32_t own = l2_owner(l2, line), all = (1u << l2->sectors) - 1u;
    const uint32_t set = l2_place(l2, line, own, false).set;
    uint64_t evicted;
    if (taken || tags_find(&l2->tags, set, line) != TAGS_NONE) {
        uint32_t way = tags_take(&l2->tags, set, line, &evicted);
        unwritten_hold(&l2->unwritten, set, tags_entry(&l2->tags, set, way), all, evicted);
    }
    for (uint32_t other = 0; other < l2->partitions; other++)
        if (other != own)
            hold_copy(l2, line, other, !by_host && is_from_other(line));
}

void l2_hold(struct l2 *l2, const struct mem_written *written)
{
    const uint64_t line_bytes = (uint64_t)l2->sectors << SECTOR_SHIFT;
    const uint64_t end = written->address + written->bytes;
    const uint64_t kept = (end - written->kept) / line_bytes;
    for (uint64_t line = written->address / line_bytes; line * line_bytes < end; line++)
        hold_line(l2, line, line >= kept, written->by_host);
}
