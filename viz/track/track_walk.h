/*
 * A walk through one SM's recording in order of time, with one chunk in memory at a time. For
 * exports. The screens use track.h, which keeps what is looked at again.
 */
#ifndef VIZ_TRACK_TRACK_WALK_H
#define VIZ_TRACK_TRACK_WALK_H

#include <stdint.h>

#include "timeline/slot_history.h"
#include "timeline/timeline_read.h"

/* Events in the same cycle come by slot, and within a slot in this order. */
enum walk_kind {
    WALK_WARP,   /* a warp takes the slot: block, warp */
    WALK_ANSWER, /* a memory instruction is answered: pc, level; number, issued, started */
    WALK_STATE,  /* the slot enters a state: state, and pc at the head of its warp */
    WALK_ISSUE,  /* an instruction issues: pc, mask; number */
    WALK_REQUEST /* a memory instruction enters the load/store stage: pc; number, issued */
};

#define WALK_UNKNOWN UINT64_MAX

struct walk_event {
    uint64_t cycle;
    uint64_t number; /* number of the issue, from 0; WALK_UNKNOWN: issued before the walk began */
    uint64_t issued, started; /* cycles; WALK_UNKNOWN: before the walk began */
    uint32_t pc;              /* static instruction */
    uint32_t mask, block;
    uint8_t kind; /* enum walk_kind */
    uint8_t slot, state, level, warp;
};

/* Gets one event. A status other than SIMSM_OK ends the walk. */
typedef enum simsm_status walk_callback(void *context, const struct walk_event *event,
                                        struct simsm_error *error);

/*
 * Calls `visit` for each event of SM `sm` in the cycles [from, to). First come, for every slot, its
 * warp and its state at `from`, or at the begin of the recording if that is later, as if they began
 * there. Returns the status of `visit`, or an error of reading.
 */
enum simsm_status walk_sm(struct timeline_reader *reader, uint32_t sm, uint64_t from, uint64_t to,
                          walk_callback *visit, void *context, struct simsm_error *error);

/* Returns whether static instruction `pc` accesses memory and so makes requests. */
bool walk_is_memory(const struct timeline_info *info, uint32_t pc);

#endif
