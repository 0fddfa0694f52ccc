/*
 * L2: slices behind the crossbar, and the DRAM behind them.
 *
 * Modelled: addresses hashed over slices and sets, sectored lines, LRU, write-back; a slice moves
 * so many bytes a cycle out, and so many in beside them; a miss reads the aligned block of
 * fetch_bytes around it; requests for sectors that are being read wait for the same fill; a line
 * that gives way writes its dirty sectors. Atomics act here: those on one sector take turns,
 * atomic_interval cycles (of floating point atomic_float_interval) for each lane on one address,
 * and a slice's unit works on one sector each atomic_sector_interval. Two partitions: each SM reads
 * through its own. A line belongs to the partition whose memory it lies in; the other one keeps a
 * copy of what its SMs read. Stores and atomics pass through the SM's partition and act in the
 * line's. What passes through both is counted in both, as an H200 does (cuda/calib/bandwidth.yaml,
 * count_*). Lines that are written and read: turnaround.h. Of a line that stores fill in part
 * only so many may wait in a set, and of one that has to be written (dirty) likewise: the oldest
 * one is then read, or written (calib/traffic written*). Left out: the dropping of copies that the
 * other partition's SMs have overwritten, the width of the way between partitions, compression.
 * Fills of one line that overlap count as complete together.
 */
#ifndef SIM_MEM_L2_H
#define SIM_MEM_L2_H

#include "mem/dram.h"
#include "mem/port.h"
#include "mem/tags.h"
#include "mem/turnaround.h"
#include "mem/unwritten.h"
#include "model/inst.h"

enum { L2_REPLIES = 2, L2_TURNS = 64, L2_FRACTION = 64 };

struct l2_reply {
    uint64_t cycle; /* at which it leaves the slice, before the latency of a hit */
    uint32_t mask;
    uint8_t level;
};

/* When the next atomic on a sector can have its turn; a slice remembers this for L2_TURNS sectors,
 * the newer one displacing the older where two meet. */
struct l2_turn {
    uint64_t sector, free; /* in 1/L2_FRACTION cycle */
};

struct l2 {
    struct spread slices, sets; /* slices of a partition, sets of a slice */
    uint32_t partitions;
    bool four;            /* lines share a slice, see l2_place */
    uint32_t far_latency; /* from one partition to the other and back */
    uint32_t sectors;     /* of a line */
    uint32_t fetch;       /* sectors that a miss reads at least */
    uint32_t read_bytes;  /* that a read takes of its slice's port besides its sectors */
    uint32_t write_least; /* that a store takes at least */
    uint32_t part_bytes;  /* and besides, if it fills sectors in part */
    uint32_t dram_extra;  /* cycles that a miss adds, from a line's own partition */
    uint32_t atomic_interval[ATOMIC_KINDS]; /* of one sector, in 1/L2_FRACTION cycle */
    uint32_t atomic_sector_interval;        /* of the slice, likewise */
    struct turnaround turnaround;
    struct tags tags;      /* a note is cycle << 8 | sectors that are being read until then */
    struct port *out, *in; /* [slice] for reads, for stores and atomics */
    struct unwritten unwritten;
    struct l2_turn *turn; /* [slice][L2_TURNS] */
    uint64_t *unit_free;  /* [slice] of its atomic unit, in 1/L2_FRACTION cycle */
    struct dram dram;
};

/*
 * False: out of memory. `lines`: where its tags lie, which another L2 may take over.
 * `dram_extra`: what a miss adds to the latency of a hit.
 */
bool l2_init(struct l2 *l2, struct arena *arena, struct arena *lines,
             const struct simsm_config *config, uint32_t dram_extra);

/* Where a line is looked for in one partition. */
struct l2_place {
    uint32_t slice, set; /* counted over all partitions and slices */
};

/*
 * The partition whose memory holds the line: the parity of some bits of its address, bit 12 among
 * them, so that of two pieces of 4 KB each partition has one (an H200: calib/slices owner).
 */
static inline uint32_t l2_owner(const struct l2 *l2, uint64_t line)
{
    const uint64_t bits = 0x1D6AB; /* of the address, from bit 12 on */
    uint64_t piece = line * l2->sectors >> 7;
    return l2->partitions == 1 ? 0 : (uint32_t)__builtin_parityll(piece & bits);
}

