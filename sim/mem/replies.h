/*
 * Replies on their way to one SM, ordered by (cycle, order of adding). Those of the earliest block
 * of cycles that has any lie in one list for each cycle; later ones in one list for each block, to
 * be spread out when their block becomes the earliest.
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
    uint8_t values; /* of an atomic: so many come one after another, the last one at `cycle` */
};

struct replies_list {
    uint16_t first, last; /* `last` is valid while `first` is not REPLIES_NONE */
};

struct replies {
    uint64_t next;  /* earliest cycle, REPLIES_NEVER when empty */
    uint64_t block; /* cycle / REPLIES_BLOCK of the replies that are spread out */
    uint32_t count, most;
    uint32_t places, last; /* a power of two; the one taken last */
    struct reply *reply;   /* [places], which are used in turn: lists lie as they were made */
    uint64_t *used;        /* bit per place */
    uint64_t busy[REPLIES_BLOCK / 64]; /* bit per cycle whose list is not empty */
    uint64_t busy_blocks;              /* bit per block modulo REPLIES_BLOCKS, likewise */
    struct replies_list near[REPLIES_BLOCK];
    struct replies_list far[REPLIES_BLOCKS];
};

/* `most`: replies at a time, at most 65535. False: out of memory. */
bool replies_init(struct replies *replies, struct arena *arena, uint32_t most);

void replies_add(struct replies *replies, struct reply reply);

/* Takes the first; there must be one. */
struct reply replies_take(struct replies *replies);

/* A cycle before which fewer than `n` are due, that of the n-th if it is in the earliest block. */
uint64_t replies_nth(const struct replies *replies, uint32_t n);

#endif
