/*
 * One SM's recording from its beginning to its end in the order of time, with one chunk in memory
 * at a time. For exports: what is looked at again and again comes from track.h.
 */
#ifndef VIZ_TRACK_TRACK_WALK_H
#define VIZ_TRACK_TRACK_WALK_H

#include <stdint.h>

#include "timeline/slot_history.h"
#include "timeline/timeline_read.h"

/* In a cycle, those of a slot come in this order, and slots in the order of their numbers. */
enum walk_kind {
    WALK_WARP,   /* a warp takes the slot: block, warp */
    WALK_ANSWER, /* a memory instruction has been answered: pc, level; number, issued, started */
    WALK_STATE,  /* the slot enters a state: state, and pc at the head of its warp */
    WALK_ISSUE,  /* pc, mask; number */
    WALK_REQUEST /* a memory instruction enters the load/store stage: pc; number, issued */
};

#define WALK_UNKNOWN UINT64_MAX

struct walk_event {
    uint64_t cycle;
    uint64_t number;          /* of the issue, from 0; WALK_UNKNOWN: before the walk began */
    uint64_t issued, started; /* cycles; WALK_UNKNOWN likewise */
    uint32_t pc;              /* static instruction */
    uint32_t mask, block;
    uint8_t kind; /* enum walk_kind */
    uint8_t slot, state, level, warp;
};

/* What is not SIMSM_OK ends the walk, which then returns it. */
typedef enum simsm_status walk_callback(void *context, const struct walk_event *event,
                                        struct simsm_error *error);

/*
 * Visits what happens to `sm` in the cycles [from, to). First comes, for every slot, the warp that
 * is there and the state that it is in, as if they began at `from`, or where the recording begins.
 */
enum simsm_status walk_sm(struct timeline_reader *reader, uint32_t sm, uint64_t from, uint64_t to,
                          walk_callback *visit, void *context, struct simsm_error *error);

/* Whether static instruction `pc` goes to memory, and so makes a request. */
bool walk_is_memory(const struct timeline_info *info, uint32_t pc);

#endif
