/* L2 request coalescers (LRC): reads of one line by several SMs of a GPC become one read of L2. */
#ifndef SIM_MEM_LRC_H
#define SIM_MEM_LRC_H

#include "mem/l2.h"

/* Reads that one GPC can have under way. No limit was seen on an H200 (cuda/calib/join). */
enum { LRC_LINES = 2048 };

/* A read that other SMs can join. */
struct lrc_read {
    _Alignas(64) uint64_t line; /* aligned so that each read has its own line of the host's cache */
    uint64_t until;             /* last cycle in which it can be joined */
    struct l2_reply reply[L2_REPLIES];
    uint8_t replies, mask, joined;
};

struct lrc {
    uint32_t cycles, reads; /* cycles for which a read can be joined once its data are there; most
                               reads that become one */
    uint16_t *gpc;          /* GPC of each SM */
    struct lrc_read *read;  /* [GPC][LRC_LINES], by a hash of the line */
};

/* Initialises the coalescers. `longest`: the least cycles between a read's arrival at L2 and its
 * departure. Returns false if memory runs out. */
bool lrc_init(struct lrc *lrc, struct arena *arena, const struct simsm_config *config,
              uint32_t longest);

/* Returns the entry at which reads of `line` by SMs of the GPC of `sm` meet; NULL if reads never
 * join. */
static inline struct lrc_read *lrc_place(const struct lrc *lrc, uint32_t sm, uint64_t line)
{
    if (lrc->cycles == 0)
        return NULL;
    uint32_t hash = (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32) % LRC_LINES;
    return &lrc->read[lrc->gpc[sm] * LRC_LINES + hash];
}

/* A read that arrives at L2. */
struct lrc_request {
    uint64_t cycle, line;
    uint32_t sm;
    uint8_t mask; /* sectors */
};

/* Notes a read whose replies are known, so that others can join it. If the noted read found other
 * sectors of its line on their way, no read can join it (H200, cuda/calib/join mixed). */
void lrc_note(const struct lrc *lrc, struct lrc_read *read, const struct lrc_request *request);

/* Joins a read to an earlier one and returns true, if the sectors are the same, the time has not
 * passed and the earlier read has room. */
bool lrc_join(const struct lrc *lrc, struct lrc_read *read, const struct lrc_request *request);

#endif
