/* The interface of one streaming multiprocessor (SM) to the GPU: the GPU places blocks in it, lets
 * it run for a window of cycles, and takes the blocks that have retired. */
#ifndef SIM_CORE_SM_H
#define SIM_CORE_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/supply.h"
#include "front/front.h"
#include "mem/mem.h"
#include "model/bus.h"
#include "model/tally.h"
#include "simsm/config.h"
#include "simsm/policy.h"

#define SM_NEVER UINT64_MAX

struct sm;

/*
 * A grid, as SMs see it. Blocks of several grids may share an SM. Everything pointed to must
 * outlive the grid's warps.
 */
struct sm_grid {
    const struct front *front;
    const struct front_ops *ops; /* front->ops */
    const struct inst *code;     /* front->code */
    uint64_t came;               /* cycle in which the grid has come to the GPU */
    uint64_t first;              /* no block starts before this cycle */
    uint32_t warps_per_block;
    bool use_control_bits;
    /* Added to the addresses of code and of constants, so that each kernel has its own code in the
     * caches, and each launch its own constants. */
    uint32_t code_at, constants_at;
    struct simsm_line_stats **lines; /* [host threads][front->code_size] counts of each thread */
};

/* Returns whether the control bits of the front's code are used: every instruction must have them,
 * and the configuration must not ask for a scoreboard. */
bool sm_uses_control_bits(const struct simsm_config *config, const struct front *front);

/* What all SMs share and none changes. Everything pointed to must outlive the SMs. */
struct sm_setup {
    struct arena *arena; /* holds the state of all SMs */
    struct supply *supply;
    const struct simsm_config *config;
    const struct sm_grid *first; /* the grid for which the state is made */
    size_t cursor_size;          /* bytes of the longest cursor of all fronts */
    const struct simsm_scheduler *scheduler;
    const struct simsm_l1_policy *l1_policy;  /* NULL: none */
    const struct simsm_policy_module *module; /* each SM has a state of its policies; NULL: none */
    const struct simsm_policy_setup *policy;
    bool account;          /* the SM keeps struct sm_account */
    uint64_t least_answer; /* mem_least_answer() */
    bool no_skip;
    uint32_t exchanges; /* of the front so far (front_ops.exchange); changes between windows */
};

struct sm_retired {
    uint64_t cycle;   /* cycle at which the block's resources are free */
    uint64_t start;   /* cycle at which the block was to start */
    uint32_t place;   /* the block's place in the SM */
    uint32_t cluster; /* as given to sm_join_cluster; 0: none */
};

/* What a warp has done that concerns the barrier of its cluster. */
struct sm_cluster_note {
    uint32_t cluster;
    bool arrives, leaves; /* at the barrier; the warp exits */
    bool waits;           /* it leaves: it has arrived, and the barrier has not opened since */
    uint64_t cycle;
};

/* Creates SM number `index`, of which cycles count from `from` on. Host thread `part` simulates it.
 * `bus`, `memory` and `tally` belong to this thread alone and must outlive the SM. Returns NULL if
 * memory runs out. */
struct sm *sm_create(const struct sm_setup *setup, uint32_t index, uint64_t from, struct bus *bus,
                     struct mem_sm *memory, struct tally *tally, uint32_t part);
/* Frees what does not lie in the arena. NULL is allowed. */
void sm_destroy(struct sm *sm);

/* Puts block `block` (linear index) of the grid into a free place; there must be one. Its warps
 * start from cycle `start` on. `start` must not lie in a window that has been run. `first`: the
 * grid has had no block in the SM. Returns the place. */
uint32_t sm_place(struct sm *sm, const struct sm_grid *grid, uint64_t block, uint64_t start,
                  bool first);

/* Makes the block in this place, which has not started, part of a cluster: any number but 0. */
void sm_join_cluster(struct sm *sm, uint32_t place, uint32_t cluster);

/* What an SM has brought to shared memory of another one: the front knows it by its number. */
struct sm_message {
    uint64_t cycle; /* at which it is there */
    const struct sm_grid *grid;
    uint32_t number;
    uint16_t to;
};

/* Returns the messages that the SM has sent since the last call, and their number. The array is
 * valid until the SM runs again. */
const struct sm_message *sm_take_messages(struct sm *sm, uint32_t *count);

/* Gives the SM a message of SM `from`; it has not run beyond the message's cycle. */
void sm_deliver(struct sm *sm, uint32_t from, const struct sm_message *message);

/* Returns what warps have done about the barriers of clusters since the last call, and how often.
 * The array is valid until the SM runs again. */
const struct sm_cluster_note *sm_take_cluster_notes(struct sm *sm, uint32_t *count);

/* The barrier of the cluster opens at `cycle`, which is not before `now`: the SM has run up to it.
 */
void sm_open_cluster(struct sm *sm, uint32_t place, uint32_t cluster, uint64_t cycle, uint64_t now);

/* Runs the cycles [from, to). Nothing is simulated before sm_next(). Returns false if the SM needs
 * an answer of its GPC's cache first (supply_exchange): it has run up to sm_reached(), from where
 * it goes on. */
bool sm_run(struct sm *sm, uint64_t from, uint64_t to);

/* Returns the cycle up to which the SM has run. */
uint64_t sm_reached(const struct sm *sm);

/* Returns the cycle of the last answer to an instruction so far. */
uint64_t sm_last_answer(const struct sm *sm);

/* As sm_last_answer, of stores and reductions; 0: there was none. */
uint64_t sm_last_store(const struct sm *sm);

/* Settles what the memory system has answered. Until then sm_next is a lower bound, which is
 * not before the end of the last window that has been served. */
void sm_settle_answers(struct sm *sm);

/* Returns the next cycle in which something can happen, or SM_NEVER. */
uint64_t sm_next(const struct sm *sm);

/* Returns the blocks that have retired since the last call, by cycle, and their number in *count.
 * The array belongs to the SM and is valid until the SM runs again. */
const struct sm_retired *sm_take_retired(struct sm *sm, uint32_t *count);

/* Frees the place and the slots of a retired block. Returns its grid. The dispatcher calls this in
 * the order of retirement, so that the places that a new block finds free do not depend on windows.
 */
const struct sm_grid *sm_release(struct sm *sm, uint32_t place);

/* Returns whether the SM has run out of memory. */
bool sm_no_memory(const struct sm *sm);

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

/* Returns whether a warp has no next instruction: it waits for the exchange of the front, or for
 * other lanes. */
bool sm_asleep(const struct sm *sm);

/* Lets warps go on that have waited for the exchange of the front. The SM runs again from `cycle`
 * on. */
void sm_wake(struct sm *sm, uint64_t cycle);

/*
 * Closes all state intervals at `cycle`, so that the tally is complete up to it. May be repeated.
 */
void sm_settle(struct sm *sm, uint64_t cycle);

/* Describes in one line what the first stuck warp waits for, for the message about a deadlock. */
void sm_describe_stuck(const struct sm *sm, char *text, size_t size);

#endif
