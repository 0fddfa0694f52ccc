/*
 * The load/store stage of an SM, full grade: the one instruction that is in it, and its lines as
 * they pass the L1 tags. A line that finds no free miss register holds the stage until one is free.
 */
#ifndef SIM_MEM_STAGE_H
#define SIM_MEM_STAGE_H

#include <stdbool.h>

#include "mem/coalesce.h"
#include "mem/outbox.h"

struct stage {
    struct coalesced touched;
    uint32_t set[COALESCE_LINES]; /* of L1 */
    /* Of 32 bits, of each line: those of a store, and of a load if L1 has parts of sectors. */
    uint64_t words[COALESCE_LINES];
    bool missing[COALESCE_LINES];     /* known to be neither in L1 nor on its way */
    struct coalesced_repeats repeats; /* atomics */
    uint32_t next;                    /* line; touched.lines: none is left */
    uint32_t needed;                  /* registers that the rest needs at least, while it waits */
    uint32_t request;
    struct packet packet; /* a store's, but for its lines */
    uint64_t ready;       /* cycle at which L1 has done with it */
    uint64_t passed;      /* at which the data of the next one can pass */
    uint64_t room_at;     /* at which there was room for its last line */
    uint64_t turn;        /* at which its last line passed */
    uint64_t begun;       /* cycle at which the instruction came */
    uint64_t delay;       /* cycles by which its lines are late */
    uint64_t free_at;     /* for the next instruction, once no line is left */
    uint16_t owner;       /* warp */
    uint8_t hits;         /* its counter of hits, as in struct memop */
    uint8_t atomic_kind;  /* enum inst_atomic */
    bool storing;         /* it is a store */
    bool atomic;
    bool joins;  /* what is on its way already; atomics and strong loads each go to L2 */
    bool alone;  /* and no read of another SM brings it */
    bool cached; /* looks into L1, */
    bool keeps;  /* and fills it */
    bool missed; /* some of it does not come from L1 */
};

/* Lines of an instruction wait in the stage. */
static inline bool stage_held(const struct stage *stage)
{
    return stage->next < stage->touched.lines;
}

#endif
