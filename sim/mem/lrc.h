/*
 * L2 request coalescers: reads of one line that SMs of a GPC send at about the same time reach L2
 * as one, and all are answered at once.
 *
 * Modelled: SMs by turns in pairs (TPCs) over the coalescers; a read joins an earlier one of the
 * same line, with all of its sectors, for so many cycles, up to so many reads, each of another SM.
 * SOURCE: the counters lrc__ of Nsight Compute; how long and how many: an H200, calib/traffic once.
 */
#ifndef SIM_MEM_LRC_H
#define SIM_MEM_LRC_H

#include "mem/l2.h"

enum { LRC_LINES = 64 };

/* A read that others may join. */
struct lrc_read {
    uint64_t line, cycle; /* at which it came */
    uint64_t sms;         /* whose it is, by their numbers mod 64 */
    struct l2_reply reply[L2_REPLIES];
    uint8_t replies, mask, joined;
};

struct lrc {
    uint32_t count, cycles, reads; /* coalescers; how long a read can be joined; most in one */
    struct lrc_read *read;         /* [count][LRC_LINES] */
};

/* False: out of memory. */
bool lrc_init(struct lrc *lrc, const struct simsm_config *config);
void lrc_free(struct lrc *lrc);

/* Where reads of `line` by SM `sm` can meet; NULL if none ever do. */
static inline struct lrc_read *lrc_place(const struct lrc *lrc, uint32_t sm, uint64_t line)
{
    if (lrc->cycles == 0)
        return NULL;
    uint32_t hash = (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 58);
    return &lrc->read[sm / 2 % lrc->count * LRC_LINES + hash];
}

static inline uint64_t lrc_bit(uint32_t sm)
{
    return UINT64_C(1) << sm % 64;
}

/* Joins a read at `cycle` of sectors `mask` by `sm` to that of another SM, if it can. */
static inline bool lrc_join(const struct lrc *lrc, struct lrc_read *read, uint32_t sm,
                            uint64_t line, uint32_t mask, uint64_t cycle)
{
    if (read == NULL || read->line != line || read->joined >= lrc->reads ||
        (mask & ~(uint32_t)read->mask) != 0 || cycle > read->cycle + lrc->cycles ||
        (read->sms & lrc_bit(sm)) != 0)
        return false;
    read->joined++;
    read->sms |= lrc_bit(sm);
    return true;
}

#endif
