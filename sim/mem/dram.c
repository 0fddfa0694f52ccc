/*
 * MODEL: device memory. Addresses are hashed over channels, dram.interleave_bytes at a time. A
 * channel moves bytes at its share of peak bandwidth x dram.efficiency, in the order in which L2
 * asks. It keeps some rows open, the least recently used row closing first. Opening a row and
 * changing between reads and writes take time from the channel. Writes wait until the channel has
 * nothing else to do. Then they go out until a read comes, but some at least; the read waits until
 * the channel has turned back. If reads leave no time, at most DRAM_WRITES wait, which
 * then go out together. While the row of one write opens, the channel writes others, so a write
 * takes the time of its bytes, but at least row_write if its row is not open.
 * Each bank is refreshed at fixed times, banks and channels in turn; a read of the bank waits for
 * the end, while the channel serves other banks.
 * SOURCE: H200, cuda/calib/cold (refresh), cuda/calib/stream copy (turns), cuda/calib/slices mix
 * (most writes that wait), read_pieces and write_pieces (rows), cuda/probe/memory_mix in_order and
 * chance_load of 8 MB (open rows).
 * LEFT OUT: reordering of reads (part of dram.efficiency); bank timing beyond the time of opening a
 * row.
 */
#include "mem/dram.h"

#include "base/check.h"
#include "mem/coalesce.h"
#include "mem/timing.h"

enum { FRACTION_BITS = 16 };

#define FRACTION (1u << FRACTION_BITS)

static uint64_t fixed(double cycles)
{
    return (uint64_t)(cycles * FRACTION + 0.5);
}

bool dram_init(struct dram *dram, struct arena *arena, const struct simsm_config *config,
               uint32_t line_bytes)
{
    uint32_t channels = config->dram_channels;
    uint32_t row_lines = config->dram_row_bytes / line_bytes;
    double bytes_per_cycle =
        config->dram_bandwidth_gbs * 1e3 / config->gpu_clock_mhz * config->dram_efficiency;
    double cycles_per_ns = config->gpu_clock_mhz * 1e-3;
    dram->free = config->what_if_free_dram;
    dram->channels = spread_over(channels);
    dram->row_lines = spread_over(row_lines != 0 ? row_lines : 1);
    dram->piece_shift = timing_shift(config->dram_interleave_bytes / line_bytes);
    dram->transfer = fixed(SECTOR_BYTES * channels / bytes_per_cycle);
    dram->row_miss = fixed(config->dram_row_miss_ns * cycles_per_ns);
    /* H200, cuda/calib/slices write_pieces: rows cost whole lines nothing, and stores of 64 bytes
     * as much as loads. */
    dram->row_write = dram->transfer * config->l2_fetch_bytes / SECTOR_BYTES + dram->row_miss;
    dram->banks = spread_over(config->dram_banks);
    dram->refresh = (uint32_t)(config->dram_refresh_ns * cycles_per_ns + 0.5);
    dram->refresh_interval = (uint32_t)(config->dram_refresh_interval_ns * cycles_per_ns + 0.5);
    if (dram->refresh_interval == 0)
        dram->refresh_interval = 1;
    dram->turnaround = fixed(config->dram_turnaround_ns * cycles_per_ns);
    dram->channel = arena_take(arena, channels, sizeof *dram->channel);
    uint32_t open = config->dram_open_rows;
    open = open != 0 && open < config->dram_banks ? open : config->dram_banks;
    return dram->channel != NULL && tags_init(&dram->open, arena, channels, open, false);
}

/* Opens `row`, makes it the most recently used, and returns whether it was open. */
static bool open_row(struct dram *dram, uint32_t channel, uint64_t row)
{
    uint64_t closed;
    uint32_t bank = tags_take(&dram->open, channel, row, &closed);
    uint64_t *entry = tags_entry(&dram->open, channel, bank);
    bool was_open = tags_valid(*entry) != 0;
    *entry |= 1;
    return was_open;
}

/* Returns the time that the channel takes to read `sectors` of `row`. */
static uint64_t read_time(struct dram *dram, struct tally *tally, uint32_t channel, uint64_t row,
                          uint32_t sectors)
{
    uint64_t time = sectors * dram->transfer;
    if (open_row(dram, channel, row))
        return time;
    TALLY(tally, DRAM_ROW_MISSES, 1);
    return time + dram->row_miss;
}

/* As read_time, for a write. */
static uint64_t write_time(struct dram *dram, struct tally *tally, uint32_t channel, uint64_t row,
                           uint32_t sectors)
{
    uint64_t time = sectors * dram->transfer;
    if (open_row(dram, channel, row))
        return time;
    TALLY(tally, DRAM_ROW_MISSES, 1);
    return time > dram->row_write ? time : dram->row_write;
}

