/*
 * L2: slices behind the crossbar, and the DRAM behind them.
 *
 * Modelled: addresses hashed over slices and sets, sectored lines, LRU, write-back; a slice moves
 * so many bytes a cycle; a miss reads the aligned block of fetch_bytes around it; requests for
 * sectors that are being read wait for the same fill; a line that gives way writes its dirty
 * sectors. Atomics act here: those on one sector take turns, atomic_interval cycles for each lane
 * on one address. Left out: byte masks (a partial store costs as its sectors and reads nothing),
 * the two partitions of large L2s with their copies and distances, compression. Fills of one line
 * that overlap count as complete together.
 */
#ifndef SIM_MEM_L2_H
#define SIM_MEM_L2_H

#include "mem/dram.h"
#include "mem/port.h"
#include "mem/tags.h"

enum { L2_REPLIES = 2, L2_TURNS = 64 };

struct l2_reply {
    uint64_t cycle; /* at which it leaves the slice, before the latency of a hit */
    uint32_t mask;
    uint8_t level;
};

/* When the next atomic on a sector can have its turn; a slice remembers this for L2_TURNS sectors,
 * the newer one displacing the older where two meet. */
struct l2_turn {
    uint64_t sector, free;
};

struct l2 {
    struct spread slices, sets; /* sets of a slice */
    uint32_t sectors;           /* of a line */
    uint32_t fetch;             /* sectors that a miss reads at least */
    uint32_t dram_extra;        /* cycles that a miss adds */
    uint32_t atomic_interval;
    struct tags tags;     /* a note is cycle << 8 | sectors that are being read until then */
    struct port *port;    /* [slice] */
    struct l2_turn *turn; /* [slice][L2_TURNS] */
    struct dram dram;
};

/* False: out of memory. `dram_extra`: what a miss adds to the latency of a hit. */
bool l2_init(struct l2 *l2, const struct simsm_config *config, uint32_t dram_extra);
void l2_free(struct l2 *l2);

/* Where a line belongs. */
struct l2_place {
    uint32_t slice, set; /* sets are counted over all slices */
};

static inline struct l2_place l2_place(const struct l2 *l2, uint64_t line)
{
    uint64_t in_slice, above;
    uint32_t slice = spread_place(&l2->slices, line, &in_slice);
    return (struct l2_place){slice, slice * l2->sets.n + spread_place(&l2->sets, in_slice, &above)};
}

/* Brings what is kept about a set near; changes nothing. */
static inline void l2_prefetch(const struct l2 *l2, uint32_t set)
{
    const uint64_t *words = tags_set(&l2->tags, set);
    for (uint32_t i = 0; i < l2->tags.stride; i += 8)
        __builtin_prefetch(&words[i]);
}

/*
 * Reads sectors `mask` of `line`, which belongs at `place`, the request reaching the slice at
 * `cycle`; cycles may not go back from call to call, here and below. Fills up to L2_REPLIES replies
 * and returns their number.
 */
uint32_t l2_read(struct l2 *l2, struct tally *tally, uint64_t cycle, uint64_t line,
                 struct l2_place place, uint32_t mask, struct l2_reply reply[L2_REPLIES]);

/* Writes likewise; returns the cycle at which the store is accepted. */
uint64_t l2_write(struct l2 *l2, struct tally *tally, uint64_t cycle, uint64_t line,
                  struct l2_place place, uint32_t mask);

/*
 * An atomic on sectors `mask`, `repeat` lanes sharing an address; reply->cycle as above. Returns
 * the cycle at which its turn has come.
 */
uint64_t l2_atomic(struct l2 *l2, struct tally *tally, uint64_t cycle, uint64_t line,
                   struct l2_place place, uint32_t mask, uint32_t repeat, struct l2_reply *reply);

#endif
