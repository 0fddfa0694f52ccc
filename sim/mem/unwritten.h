/* What L2 holds and DRAM does not: dirty lines, and sectors that stores have filled in part. */
#ifndef SIM_MEM_UNWRITTEN_H
#define SIM_MEM_UNWRITTEN_H

#include "mem/coalesce.h"
#include "mem/dram.h"
#include "mem/tags.h"

/* A line with sectors that are known in part. */
struct unwritten_part {
    uint64_t line, words; /* `words`: the known words of the line; 0: the entry is free */
};

struct unwritten {
    struct tags *tags; /* a sector that is dirty and not valid is known in part */
    struct dram *dram;
    uint32_t dirty_ways, part_ways; /* most of a set; dirty_ways 0: no limit; part_ways 0: every
                                       store counts as whole sectors */
    uint8_t *dirty;                 /* [set]: number of dirty lines */
    struct unwritten_part *part;    /* [set][part_ways], the most recently stored to first */
};

/* Initialises the state. `tags` and `dram` must outlive it. What stays after a launch, `part`, lies
 * in `lines`, as the tags do. Returns false if memory runs out. */
bool unwritten_init(struct unwritten *unwritten, struct arena *arena, struct arena *lines,
                    const struct simsm_config *config, struct tags *tags, struct dram *dram);

/* Returns the sectors of which all words are in `words`. */
static inline uint32_t whole_sectors(uint64_t words)
{
    uint32_t whole = 0;
    for (uint32_t i = 0; words != 0; i++, words >>= SECTOR_WORDS)
        whole |= (uint32_t)((words & 0xFF) == 0xFF) << i;
    return whole;
}

/* Makes sectors `mask` of the line at `entry` of `set` dirty at `cycle`. Only the words `words` of
 * these sectors may be known. Returns the cycle at which there is room for the sectors. */
uint64_t unwritten_add(struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                       uint32_t set, uint64_t *entry, uint32_t mask, uint64_t words);

/* Writes a line that was evicted from `set`; `entry` is its last entry. Returns the cycle at which
 * the channel can take the line, or `cycle` if the line is not dirty. */
uint64_t unwritten_leave(struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                         uint32_t set, uint64_t entry);

/* Takes over a set of tags, and of `part`, that another launch has left. */
void unwritten_begin(struct unwritten *unwritten, uint32_t set);

/* As unwritten_leave before a launch: nothing takes time. */
void unwritten_drop(struct unwritten *unwritten, uint32_t set, uint64_t entry);

/* As unwritten_add for whole sectors before a launch: nothing takes time. `left`: the entry that
 * was evicted for the line. */
void unwritten_hold(struct unwritten *unwritten, uint32_t set, uint64_t *entry, uint32_t mask,
                    uint64_t left);

#endif
