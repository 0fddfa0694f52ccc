/*
 * Device memory: channels with a rate, open rows and a direction.
 *
 * Modelled: addresses hashed over channels, dram.interleave_bytes at a time; each channel moves
 * bytes at its share of peak x efficiency, in the order in which L2 asks; it keeps its banks' rows
 * open, the least recently used one giving way; opening a row and turning between reads and writes
 * take time from the channel. Writes go out when the channel has nothing else to do, all that wait
 * together; then reads wait until it has turned back. Where reads leave no time, so many wait.
 * Each bank is refreshed at fixed times, banks and channels in turn; a read that meets it waits for
 * its end, while the channel serves other banks. Left out: reordering of reads, bank timing beyond
 * that.
 *
 * SOURCE of the refresh: an H200, calib/cold; of the turns: calib/stream copy; of the most writes
 * that wait (lines, in L2): calib/slices mix, as half loads, half stores lose a tenth.
 */
#ifndef SIM_MEM_DRAM_H
#define SIM_MEM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/mem_spread.h"
#include "mem/tags.h"
#include "model/tally.h"
#include "simsm/config.h"

/* Writes that wait where reads leave no time: half loads, half stores lose a tenth of the bandwidth
 * to turns on an H200 (calib/stream mix, slices mix), more with fewer. */
enum { DRAM_WRITE_BURST = 128 };

/* Times in channels are in 1/65536 cycle. */
struct dram_channel {
    uint64_t busy; /* until */
    bool writing;
    uint32_t writes;      /* that wait */
    uint64_t write_since; /* the first of them has come */
    uint64_t write_row[DRAM_WRITE_BURST];
    uint8_t write_sectors[DRAM_WRITE_BURST];
};

struct dram {
    struct spread channels;
    struct spread row_lines;                 /* lines of a row */
    uint32_t piece_shift;                    /* lines that go to one channel together: 2^this */
    struct spread banks;                     /* of a channel */
    uint64_t transfer, row_miss, turnaround; /* of one sector; each; each */
    uint32_t refresh, refresh_interval;      /* cycles that a bank is busy, from one to the next */
    struct dram_channel *channel;
    struct tags open; /* a set of rows for each channel */
};

/* False: out of memory. `line_bytes`: of L2, whose line numbers are used below. */
bool dram_init(struct dram *dram, struct arena *arena, const struct simsm_config *config,
               uint32_t line_bytes);

/*
 * Reads `sectors` of `line`, asked for at `cycle`. Returns the cycle from which the unloaded
 * latency counts: `cycle` itself when the channel is idle and one sector is read.
 */
uint64_t dram_read(struct dram *dram, struct tally *tally, uint64_t cycle, uint64_t line,
                   uint32_t sectors);

/* Writes likewise. Returns the cycle at which the channel can take it. */
uint64_t dram_write(struct dram *dram, struct tally *tally, uint64_t cycle, uint64_t line,
                    uint32_t sectors);

#endif
