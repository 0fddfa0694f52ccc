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
    const struct simsm_config *config;
    const struct front *front;
    const struct simsm_scheduler *scheduler;
    const struct simsm_occupancy *occupancy;
    bool no_skip;
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
void sm_destroy(struct sm *sm);

/*
 * Puts block `block` (linear index) into a free place; its warps start from cycle `start` on,
 * which must not lie in a window that has been run. There must be a free place.
 */
void sm_place(struct sm *sm, uint64_t block, uint64_t start);

/* Runs cycles [from, to). Nothing is simulated before sm_next(). */
void sm_run(struct sm *sm, uint64_t from, uint64_t to);

/* The next cycle in which something can happen, or SM_NEVER. */
uint64_t sm_next(const struct sm *sm);

/* Blocks retired since the last call, by cycle; owned by the SM, valid until it runs again. */
const struct sm_retired *sm_take_retired(struct sm *sm, uint32_t *count);

/*
 * Lets the place and the slots of a retired block be used again. Done by the dispatcher, in the
 * order of retirement, so that what a new block finds free does not depend on windows.
 */
void sm_release(struct sm *sm, uint32_t place);

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
