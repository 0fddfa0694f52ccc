/* The interface of one streaming multiprocessor (SM) to the GPU: the GPU places blocks in it, lets
 * it run for a window of cycles, and takes the blocks that have retired. */
#ifndef SIM_CORE_SM_H
#define SIM_CORE_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "front/front.h"
#include "mem/mem.h"
#include "model/bus.h"
#include "model/tally.h"
#include "simsm/config.h"
#include "simsm/occupancy.h"
#include "simsm/policy.h"

#define SM_NEVER UINT64_MAX

struct sm;

/* What all SMs share and none changes. Everything pointed to must outlive the SMs. */
struct sm_setup {
    struct arena *arena; /* holds the state of all SMs */
    const struct simsm_config *config;
    const struct front *front;
    const struct simsm_scheduler *scheduler;
    const struct simsm_l1_policy *l1_policy;  /* NULL: none */
    const struct simsm_policy_module *module; /* each SM has a state of its policies; NULL: none */
    const struct simsm_policy_setup *policy;
    const struct simsm_occupancy *occupancy;
    bool account; /* the SM keeps struct sm_account */
    bool no_skip;
    uint32_t poll_cycles; /* cycles after which the answer to a poll of global memory is known */
};

/* A write or a poll of a word of global memory that warps wait for. */
struct sm_post {
    uint64_t cycle;   /* cycle at which the instruction issued */
    uint64_t address; /* address of the write */
    uint32_t count;   /* number of writes; 0: a poll */
    uint8_t sub, slot;
    bool denied; /* the poll failed on words of shared memory */
};

struct sm_retired {
    uint64_t cycle; /* cycle at which the block's resources are free */
    uint64_t start; /* cycle at which the block was to start */
    uint32_t place; /* the block's place in the SM */
};

/* Creates SM number `index`. `bus`, `memory` and `tally` belong to this SM alone and must outlive
 * it. Returns NULL if memory runs out. */
struct sm *sm_create(const struct sm_setup *setup, uint32_t index, struct bus *bus,
                     struct mem_sm *memory, struct tally *tally);
/* Frees what does not lie in the arena. NULL is allowed. */
void sm_destroy(struct sm *sm);

/* Puts block `block` (linear index) into a free place; there must be one. Its warps start from
 * cycle `start` on. `start` must not lie in a window that has been run. */
void sm_place(struct sm *sm, uint64_t block, uint64_t start);

/* Runs the cycles [from, to). Nothing is simulated before sm_next(). */
void sm_run(struct sm *sm, uint64_t from, uint64_t to);

/* Returns the cycle of the last answer to an instruction so far. */
uint64_t sm_last_answer(const struct sm *sm);

/* Returns the next cycle in which something can happen, or SM_NEVER. */
uint64_t sm_next(const struct sm *sm);

/* Returns the blocks that have retired since the last call, by cycle, and their number in *count.
 * The array belongs to the SM and is valid until the SM runs again. */
const struct sm_retired *sm_take_retired(struct sm *sm, uint32_t *count);

/* Frees the place and the slots of a retired block. The dispatcher calls this in the order of
 * retirement, so that the places that a new block finds free do not depend on windows. */
void sm_release(struct sm *sm, uint32_t place);

/* Returns the writes and polls since the last call, in order, and their number in *count. The array
 * belongs to the SM and is valid until the SM runs again. */
const struct sm_post *sm_take_posts(struct sm *sm, uint32_t *count);
/* Returns whether posts are missing because memory has run out. */
bool sm_posts_lost(const struct sm *sm);

/* Returns whether the wait of `poll` is open: its warp waits and has not been granted. */
bool sm_poll_open(const struct sm *sm, const struct sm_post *poll);
/* Fills *wait with the wait of a poll of this window, which must be open. */
void sm_poll_wait(const struct sm *sm, const struct sm_post *poll, struct wait *wait);
/* Ends the wait of `poll`, which must be open: the warp leaves its spin loop. `forced`: the wait is
 * ended although it is not over, because no warp could go on otherwise. */
void sm_poll_grant(struct sm *sm, const struct sm_post *poll, bool forced);
/* Fills in the linear index of the block that has polled, and the warp's number in the block. */
void sm_poll_warp(const struct sm *sm, const struct sm_post *poll, uint64_t *block, uint32_t *warp);

/* Returns whether all warps of the SM wait for words, or at barriers for warps that do. *block and
 * *warp become the first warp that waits for words, if that warp comes before *block, *warp. */
bool sm_only_waits(const struct sm *sm, uint64_t *block, uint32_t *warp);
/*
 * Returns the last cycle in which a warp started, ended, or issued an instruction outside a wait.
 */
uint64_t sm_busy_at(const struct sm *sm);

/* Cycles summed over all sub-partitions. */
struct sm_account {
    uint64_t active; /* with a resident warp */
    uint64_t idle;   /* active cycles without an issue */
    uint64_t memory; /* idle cycles in which all warps, except those at barriers, wait for memory */
};

/* Returns the sums up to `cycle`, to which the SM must have run. */
struct sm_account sm_account(struct sm *sm, uint64_t cycle);

/* Returns whether a policy has broken its rules in this SM. *cycle: when; the SM does not run any
 * further. */
bool sm_fault(const struct sm *sm, uint64_t *cycle);
/* Describes the broken rule in one line. */
void sm_describe_fault(const struct sm *sm, char *text, size_t size);

/* Returns the number of resident blocks. */
uint32_t sm_blocks(const struct sm *sm);

/* Returns the number of cycles that were simulated; the others were skipped. */
uint64_t sm_visited(const struct sm *sm);

/*
 * Closes all state intervals at `cycle`, so that the tally is complete up to it. May be repeated.
 */
/* Lets warps go on that have waited for the exchange of the front. */
void sm_wake(struct sm *sm);

void sm_settle(struct sm *sm, uint64_t cycle);

/* Describes in one line what the first stuck warp waits for, for the message about a deadlock. */
void sm_describe_stuck(const struct sm *sm, char *text, size_t size);

#endif
