/* A chunk's payload as arrays. */
#ifndef SIM_TIMELINE_CHUNK_DECODE_H
#define SIM_TIMELINE_CHUNK_DECODE_H

#include "timeline/timeline_info.h"

/* A chunk on its way: slot after slot, as whoever waits for it may not have time for all. */
struct decoding {
    const struct timeline_chunk *chunk;
    struct timeline_data *data;
    struct smtl_cursor rest; /* behind the streams that are decoded */
    uint32_t slots, state_count, selected;
    uint32_t next; /* slot; behind the last one come the events of the SM */
    uint32_t changes;
    struct smtl_key keys[SIMSM_SLOTS_PER_SM];
    uint64_t length[SIMSM_SLOTS_PER_SM + 1]; /* of the streams of slots and SM, bytes */
    uint32_t subs;
    struct smtl_cursor groups[SIMSM_SLOTS_PER_SM]; /* their streams */
    /* The slot whose stream is read: */
    struct smtl_cursor cursor;
    uint64_t cycle, next_issue;
    uint32_t start_pc, done_pc;
    uint8_t slot;
    struct smtl_key now;
    /* The next change in its group's stream: */
    struct smtl_cursor group;
    uint64_t group_cycle; /* UINT64_MAX: there is none */
    uint32_t group_state, bit;
};

/* Begins with the payload of `chunk`, which must stay, as *chunk must, until decode_end. */
void decode_begin(struct decoding *decoding, const struct info *info,
                  const struct timeline_chunk *chunk, struct smtl_cursor payload,
                  struct timeline_data *data);
/* The next slot; false: that was all, or it is damaged. */
bool decode_next(struct decoding *decoding);
/* NULL if the data are whole, or what is wrong with the payload; they then hold nothing. */
const char *decode_end(struct decoding *decoding);

#endif
