/* The load/store stage of an SM, grade full: the one instruction in it, and how far its lines have
 * passed the L1 tags. A line that finds no free MSHR holds the stage until one is free. */
#ifndef SIM_MEM_STAGE_H
#define SIM_MEM_STAGE_H

#include <stdbool.h>

#include "mem/coalesce.h"
#include "mem/outbox.h"
#include "simsm/stats.h"

struct stage {
    struct coalesced touched;
    uint32_t set[COALESCE_LINES]; /* set of L1 for each line */
    /* Words of 32 bits of each line: the words that a store writes, a compare-and-swap tries, or a
     * load reads. Filled for loads only if L1 holds parts of sectors. */
    uint64_t words[COALESCE_LINES];
    bool missing[COALESCE_LINES];     /* known to be neither in L1 nor on its way */
    struct coalesced_repeats repeats; /* of an atomic */
    uint32_t next;                    /* index of the next line; touched.lines: none is left */
    uint32_t needed; /* least number of MSHRs for the lines left, while the stage waits */
    uint32_t request;
    struct simsm_line_stats *line_stats; /* of the instruction; NULL: hits are not counted */
    struct packet packet; /* of a store; its line, mask and words are set for each line */
    uint64_t ready;       /* cycle at which L1 has processed the instruction */
    uint64_t passed;      /* cycle at which the next instruction's data can pass */
    uint64_t room_at;     /* cycle at which the last line found room */
    uint64_t turn;        /* cycle at which the last line passed */
    uint64_t begun;       /* cycle at which the instruction came */
    uint64_t delay;       /* cycles by which the lines are late */
    uint64_t free_at;     /* cycle for the next instruction, once no line is left */
    uint16_t owner;       /* warp's slot */
    uint8_t hits;         /* counter of hits, as in struct memop */
    uint8_t atomic_kind;  /* enum inst_atomic */
    bool storing;         /* the instruction is a store */
    bool atomic;
    bool joins;  /* may join an MSHR; not so: atomics and loads that L1 must not answer */
    bool alone;  /* must not join a read of another SM in front of L2 */
    bool cached; /* looks up L1 */
    bool keeps;  /* fills L1 */
    bool missed; /* some sector does not come from L1 */
};

/* Returns whether lines of an instruction wait in the stage. */
static inline bool stage_held(const struct stage *stage)
{
    return stage->next < stage->touched.lines;
}

#endif
