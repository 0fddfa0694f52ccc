/* L2 behind the crossbar: its partitions, slices and lines, and the places of a line. */
#ifndef SIM_MEM_L2_H
#define SIM_MEM_L2_H

#include "mem/dram.h"
#include "mem/port.h"
#include "mem/tags.h"
#include "mem/timing.h"
#include "mem/turnaround.h"
#include "mem/unwritten.h"
#include "model/inst.h"
#include "model/mem_written.h"

enum { L2_REPLIES = 2, L2_TURNS = 64, L2_FRACTION = 64 };

struct l2_reply {
    uint64_t cycle; /* cycle at which the reply leaves the slice, without the latency of a hit */
    uint32_t mask;
    uint8_t level;
};

/* When a sector is free for its next atomic. A slice remembers L2_TURNS sectors; two sectors with
 * the same index displace each other. */
struct l2_turn {
    uint64_t sector, free; /* `free` in 1/L2_FRACTION cycle */
};

struct l2 {
    struct spread slices, sets; /* slices of a partition; sets of a slice */
    uint32_t partitions;
    bool four;            /* four lines share a slice, see l2_place */
    uint32_t far_latency; /* cycles from one partition to the other and back */
    uint32_t sectors;     /* sectors of a line */
    uint32_t fetch;       /* least sectors that a miss reads */
    uint32_t read_bytes;  /* bytes of its slice's port that a read takes besides its sectors */
    uint32_t write_least; /* least bytes of a store */
    uint32_t part_bytes;  /* further bytes of a store that fills sectors in part */
    uint32_t dram_extra;  /* cycles that a miss adds in the line's own partition */
    uint32_t atomic_interval[ATOMIC_KINDS]; /* turn on one sector, in 1/L2_FRACTION cycle */
    uint32_t atomic_sector_interval;        /* turn of the slice's unit, in 1/L2_FRACTION cycle */
    bool no_contention; /* atomics do not wait for one another (what_if.no_contention) */
    double cas_factor;  /* how much longer it is for compare-and-swap on several words */
    struct turnaround turnaround;
    struct tags tags;      /* a note is cycle << 8 | sectors that are being read until that cycle */
    struct port *out, *in; /* [slice]: for reads; for stores and atomics */
    struct unwritten unwritten;
    struct l2_turn *turn; /* [slice][L2_TURNS] */
    uint64_t *unit_free;  /* [slice]: when its atomic unit is free, in 1/L2_FRACTION cycle */
    struct dram dram;
};

/*
 * Initialises L2. Its tags lie in `lines`, because another L2 may take them over (l2_give_lines).
 * `dram_extra`: cycles that a miss adds to the latency of a hit. Returns false if memory runs out.
 */
bool l2_init(struct l2 *l2, struct arena *arena, struct arena *lines,
             const struct simsm_config *config, uint32_t dram_extra);

/* The place of a line in one partition. */
struct l2_place {
    uint32_t slice, set; /* numbered over all partitions and slices */
};

/*
 * Returns the partition whose memory holds the line: the parity of some bits of its address. Bit 12
 * is one of these bits, so each pair of 4 KB pieces has one piece in each partition (H200,
 * cuda/calib/slices owner).
 */
static inline uint32_t l2_owner(const struct l2 *l2, uint64_t line)
{
    return l2->partitions == 1 ? 0 : timing_l2_owner(line, l2->sectors);
}

/* Returns the line's number among the lines of its partition: bit 12 of the address is left out. */
static inline uint64_t l2_number(const struct l2 *l2, uint64_t line)
{
    uint32_t in_piece = 128 / l2->sectors - 1;
    return l2->partitions == 1 ? line
                               : (line & ~(2 * (uint64_t)in_piece + 1)) >> 1 | (line & in_piece);
}

