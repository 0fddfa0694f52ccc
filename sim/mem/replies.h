/*
 * Replies on their way to one SM, ordered by (cycle, order of adding). The earliest block of
 * REPLIES_BLOCK cycles with a reply has one list for each cycle. Each later block has one list,
 * which is spread out over the cycles' lists when its block becomes the earliest.
 */
#ifndef SIM_MEM_REPLIES_H
#define SIM_MEM_REPLIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { REPLIES_BLOCK = 256, REPLIES_BLOCKS = 64, REPLIES_NONE = UINT16_MAX };

#define REPLIES_NEVER UINT64_MAX

struct reply {
    uint64_t cycle;
    uint16_t next; /* in its list */
    uint16_t mshr;
    uint8_t mask, level;
    uint8_t values; /* of an atomic: values that pass the port one after another; `cycle` is that of
                       the last */
};

struct replies_list {
    uint16_t first, last; /* `last` is valid unless `first` is REPLIES_NONE */
};

struct replies {
    uint64_t next;  /* earliest cycle; REPLIES_NEVER when empty */
    uint64_t block; /* number of the block that is spread out: cycle / REPLIES_BLOCK */
    uint32_t count, most;
    /* Places are taken in turn, so that a list lies in the order in which it was made, but from no
     * more of them than twice the replies so far: these stay in the host's caches. */
    struct reply *reply;               /* [room] */
    uint32_t room, places, last;       /* powers of two; the place taken last */
    uint64_t *used;                    /* bit per place */
    uint64_t busy[REPLIES_BLOCK / 64]; /* bit per cycle whose list is not empty */
    uint64_t busy_blocks; /* bit per block modulo REPLIES_BLOCKS whose list is not empty */
    struct replies_list near[REPLIES_BLOCK];
    struct replies_list far[REPLIES_BLOCKS];
    uint64_t far_block[REPLIES_BLOCKS]; /* the earliest block in each list of `far` */
};

/* Initialises a queue for at most `most` replies at a time, at most 65535. Returns false if memory
 * runs out. */
bool replies_init(struct replies *replies, struct arena *arena, uint32_t most);

void replies_add(struct replies *replies, struct reply reply);

/* Takes the first reply; there must be one. */
struct reply replies_take(struct replies *replies);

/*
 * Returns a cycle before which fewer than `n` replies are due: the cycle of the n-th reply if it
 * lies in the earliest block, otherwise the end of that block. Returns REPLIES_NEVER if there are
 * fewer than `n` replies.
 */
uint64_t replies_nth(const struct replies *replies, uint32_t n);

#endif
