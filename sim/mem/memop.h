/* What each memory instruction class does, and the counters that count it. */
#ifndef SIM_MEM_MEMOP_H
#define SIM_MEM_MEMOP_H

#include <stdint.h>

#include "model/inst.h"
#include "model/tally.h"
#include "simsm/names.h"

enum memop_space { MEMOP_GLOBAL, MEMOP_LOCAL, MEMOP_TEXTURE, MEMOP_SHARED };

enum memop_action {
    MEMOP_LOAD,
    MEMOP_STORE,
    MEMOP_ATOMIC,   /* returns a value */
    MEMOP_REDUCTION /* an atomic that returns no value */
};

/* A class. Counters are enum simsm_counter + 1; 0: not counted. */
struct memop {
    uint8_t space, action;
    uint8_t requests;
    uint8_t sectors; /* shared memory: wavefronts */
    uint8_t hits;    /* shared memory: conflicts */
    uint8_t bytes;
    uint8_t instructions; /* counters of this class alone, */
    uint8_t own_sectors;  /* in addition to those above */
};

/*
 * The classes. A class that does not access memory is treated as a global load that is not counted.
 */
extern const struct memop memops[SIMSM_OP_COUNT];

/* Returns of how many pieces, LOCAL_APART bytes apart, an access of `width` bytes is made. */
static inline uint32_t memop_pieces(const struct memop *op, uint32_t width)
{
    return op->space == MEMOP_LOCAL && width > LOCAL_WORD ? width / LOCAL_WORD : 1;
}

static inline void memop_count(struct tally *tally, uint8_t counter, uint64_t n)
{
    if (counter != 0)
        tally->counter[counter - 1] += n;
}

#endif