/* Returns the place of a line in `partition`. `copy`: the partition is not the line's own. */
static inline struct l2_place l2_place(const struct l2 *l2, uint64_t line, uint32_t partition,
                                       bool copy)
{
    uint64_t in_slice, above, number = l2_number(l2, line);
    /* Lines whose numbers differ only in bits 0 and 2 lie in one slice of an H200
     * (cuda/calib/contend two, random; cuda/calib/bandwidth hot_lines). */
    uint64_t place = l2->four ? (number >> 2 & ~UINT64_C(1)) | (number >> 1 & 1) : number;
    uint32_t slice = spread_place(&l2->slices, place, &in_slice);
    if (copy) /* another slice than the line's neighbours */
        slice = (slice + l2->slices.n / 2) % l2->slices.n;
    slice += partition * l2->slices.n;
    if (l2->four)
        in_slice = in_slice << 2 | (number >> 1 & 2) | (number & 1);
    return (struct l2_place){slice, slice * l2->sets.n + spread_place(&l2->sets, in_slice, &above)};
}

/* The places of a line: in the partition of the SM, and in the line's own partition. */
struct l2_places {
    struct l2_place near, own; /* equal if the SM's partition owns the line */
};

static inline struct l2_places l2_places(const struct l2 *l2, uint64_t line, uint32_t partition)
{
    uint32_t owner = l2_owner(l2, line);
    struct l2_place near = l2_place(l2, line, partition, owner != partition);
    return (struct l2_places){near, owner == partition ? near : l2_place(l2, line, owner, false)};
}

/* Returns whether the SM's partition owns the line. Sets are numbered over both partitions. */
static inline bool l2_is_own(const struct l2_places *places)
{
    return places->near.set == places->own.set;
}

/* A request at the slice of the SM's partition. */
struct l2_request {
    uint64_t cycle; /* cycle of its arrival; must not go back from call to call */
    uint64_t line;
    struct l2_places at;
    uint32_t mask;  /* sectors */
    uint64_t words; /* words that a store writes */
};

/* Serves a read. Fills up to L2_REPLIES replies and returns their number. */
uint32_t l2_read(struct l2 *l2, struct tally *tally, const struct l2_request *request,
                 struct l2_reply reply[L2_REPLIES]);

/* Serves a store. Returns the cycle at which L2 has accepted it. */
uint64_t l2_write(struct l2 *l2, struct tally *tally, const struct l2_request *request);

/* The work of an atomic. `repeat`: most lanes on one address. `turns`: most lanes on one address of
 * each sector, added up. */
struct l2_work {
    uint32_t repeat, turns;
    uint32_t tail; /* cycles from its first byte to its last; it begins after the last */
    enum inst_atomic kind;
};

/* Serves an atomic; reply->cycle is as in struct l2_reply. Returns the cycle at which the atomic
 * has its turn. */
uint64_t l2_atomic(struct l2 *l2, struct tally *tally, const struct l2_request *request,
                   const struct l2_work *work, struct l2_reply *reply);

/*
 * Returns the cycle at which an access that came at `asked` has its turn on `line`; its slice has
 * time for it from `cycle` on. A read behind a write to its line may have to wait, and the slice
 * that owns the line waits, too (turnaround.c).
 */
uint64_t l2_in_order(struct l2 *l2, uint64_t asked, uint64_t cycle, uint64_t line, bool write);

/* Takes a turn of an atomic on `sector`, whose data are there at `data`; the turn takes `length`,
 * and its turn of the slice's unit `factor` times the usual. Returns the turn's start. All times
 * are in 1/L2_FRACTION cycle. */
uint64_t l2_take_turn(struct l2 *l2, uint32_t slice, uint64_t sector, uint64_t data,
                      uint64_t length, double factor);

/* Exchanges the lines of an L2 that has not served a request with `lines`, which another L2 had at
 * the end of its launch, and what is known of those that stores have filled in part with `*part`.
 * Returns false and does nothing if the sizes differ. */
bool l2_give_lines(struct l2 *l2, struct tags *lines, struct unwritten_part **part);

/* Puts the lines of `written` into their own partitions, whole and dirty (mem_hold). A kernel
 * leaves copies of half of the lines in the other partition, the host none. */
void l2_hold(struct l2 *l2, const struct mem_written *written);

#endif
