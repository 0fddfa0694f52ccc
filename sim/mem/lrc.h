/*
 * L2 request coalescers: reads of one line by SMs of a GPC reach L2 as one while the first of them
 * is there, and one reply goes to all of them.
 *
 * Modelled: a read joins an earlier one of the same sectors of a line, by any SM of its GPC,
 * until the data of that have left L2, which is later where they come from memory; up to so many
 * reads. Left out: that a reply to several SMs takes 10 cycles more.
 * SOURCE: the counters lrc__ of Nsight Compute, of which there is one for each slice; which, how
 * long and how many: an H200, calib/join.
 */
#ifndef SIM_MEM_LRC_H
#define SIM_MEM_LRC_H

#include "mem/l2.h"

/* More than a GPC has under way: no limit was seen (calib/join). */
enum { LRC_LINES = 2048 };

/* A read that others may join. */
struct lrc_read {
    _Alignas(64) uint64_t line; /* a line of the host's cache for each */
    uint64_t until;             /* the last cycle in which it can be joined */
    struct l2_reply reply[L2_REPLIES];
    uint8_t replies, mask, joined;
};

struct lrc {
    uint32_t cycles, reads; /* from when data are there until they have left; most reads in one */
    uint16_t *gpc;          /* [SM] */
    struct lrc_read *read;  /* [GPC][LRC_LINES], by a hash of the line */
};

/* `longest`: the cycles between which a read comes to L2 and leaves it at least. False: out of
 * memory. */
bool lrc_init(struct lrc *lrc, struct arena *arena, const struct simsm_config *config,
              uint32_t longest);

/* Where reads of `line` by SM `sm` can meet; NULL if none ever do. */
static inline struct lrc_read *lrc_place(const struct lrc *lrc, uint32_t sm, uint64_t line)
{
    if (lrc->cycles == 0)
        return NULL;
    uint32_t hash = (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32) % LRC_LINES;
    return &lrc->read[lrc->gpc[sm] * LRC_LINES + hash];
}

/* A read that comes to L2. */
struct lrc_request {
    uint64_t cycle, line;
    uint32_t sm;
    uint8_t mask; /* sectors */
};

/*
 * Notes a read whose replies are known, so that others can join it. None joins one that found other
 * sectors of its line on their way (calib/join mixed).
 */
void lrc_note(const struct lrc *lrc, struct lrc_read *read, const struct lrc_request *request);

/* Joins a read to an earlier one, if it can. */
bool lrc_join(const struct lrc *lrc, struct lrc_read *read, const struct lrc_request *request);

#endif
