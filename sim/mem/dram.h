/* Device memory: state and interface of the DRAM channels. */
#ifndef SIM_MEM_DRAM_H
#define SIM_MEM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/mem_spread.h"
#include "mem/tags.h"
#include "model/tally.h"
#include "simsm/config.h"

enum {
    /*
     * Most writes of a channel that wait while reads leave no time. With fewer, half loads and half
     * stores lose more than the tenth of the bandwidth that they lose on an H200 (cuda/calib/stream
     * mix, slices mix).
     */
    DRAM_WRITES = 128,
    /* Writes that go out at least, once an idle channel has turned, although a read comes. With all
     * of them, loads beside stores are 4 % too fast at half of the bandwidth of an H200
     * (cuda/probe/memory_mix in_order, cuda/calib/stream); with 1 or 8, up to 4 % off. */
    DRAM_WRITES_LEAST = 4
};

/* One channel. Times are in 1/65536 cycle. */
struct dram_channel {
    uint64_t busy; /* until this time */
    bool writing;
    uint32_t first, writes; /* place of the oldest write that waits; number of writes that wait */
    uint64_t write_since;   /* arrival of the first waiting write */
    uint64_t write_row[DRAM_WRITES];
    uint8_t write_sectors[DRAM_WRITES];
};

struct dram {
    struct spread channels;
    struct spread row_lines;                 /* lines of a row */
    uint32_t piece_shift;                    /* 2^piece_shift consecutive lines go to one channel */
    struct spread banks;                     /* banks of a channel */
    uint64_t transfer, row_miss, turnaround; /* time of one sector; that opening a row adds; of
                                                changing the direction */
    uint64_t row_write;                      /* least time of a write that opens a row */
    uint32_t refresh,
        refresh_interval; /* cycles that a bank is busy; cycles from one refresh to the next */
    bool free;            /* answers at once, at any rate (what_if.free_dram) */
    struct dram_channel *channel;
    struct tags open; /* for each channel a set of open rows */
};

/* Initialises the channels. `line_bytes`: bytes of an L2 line; line numbers below are those of L2.
 * Returns false if memory runs out. */
bool dram_init(struct dram *dram, struct arena *arena, const struct simsm_config *config,
               uint32_t line_bytes);

/* Reads `sectors` of `line`, asked for at `cycle`. Returns the cycle from which the unloaded
 * latency counts: `cycle` itself if the channel is idle and one sector is read. */
uint64_t dram_read(struct dram *dram, struct tally *tally, uint64_t cycle, uint64_t line,
                   uint32_t sectors);

/* Writes `sectors` of `line`, asked for at `cycle`. Returns the cycle at which the channel can take
 * the write. */
uint64_t dram_write(struct dram *dram, struct tally *tally, uint64_t cycle, uint64_t line,
                    uint32_t sectors);

#endif