static void turn(struct dram_channel *channel, uint64_t turnaround, bool writing, uint64_t from)
{
    if (channel->writing == writing)
        return;
    channel->writing = writing;
    channel->busy = (channel->busy > from ? channel->busy : from) + turnaround;
}

static uint32_t place(const struct dram *dram, uint64_t line, uint64_t *row)
{
    uint64_t pieces;
    uint32_t rest;
    uint32_t channel = spread_place(&dram->channels, line >> dram->piece_shift, &pieces);
    uint64_t in_piece = line & ((UINT64_C(1) << dram->piece_shift) - 1);
    *row = spread_divide(&dram->row_lines, pieces << dram->piece_shift | in_piece, &rest);
    return channel;
}

/* Returns a number that looks random and is the same in every run. */
static uint64_t hash(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 32;
}

/* Returns the cycle from which the bank of `row` can be read, not before `cycle`: a bank cannot be
 * read while it is refreshed. */
static uint64_t after_refresh(const struct dram *dram, uint32_t channel, uint64_t row,
                              uint64_t cycle)
{
    if (dram->refresh == 0)
        return cycle;
    uint64_t ignored;
    uint32_t bank = spread_place(&dram->banks, row, &ignored);
    uint64_t phase = hash((uint64_t)channel * dram->banks.n + bank) % dram->refresh_interval;
    uint64_t since = (cycle + phase) % dram->refresh_interval;
    return since < dram->refresh ? cycle + dram->refresh - since : cycle;
}

/* Writes the oldest `least` writes that wait, and further ones as long as the channel is free
 * before `until`; begins when the channel is free, not before `from`. */
static void write_out(struct dram *dram, struct tally *tally, uint32_t channel, uint64_t from,
                      uint32_t least, uint64_t until)
{
    struct dram_channel *at = &dram->channel[channel];
    turn(at, dram->turnaround, true, from);
    at->busy = at->busy > from ? at->busy : from;
    for (uint32_t done = 0; at->writes != 0 && (done < least || at->busy < until); done++) {
        at->busy += write_time(dram, tally, channel, at->write_row[at->first],
                               at->write_sectors[at->first]);
        TALLY(tally, DRAM_ACCESSES, 1);
        at->first = (at->first + 1) % DRAM_WRITES;
        at->writes--;
    }
    at->write_since = at->busy;
}

/* Writes what waits if the channel had nothing else to do before `from`. */
static void use_idle(struct dram *dram, struct tally *tally, uint32_t channel, uint64_t from)
{
    struct dram_channel *at = &dram->channel[channel];
    uint64_t start = at->busy > at->write_since ? at->busy : at->write_since;
    if (at->writes != 0 && start < from)
        write_out(dram, tally, channel, start, DRAM_WRITES_LEAST, from);
}

uint64_t dram_read(struct dram *dram, struct tally *tally, uint64_t cycle, uint64_t line,
                   uint32_t sectors)
{
    uint64_t row;
    uint64_t from = cycle << FRACTION_BITS;
    if (dram->free)
        return cycle;
    uint32_t channel = place(dram, line, &row);
    use_idle(dram, tally, channel, from);
    struct dram_channel *at = &dram->channel[channel];
    turn(at, dram->turnaround, false, from);
    uint64_t start = at->busy > from ? at->busy : from;
    uint64_t last = start + (sectors - 1) * dram->transfer;
    at->busy = start + read_time(dram, tally, channel, row, sectors);
    TALLY(tally, DRAM_ACCESSES, 1);
    TALLY(tally, DRAM_READ_BYTES, (uint64_t)sectors * SECTOR_BYTES);
    return after_refresh(dram, channel, row, (last + FRACTION - 1) >> FRACTION_BITS);
}

uint64_t dram_write(struct dram *dram, struct tally *tally, uint64_t cycle, uint64_t line,
                    uint32_t sectors)
{
    uint64_t row;
    uint64_t from = cycle << FRACTION_BITS;
    if (dram->free)
        return cycle;
    uint32_t channel = place(dram, line, &row);
    struct dram_channel *at = &dram->channel[channel];
    use_idle(dram, tally, channel, from);
    uint64_t taken = (at->busy + FRACTION - 1) >> FRACTION_BITS;
    SIMSM_CHECK(at->writes < DRAM_WRITES, "channel %u: %u writes wait", channel, at->writes);
    if (at->writes == 0)
        at->write_since = from;
    uint32_t last = (at->first + at->writes++) % DRAM_WRITES;
    at->write_row[last] = row;
    at->write_sectors[last] = (uint8_t)sectors;
    TALLY(tally, DRAM_WRITE_BYTES, (uint64_t)sectors * SECTOR_BYTES);
    if (at->writes == DRAM_WRITES)
        write_out(dram, tally, channel, from, DRAM_WRITES, 0);
    return taken > cycle ? taken : cycle;
}
