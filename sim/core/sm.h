/*
 * One streaming multiprocessor, as the GPU sees it: blocks are placed in it, it runs for a window
 * of cycles, and it says which blocks have retired.
 */
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

/* What all SMs share and none changes; everything pointed to must outlive them. */
struct sm_setup {
    struct arena *arena; /* of all SMs, which it must outlive */
    const struct simsm_config *config;
    const struct front *front;
    const struct simsm_scheduler *scheduler;
    const struct simsm_l1_policy *l1_policy;  /* NULL: none */
    const struct simsm_policy_module *module; /* whose state each SM keeps, or NULL */
    const struct simsm_policy_setup *policy;
    const struct simsm_occupancy *occupancy;
    bool account; /* keep struct sm_account */
    bool no_skip;
    uint32_t poll_cycles; /* after which a poll of global memory is known to have been answered */
};

/* What an SM tells the others about memory that warps wait for. */
struct sm_post {
    uint64_t cycle;   /* at which the instruction issued */
    uint64_t address; /* written */
    uint32_t count;   /* writes; 0: a poll */
    uint8_t sub, slot;
    bool denied; /* the poll has found that words of shared memory are missing */
};

struct sm_retired {
    uint64_t cycle; /* at which the block's resources are free */
    uint64_t start; /* at which it was placed to start */
    uint32_t place; /* block place in the SM */
};

/*
 * SM number `index`; returns NULL if memory runs out. `bus`, `memory` and `tally` are the SM's
 * own and must outlive it.
 */
struct sm *sm_create(const struct sm_setup *setup, uint32_t index, struct bus *bus,
                     struct mem_sm *memory, struct tally *tally);
/* Gives back what it holds beside the arena's. */
void sm_destroy(struct sm *sm);

/*
 * Puts block `block` (linear index) into a free place; its warps start from cycle `start` on,
 * which must not lie in a window that has been run. There must be a free place.
 */
void sm_place(struct sm *sm, uint64_t block, uint64_t start);

/* Runs cycles [from, to). Nothing is simulated before sm_next(). */
void sm_run(struct sm *sm, uint64_t from, uint64_t to);

/* The cycle in which the last instruction so far has been answered. */
uint64_t sm_last_answer(const struct sm *sm);

/* The next cycle in which something can happen, or SM_NEVER. */
uint64_t sm_next(const struct sm *sm);

/* Blocks retired since the last call, by cycle; owned by the SM, valid until it runs again. */
const struct sm_retired *sm_take_retired(struct sm *sm, uint32_t *count);

/*
 * Lets the place and the slots of a retired block be used again. Done by the dispatcher, in the
 * order of retirement, so that what a new block finds free does not depend on windows.
 */
void sm_release(struct sm *sm, uint32_t place);

/* Writes and polls since the last call, in their order; owned by the SM, valid until it runs again.
 */
const struct sm_post *sm_take_posts(struct sm *sm, uint32_t *count);
/* Memory has run out: some are missing. */
bool sm_posts_lost(const struct sm *sm);

/* Whether the warp that has polled still waits and has not been told that it may go on. */
bool sm_poll_open(const struct sm *sm, const struct sm_post *poll);
/* The wait that a poll of this window belongs to; it must be open. */
void sm_poll_wait(const struct sm *sm, const struct sm_post *poll, struct wait *wait);
/* The wait of this poll is over; `forced`: by decree, to let others get on. */
void sm_poll_grant(struct sm *sm, const struct sm_post *poll, bool forced);
/* Linear index of the block and warp in it that has polled. */
void sm_poll_warp(const struct sm *sm, const struct sm_post *poll, uint64_t *block, uint32_t *warp);

/*
 * Whether all warps of the SM wait for words, or at barriers for those that do; *block, *warp
 * become the first of those that wait for words if it is before *block, *warp.
 */
bool sm_only_waits(const struct sm *sm, uint64_t *block, uint32_t *warp);
/* The last cycle in which a warp started, left, or issued what is not part of a wait. */
uint64_t sm_busy_at(const struct sm *sm);

/* Cycles of all sub-partitions together, by what they did. */
struct sm_account {
    uint64_t active; /* with a resident warp */
    uint64_t idle;   /* of these, without an issue */
    uint64_t memory; /* of the idle, all warps but those at barriers wait for memory */
};

/* Sums up to `cycle`, to which the SM has run. */
struct sm_account sm_account(struct sm *sm, uint64_t cycle);

/* Whether a policy has done what it must not in this SM, which stands still since then: *cycle. */
bool sm_fault(const struct sm *sm, uint64_t *cycle);
/* What it was, in one line. */
void sm_describe_fault(const struct sm *sm, char *text, size_t size);

/* Resident blocks. */
uint32_t sm_blocks(const struct sm *sm);

/* Cycles simulated one by one: the rest was skipped. */
uint64_t sm_visited(const struct sm *sm);

/* Closes all state intervals at `cycle`, so that the tally is complete up to it. May be repeated.
 */
void sm_settle(struct sm *sm, uint64_t cycle);

/* Describes in one line what the first stuck warp waits for; for deadlock messages. */
void sm_describe_stuck(const struct sm *sm, char *text, size_t size);

#endif
