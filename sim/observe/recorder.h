/*
 * The recorder of one SM: turns events into the bytes of a timeline chunk, with a stream of short
 * records for each slot. A chunk is gathered in memory and taken by the writer when it is full.
 * Pushing an event allocates nothing and searches nothing.
 */
#ifndef SIM_OBSERVE_RECORDER_H
#define SIM_OBSERVE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/observer.h"
#include "timeline/smtl.h"
#include "timeline/timeline_overview.h"

/*
 * The end of a record stream. Nearly every event touches it, so it is one cache line. Slots, the SM
 * and groups have a record stream each.
 */
struct recorder_slot {
    _Alignas(64) uint8_t *at; /* the next record is written here */
    uint8_t *high;            /* if `at` is beyond it, the chunk is full */
    uint64_t clock;           /* cycle of the last record */
    uint64_t next_issue;      /* first cycle in which an issue is not known yet */
    uint64_t since;           /* cycle of the last state in the slot's own record stream */
    uint32_t pc;              /* static instruction at the head when the slot entered that state */
    uint32_t next_pc;         /* static instruction expected in the next record */
    uint8_t *state;           /* the slot's state, in its group */
};

enum { RECORDER_RECENT = 16 };

/* A group: up to 16 slots of a sub-partition, which often change their state together. */
struct recorder_group {
    _Alignas(64) uint8_t state[SMTL_GROUP_SLOTS];
    uint32_t slots, selected; /* bit per slot: the slot exists; the slot is in state `selected` */
    uint32_t first;           /* slot with bit 0 */
    uint32_t recent;          /* number of changes that are not yet in `changed` */
    uint32_t recent_at[RECORDER_RECENT], recent_slots[RECORDER_RECENT];
    /*
     * Cycle of the last change in the group's record stream, plus 1, counted from the chunk's first
     * cycle; 0: none.
     */
    uint32_t changed[SMTL_GROUP_SLOTS];
};

/* The members of a record stream that only rare events touch. */
struct recorder_rest {
    uint8_t *begin;      /* first byte of the record stream */
    uint64_t warp_since; /* cycle at which the slot's warp started */
    uint32_t block, mask;
    uint32_t start_pc, done_pc; /* static instructions of the last MEM_START and MEM_DONE */
    uint8_t warp;
    bool used; /* a warp has started in the slot */
};

/* Totals over the recorded cycles. */
struct recorder_totals {
    uint64_t states[SIMSM_STATE_COUNT]; /* slot cycles; complete after recorder_count_until */
    uint64_t issues, changes;
};

/* A copy that is under way. Its number is its index: the smallest that was free at its issue. */
struct recorder_copy {
    uint64_t issued; /* cycle */
    uint32_t inst, bytes;
    uint8_t slot, reach; /* reach: SMs of its cluster that it reaches; 0: its own */
    bool used;
};

/* A warp's part of a product of warp groups. */
struct recorder_product {
    uint64_t issued, begin, end; /* cycles */
    uint32_t inst;
    uint8_t slot;
};

enum { RECORDER_PRODUCTS = 64 };

/* Work beside the warps that is repeated at the start of a chunk. */
struct recorder_work {
    uint32_t size, reach; /* of the next copy or product */
    uint32_t products;    /* that have issued */
    struct recorder_copy copy[SMTL_COPIES];
    uint8_t named[SMTL_COPIES]; /* number + 1 of the copy that events name so; 0: none */
    struct recorder_product product[RECORDER_PRODUCTS]; /* the last ones, a ring */
    /* Of the products in the chunk: instruction of the last one, and last end by sub-partition. */
    uint32_t last_inst;
    uint64_t last_end[SIMSM_SLOTS_PER_SM];
};

struct recorder {
    uint32_t sm, slots, subs, groups;
    uint64_t now;             /* cycle of the last event */
    uint64_t begin;           /* first cycle of the chunk */
    uint32_t changes, issues; /* in the chunk */
    bool full;                /* the chunk must end before the next cycle */
    const char *refusal;      /* why an event was refused; NULL: none was */
    uint64_t refused_cycle;
    uint32_t refused_slot;
    struct recorder_totals totals;
    uint8_t group_of[SIMSM_SLOTS_PER_SM];
    struct recorder_group *group; /* [groups] */
    struct recorder_slot *slot;   /* [streams] of slots, then of the SM, then of groups */
    struct recorder_rest *rest;   /* [streams] */
    struct smtl_key *key;         /* [slots] what the slot held when the chunk began */
    uint8_t *bytes;
    struct recorder_work *work;
    struct overview *overview; /* gets the events of blocks; NULL: no overview */
};

/*
 * Prepares a recorder for an SM of `slots` slots in `subs` sub-partitions. Each slot's record
 * stream has `room` bytes, at least 64 x SMTL_RECORD_BYTES. Returns false if memory runs out. The
 * caller ends with recorder_free in either case.
 */
bool recorder_init(struct recorder *recorder, uint32_t sm, uint32_t slots, uint32_t subs,
                   uint32_t room);
/* Frees the memory and sets *recorder to zero. */
void recorder_free(struct recorder *recorder);

/*
 * Returns whether the chunk must be taken or dropped before an event at `cycle`: the chunk is full,
 * or too long.
 */
static inline bool recorder_must_close(const struct recorder *recorder, uint64_t cycle)
{
    return recorder->full || cycle - recorder->begin >= SMTL_CHUNK_CYCLES;
}

/*
 * Records the events from `event` up to `end`, one past the last. Stops at an event at cycle
 * `limit` or later, or when the chunk is full and its last cycle has ended. Returns the first event
 * that is not recorded. Returns NULL if an event contradicts earlier ones; `refusal` says why.
 */
const struct simsm_event *recorder_push(struct recorder *recorder, const struct simsm_event *event,
                                        const struct simsm_event *end, uint64_t limit);

/*
 * Ends the chunk before cycle `end`, which is above the cycle of the last event. Returns false if a
 * slot in state `selected` did not issue.
 */
bool recorder_close(struct recorder *recorder, uint64_t end);

/* Appends the payload of the closed chunk. */
void recorder_payload(const struct recorder *recorder, struct byte_buffer *payload);

/* Drops the chunk and begins the next one at cycle `begin`. */
void recorder_begin(struct recorder *recorder, uint64_t begin);

/* Sets the totals to zero: cycles before `from` do not count. */
void recorder_count_from(struct recorder *recorder, uint64_t from);

/* Adds the states that last until the recording ends at cycle `end` to the totals. */
void recorder_count_until(struct recorder *recorder, uint64_t end);

/*
 * Records an event of work beside the warps (recorder_work.c). Returns NULL, or why the event is
 * refused. Private to the recorder, as the next two.
 */
const char *recorder_push_work(struct recorder *recorder, const struct simsm_event *event);
/* Records again what is under way when a chunk begins. */
void recorder_repeat_work(struct recorder *recorder);
/* Writes the tag, byte and number of a record of the SM. Returns false if there is no room. */
bool recorder_put_sm(struct recorder *recorder, unsigned what, uint64_t cycle, uint32_t byte,
                     uint32_t number);

/* Updates `changed` of a group from its latest changes. Private to the recorder. */
void recorder_update_changed(struct recorder_group *group);

/*
 * Returns the cycle at which the recording ends if the run ends at `cycle`: not before the last
 * known event or issue.
 */
uint64_t recorder_end(const struct recorder *recorder, uint64_t cycle);

#endif
