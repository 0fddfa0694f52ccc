/* The decoder of a chunk's payload, one slot a call. */
#ifndef SIM_TIMELINE_CHUNK_DECODE_H
#define SIM_TIMELINE_CHUNK_DECODE_H

#include "timeline/timeline_info.h"

/*
 * A chunk that is being decoded. The caller decodes slot by slot, so that it can stop between two
 * slots and draw a frame.
 */
struct decoding {
    const struct timeline_chunk *chunk;
    struct timeline_data *data;
    struct smtl_cursor rest; /* record streams that are not decoded yet */
    uint32_t slots, state_count, selected;
    uint32_t next; /* the next slot; `slots`: the events of the SM are next */
    uint32_t changes;
    struct smtl_key keys[SIMSM_SLOTS_PER_SM];
    uint64_t
        length[SIMSM_SLOTS_PER_SM + 1]; /* bytes of the record streams of each slot and of the SM */
    uint32_t subs;
    struct smtl_cursor groups[SIMSM_SLOTS_PER_SM]; /* record streams of the groups */
    /* The slot that is being decoded: */
    struct smtl_cursor cursor;
    uint64_t cycle, next_issue;
    uint32_t start_pc, done_pc;
    uint8_t slot;
    struct smtl_key now;
    /* Of the products so far: instruction of the last one, and last end by sub-partition. */
    uint32_t product_pc;
    uint64_t product_end[SIMSM_SLOTS_PER_SM];
    uint32_t open[SMTL_COPIES]; /* index + 1 in `works` of each copy under way; 0: none */
    /* The next change in the record stream of the slot's group: */
    struct smtl_cursor group;
    uint64_t group_cycle; /* UINT64_MAX: the group changes no more */
    uint32_t group_state, bit;
};

/*
 * Begins to decode `payload`, the unpacked bytes of `chunk`, into *data. The payload and *chunk
 * must stay until decode_end.
 */
void decode_begin(struct decoding *decoding, const struct info *info,
                  const struct timeline_chunk *chunk, struct smtl_cursor payload,
                  struct timeline_data *data);
/*
 * Decodes the next slot, or behind the last slot the events of the SM. Returns false when the chunk
 * is decoded or damaged; decode_end tells which.
 */
bool decode_next(struct decoding *decoding);
/*
 * Ends decoding. Returns NULL if the whole chunk is decoded. Otherwise empties the data and returns
 * what is wrong with the payload, as a predicate ("contradicts itself").
 */
const char *decode_end(struct decoding *decoding);

#endif
