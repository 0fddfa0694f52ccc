/*
 * memory.model: fast, what SMs share: L2 and DRAM.
 *
 * Modelled: latencies of the configuration; what L1 and L2 hold, of their sizes, but with eight
 * ways (fast_cache.h); reads of a GPC that join; rates of the way out of an SM and back, of L2's
 * slices, of DRAM's channels with rows, turns and refresh; turns of atomics. Each access asks for
 * its place in these queues once, when it leaves the SM, in the order of (cycle, SM, sequence), and
 * knows then when it is answered. Left out of what `full` has: miss registers (the number of lines
 * under way is bounded, l1.mshrs), lines of stores that join, sectors known in part, lines that are
 * written and read in turn, merging by words; and a queue of replies: what it delays counts from
 * when the request came.
 */
#ifndef SIM_MEM_FAST_H
#define SIM_MEM_FAST_H

#include "mem/fast_cache.h"
#include "mem/l2.h"
#include "mem/lrc.h"
#include "mem/timing.h"

struct mem_sm;

enum { FAST_PARTITIONS = 2, FAST_FLIGHTS = 1 << 14 };

/* An ask that is served in a window. */
struct fast_turn {
    uint32_t sm, ahead; /* ahead: place in the SM's ring, for prefetching alone */
};

/* Sectors on their way to a partition; a later line takes its place. */
struct fast_flight {
    uint64_t line, until; /* line x FAST_PARTITIONS + partition */
};

struct fast {
    const struct mem_timing *timing;
    struct l2 *l2;   /* its ports, units and DRAM; not its tags */
    struct lrc *lrc; /* reads that join */
    struct fast_cache lines[FAST_PARTITIONS];
    uint32_t dirty_ways; /* of a set; 0: all */
    uint32_t atomic_latency;
    uint32_t value_bytes;       /* of each lane of an atomic on one word, on the way back */
    struct fast_flight *flight; /* [FAST_FLIGHTS] by a hash of line and partition */
    struct fast_turn *turn;     /* [room] of a window, by cycle */
    uint32_t room, *first;      /* first: [window + 1] turns before this cycle */
    uint64_t window;
};

/* `l2` and `lrc` have been initialised. `lines`: where L2's lines lie. False: out of memory. */
bool fast_init(struct fast *fast, struct arena *arena, struct arena *lines,
               const struct simsm_config *config, uint32_t sms, const struct mem_timing *timing,
               uint64_t window);

/* As mem_exchange. */
void fast_exchange(struct fast *fast, struct mem_sm *sm, uint32_t sms, uint64_t window_end,
                   struct tally *tally);

/* As l2_give_lines and mem_hold. */
bool fast_give_lines(struct fast *fast, struct fast_cache lines[FAST_PARTITIONS]);
void fast_hold(struct fast *fast, uint64_t address, uint64_t bytes);

#endif
