/* memory.model: fast. The part that SMs share: L2 and DRAM. */
#ifndef SIM_MEM_FAST_H
#define SIM_MEM_FAST_H

#include "mem/fast_cache.h"
#include "mem/l2.h"
#include "mem/lrc.h"
#include "mem/timing.h"
#include "mem/tlb.h"

struct mem_sm;

enum { FAST_PARTITIONS = 2, FAST_FLIGHTS = 1 << 14 };

/* A packet that is served in a window. */
struct fast_turn {
    uint32_t sm, ahead; /* `ahead`: the packet's number in the SM's ring, only for prefetching */
};

/* Sectors on their way to a partition. Lines with the same hash displace each other. */
struct fast_flight {
    uint64_t line, until; /* `line` is line x FAST_PARTITIONS + partition */
};

struct fast {
    const struct mem_timing *timing;
    struct l2 *l2;   /* used for ports, units and DRAM; its tags are not used */
    struct lrc *lrc; /* reads that join */
    struct tlb *tlb; /* an answer is late by as much as the translation */
    struct fast_cache lines[FAST_PARTITIONS];
    uint32_t dirty_ways; /* most dirty lines of a set; 0: no limit */
    uint32_t atomic_latency;
    uint32_t value_bytes; /* bytes on the way back of each further lane of an atomic on one word */
    struct fast_flight *flight; /* [FAST_FLIGHTS], by a hash of line and partition */
    struct fast_turn *turn;     /* [room]: the packets of a window, by cycle */
    uint32_t room, *first;      /* `first`: [window + 1], the number of packets before each cycle */
    uint64_t window;
};

/* Initialises the state. `l2` and `lrc` must have been initialised; the lines of L2 lie in `lines`.
 * Returns false if memory runs out. */
bool fast_init(struct fast *fast, struct arena *arena, struct arena *lines,
               const struct simsm_config *config, uint32_t sms, const struct mem_timing *timing,
               uint64_t window);

struct fast_sms {
    struct mem_sm *sm;     /* [count] */
    const uint64_t *begun; /* bit per SM that has a half */
    uint32_t count;
};

/* As mem_exchange. */
void fast_exchange(struct fast *fast, const struct fast_sms *sms, uint64_t window_end,
                   struct tally *tally);

/* As l2_give_lines and mem_hold. */
bool fast_give_lines(struct fast *fast, struct fast_cache lines[FAST_PARTITIONS]);
void fast_hold(struct fast *fast, const struct mem_written *written);

#endif