/* Numbers the lines that each partition has one after another: bit 12 of the address is left out.
 */
static inline uint64_t l2_number(const struct l2 *l2, uint64_t line)
{
    uint32_t in_piece = 128 / l2->sectors - 1;
    return l2->partitions == 1 ? line
                               : (line & ~(2 * (uint64_t)in_piece + 1)) >> 1 | (line & in_piece);
}

/* Its place in `partition`; `copy`: that is not the line's own. */
static inline struct l2_place l2_place(const struct l2 *l2, uint64_t line, uint32_t partition,
                                       bool copy)
{
    uint64_t in_slice, above, number = l2_number(l2, line);
    /* Lines whose numbers differ in bits 0 and 2 only are in one slice of an H200 (calib/contend
     * two, random; calib/bandwidth hot_lines). */
    uint64_t place = l2->four ? (number >> 2 & ~UINT64_C(1)) | (number >> 1 & 1) : number;
    uint32_t slice = spread_place(&l2->slices, place, &in_slice);
    if (copy) /* not where its neighbours are */
        slice = (slice + l2->slices.n / 2) % l2->slices.n;
    slice += partition * l2->slices.n;
    if (l2->four)
        in_slice = in_slice << 2 | (number >> 1 & 2) | (number & 1);
    return (struct l2_place){slice, slice * l2->sets.n + spread_place(&l2->sets, in_slice, &above)};
}

/* Where a line is looked for: in the partition of the SM, and in that of its memory. */
struct l2_places {
    struct l2_place near, own; /* often the same */
};

static inline struct l2_places l2_places(const struct l2 *l2, uint64_t line, uint32_t partition)
{
    uint32_t owner = l2_owner(l2, line);
    struct l2_place near = l2_place(l2, line, partition, owner != partition);
    return (struct l2_places){near, owner == partition ? near : l2_place(l2, line, owner, false)};
}

/* Whether the partition of the SM is the line's own: sets are counted over both. */
static inline bool l2_is_own(const struct l2_places *places)
{
    return places->near.set == places->own.set;
}

/* A request at the slice of the SM's partition. */
struct l2_request {
    uint64_t cycle; /* at which it gets there; may not go back from call to call */
    uint64_t line;
    struct l2_places at;
    uint32_t mask;  /* sectors */
    uint64_t words; /* that a store writes */
};

/* Reads; fills up to L2_REPLIES replies and returns their number. */
uint32_t l2_read(struct l2 *l2, struct tally *tally, const struct l2_request *request,
                 struct l2_reply reply[L2_REPLIES]);

/* Writes; returns the cycle at which the store is accepted. */
uint64_t l2_write(struct l2 *l2, struct tally *tally, const struct l2_request *request);

/* What an atomic does: at most `repeat` lanes share an address, of all its sectors together
 * `turns`. */
struct l2_work {
    uint32_t repeat, turns;
    uint32_t tail; /* cycles until its last byte has come, when it begins */
    enum inst_atomic kind;
};

/* An atomic; reply->cycle as above. Returns the cycle at which its turn has come. */
uint64_t l2_atomic(struct l2 *l2, struct tally *tally, const struct l2_request *request,
                   const struct l2_work *work, struct l2_reply *reply);

/*
 * When an access to a line has its turn that its slice could serve at `cycle`. Lines that are
 * written are read from the slice that owns them, which may have to wait (turnaround.h).
 */
uint64_t l2_in_order(struct l2 *l2, uint64_t asked, uint64_t cycle, uint64_t line, bool write);

/* The turn of an atomic on one sector, whose data are there at `data`, and which takes `length`, in
 * 1/L2_FRACTION cycle. */
uint64_t l2_take_turn(struct l2 *l2, uint32_t slice, uint64_t sector, uint64_t data,
                      uint64_t length);

/*
 * Exchanges the lines of an L2 that has not begun with those that another one had when it ended.
 * False: that one was of another size, and nothing has happened.
 */
bool l2_give_lines(struct l2 *l2, struct tags *lines);

/* Lines that a copy has written: in the partition of their memory, and no longer in the other. */
void l2_hold(struct l2 *l2, uint64_t address, uint64_t bytes);

#endif
