/*
 * Policies: which warp issues, and where blocks go. A policy sees a read-only view and answers
 * with a choice; the core checks it. Its state is kept by the core, so that runs stay
 * reproducible: a policy must have no other memory.
 */
#ifndef SIMSM_POLICY_H
#define SIMSM_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One sub-partition at the moment of issue; bit s of a mask is slot s of the sub-partition. */
struct simsm_sched_view {
    uint64_t cycle;
    uint64_t eligible;        /* can issue now; never 0 when pick is called */
    uint64_t resident;        /* hold a warp that has not exited */
    uint64_t memory_pending;  /* wait for global, local or texture data */
    uint64_t synchronizing;   /* wait at a barrier or fence, sleep, or drain after EXIT */
    uint64_t yielded;         /* their last instruction let others issue first: its yield bit */
    const uint64_t *issued;   /* per slot: cycle in which its warp issued last; 0: not yet */
    const uint64_t *launched; /* per slot: rank of the warp's launch in this SM; smaller = older */
    const uint32_t *block;    /* per slot: rank of its block's launch in this SM */
    uint32_t slots;           /* slots of the sub-partition */
    int last;                 /* slot that issued last, -1 if none or its warp is gone */
};

struct simsm_scheduler {
    const char *name;    /* as in `sm.scheduler` */
    const char *summary; /* one line, for `simsm policies` */
    size_t state_size;   /* bytes for each sub-partition, zeroed at launch */
    /* NULL where not needed: sets up the state. */
    void (*init)(void *state, const struct simsm_config *config, uint32_t slots);
    /* A slot of view->eligible, or -1 to hold back. Not called when nothing is eligible. */
    int (*pick)(void *state, const struct simsm_sched_view *view);
    /* NULL where not needed: a warp took the slot (filled) or left it. */
    void (*on_slot)(void *state, uint32_t slot, bool filled);
};

/* One SM as the dispatcher sees it. */
struct simsm_sm_view {
    uint32_t free_blocks;     /* blocks of this kernel that still fit */
    uint32_t resident_blocks; /* blocks that it holds */
    uint32_t visit;           /* of the i-th view: the SM that comes i-th where all get a block */
};

struct simsm_dispatcher {
    const char *name; /* as in `dispatch.policy` */
    const char *summary;
    size_t state_size; /* bytes for the GPU, zeroed at launch */
    /*
     * The SM for the next block: one with free_blocks > 0. Called only while there is one.
     * `freed` is the SM whose block has just retired, or -1 during the first fill.
     */
    uint32_t (*pick)(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed);
};

/* The policies that come with simsm; NULL ends each list. */
extern const struct simsm_scheduler *const simsm_schedulers[];
extern const struct simsm_dispatcher *const simsm_dispatchers[];

#ifdef __cplusplus
}
#endif

#endif
