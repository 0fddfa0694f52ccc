/*
 * What L2 holds that DRAM does not: lines to be written, and sectors that stores have filled in
 * part.
 *
 * Modelled: a set has at most dirty_ways lines to be written; the one longest unused is written
 * when another comes, and stays. It has at most part_ways lines with sectors of which a part is
 * known; the one longest not stored to is then read and written. A sector that becomes whole by
 * further stores is read no more. SOURCE: an H200, calib/traffic written*: 27 MB wait, and 7 MB of
 * sectors in part. Words of 4 bytes are known or not; a store of a byte counts as one of its word.
 */
#ifndef SIM_MEM_UNWRITTEN_H
#define SIM_MEM_UNWRITTEN_H

#include "mem/coalesce.h"
#include "mem/dram.h"
#include "mem/tags.h"

/* A line with sectors known in part. */
struct unwritten_part {
    uint64_t line, words; /* its words that are known; 0: none is here */
};

struct unwritten {
    struct tags *tags; /* an entry's dirty sector that is not valid is known in part */
    struct dram *dram;
    uint32_t dirty_ways, part_ways; /* 0: no end, part: such stores count as whole */
    uint8_t *dirty;                 /* [set] lines */
    struct unwritten_part *part;    /* [set][part_ways], the newest first */
};

/* False: out of memory. `tags` and `dram` must outlive it. */
bool unwritten_init(struct unwritten *unwritten, struct arena *arena,
                    const struct simsm_config *config, struct tags *tags, struct dram *dram);

/* Sectors of which all `words` are set. */
static inline uint32_t whole_sectors(uint64_t words)
{
    uint32_t whole = 0;
    for (uint32_t i = 0; words != 0; i++, words >>= SECTOR_WORDS)
        whole |= (uint32_t)((words & 0xFF) == 0xFF) << i;
    return whole;
}

/*
 * At `cycle`, sectors `mask` of the line at `entry` of `set` have to be written; of these only
 * `words` may be known. Returns the cycle at which there is room for them.
 */
uint64_t unwritten_add(struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                       uint32_t set, uint64_t *entry, uint32_t mask, uint64_t words);

/* A line that had to leave `set`, as its last entry says. Returns likewise. */
uint64_t unwritten_leave(struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                         uint32_t set, uint64_t entry);

/* The tags are those that another launch has left, whose reads and writes are over. */
void unwritten_begin(struct unwritten *unwritten);

/* As unwritten_add before a launch, of whole sectors; `left`: the entry that gave way. */
void unwritten_hold(struct unwritten *unwritten, uint32_t set, uint64_t *entry, uint32_t mask,
                    uint64_t left);

#endif
