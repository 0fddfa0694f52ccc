/*
 * One SM's events as the bytes of a timeline chunk: one stream of short records for each slot.
 * A chunk is gathered in memory and taken by the writer when it is full. Pushing an event allocates
 * nothing and searches nothing.
 */
#ifndef SIM_OBSERVE_RECORDER_H
#define SIM_OBSERVE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/observer.h"
#include "timeline/smtl.h"
#include "timeline/timeline_overview.h"

/* Where a slot stands: what nearly every event touches, in one cache line. */
struct recorder_slot {
    _Alignas(64) uint8_t *at; /* write here */
    uint8_t *high;            /* beyond it the chunk is full */
    uint64_t clock;           /* cycle of the last record */
    uint64_t next_issue;      /* first cycle of whose issue nothing is known yet */
    uint64_t since;           /* cycle of the last state in its own stream */
    uint32_t pc;              /* static instruction at the head as it entered that */
    uint32_t next_pc;         /* expected in its next record */
    uint8_t *state;           /* in its group */
};

enum { RECORDER_RECENT = 16 };

/* What slots of a sub-partition have that change together. */
struct recorder_group {
    _Alignas(64) uint8_t state[SMTL_GROUP_SLOTS];
    uint32_t slots, selected; /* bit per slot: there is such a slot; it is in `selected` */
    uint32_t first;           /* slot of bit 0 */
    uint32_t recent;          /* changes that `changed` does not know of */
    uint32_t recent_at[RECORDER_RECENT], recent_slots[RECORDER_RECENT];
    /* Cycles from one before the chunk's begin to the last change in the group's stream, or 0. */
    uint32_t changed[SMTL_GROUP_SLOTS];
};

/* The same, for rarer events. */
struct recorder_rest {
    uint8_t *begin;      /* of the stream */
    uint64_t warp_since; /* cycle at which its warp started */
    uint32_t block, mask;
    uint32_t start_pc, done_pc; /* of the last memory start and answer */
    uint8_t warp;
    bool used; /* a warp has started here */
};

/* Of the recorded range. */
struct recorder_totals {
    uint64_t states[SIMSM_STATE_COUNT]; /* slot cycles; see recorder_count_until */
    uint64_t issues, changes;
};

struct recorder {
    uint32_t sm, slots, subs, groups;
    uint64_t now;             /* cycle of the last event */
    uint64_t begin;           /* first cycle of the chunk */
    uint32_t changes, issues; /* in the chunk */
    bool full;                /* take the chunk before the next cycle */
    const char *refusal;      /* why an event was refused; NULL */
    uint64_t refused_cycle;
    uint32_t refused_slot;
    struct recorder_totals totals;
    uint8_t group_of[SIMSM_SLOTS_PER_SM];
    struct recorder_group *group; /* [groups] */
    struct recorder_slot *slot;   /* [streams]: slots, the SM's own, groups */
    struct recorder_rest *rest;   /* [streams] */
    struct smtl_key *key;         /* [slots] as the chunk begins */
    uint8_t *bytes;
    struct overview *overview; /* is told of blocks; NULL: nobody is */
};

/*
 * `room` bytes for each of `slots` slots (at least 64 x SMTL_RECORD_BYTES) of `subs`
 * sub-partitions. Returns false if memory runs out; recorder_free is right either way.
 */
bool recorder_init(struct recorder *recorder, uint32_t sm, uint32_t slots, uint32_t subs,
                   uint32_t room);
void recorder_free(struct recorder *recorder);

/* True if the chunk must be taken (or dropped) before an event at `cycle`: full, or too long. */
static inline bool recorder_must_close(const struct recorder *recorder, uint64_t cycle)
{
    return recorder->full || cycle - recorder->begin >= SMTL_CHUNK_CYCLES;
}

/*
 * Records events from `event` on, `end` being one past the last, until one is at cycle `limit` or
 * later, or the chunk is full and its cycle has ended. Returns the first that is left, or NULL if
 * one contradicts those before (see `refusal`).
 */
const struct simsm_event *recorder_push(struct recorder *recorder, const struct simsm_event *event,
                                        const struct simsm_event *end, uint64_t limit);

/*
 * Ends the chunk before cycle `end` (above the cycle of the last event). False if a slot in
 * `selected` did not issue.
 */
bool recorder_close(struct recorder *recorder, uint64_t end);

/* Appends the payload of the closed chunk. */
void recorder_payload(const struct recorder *recorder, struct byte_buffer *payload);

/* Forgets the chunk and begins the next one at `begin`. */
void recorder_begin(struct recorder *recorder, uint64_t begin);

/* Sets the totals back: what came before cycle `from` does not count. */
void recorder_count_from(struct recorder *recorder, uint64_t from);

/* Adds the states that last until the recording ends at `end` to the totals. */
void recorder_count_until(struct recorder *recorder, uint64_t end);

/* Within the recorder: brings `changed` of a group up to date, which has the latest of each slot.
 */
void recorder_settle(struct recorder_group *group);

/* The end of the recording when the run ends at `cycle`: not before what is known. */
uint64_t recorder_end(const struct recorder *recorder, uint64_t cycle);

#endif
