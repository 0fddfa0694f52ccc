/*
 * The memory system: requests in, completions out, in cycles. It knows nothing of warps.
 *
 * It has two halves. `struct mem_sm` belongs to one SM and is touched by nobody else while a
 * window of cycles is simulated: coalescer, shared-memory banks, L1. `struct mem` is what the SMs
 * share: crossbar, L2, DRAM. Requests that leave an SM wait in its outbox until mem_exchange,
 * called at the end of each window, serves those of all SMs in the order of (cycle, SM, sequence),
 * so that the result depends neither on the order in which SMs are simulated nor on the length of
 * the window, as long as that is at most mem_window() cycles.
 */
#ifndef SIM_MEM_MEM_H
#define SIM_MEM_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/inst.h"
#include "model/tally.h"
#include "simsm/config.h"
#include "simsm/policy.h"

#define MEM_NEVER UINT64_MAX

struct mem;
struct mem_sm;
struct mem_lines; /* what L2 holds */

/*
 * Cycles from the issue of an instruction until it reaches the load/store stage when nothing is in
 * its way. The latencies of a configuration count from issue, so the memory system takes these
 * off. Under `ideal` and `fixed` nothing queues: instructions reach the stage as they issue.
 */
static inline uint32_t mem_front_cycles(const struct simsm_config *config)
{
    return config->memory_model >= SIMSM_FULL_memory_model ? config->mio_queue_latency : 0;
}

/* One memory instruction of a warp, at the SM's shared load/store stage. */
struct mem_request {
    uint8_t op;                             /* enum simsm_op_class: a memory class */
    uint8_t width;                          /* bytes of each lane */
    uint32_t lanes;                         /* bit per lane that accesses memory; may be 0 */
    uint32_t tag;                           /* the caller's; comes back with the completion */
    uint32_t line;                          /* static instruction, for its sector count */
    uint8_t atomic;                         /* enum inst_atomic */
    bool past_l1;                           /* a load that L2 has to answer */
    bool of_system;                         /* and that no load of another SM may answer */
    uint32_t warp;                          /* the caller's; for the policy of L1 */
    const struct lane_addresses *addresses; /* read during the call only */
};

/* What mem_sm_access answers. */
struct mem_outcome {
    bool accepted;    /* false: there is no room; offer it again at `free_at` */
    uint64_t free_at; /* the stage takes no instruction before this cycle */
    uint32_t held;    /* cycles for which its passes hold the way of its sub-partition */
};

struct mem_done {
    uint64_t cycle; /* at which a dependent instruction may issue; stores: accepted by L2 */
    uint32_t tag;
    uint8_t level; /* enum simsm_mem_level */
};

/*
 * `sms` SMs, their state in `arena`, which must outlive it; returns NULL if memory runs out.
 * `config` is read during the call only.
 */
struct mem *mem_create(struct arena *arena, const struct simsm_config *config, uint32_t sms,
                       uint32_t shared_bytes);
/* Gives back what L2 holds; the rest is the arena's. */
void mem_destroy(struct mem *mem);

/*
 * Takes what L2 holds out of a memory system that has come to its end, which can then only be
 * destroyed. To be freed with mem_lines_free; NULL: there is no L2, or memory has run out.
 */
struct mem_lines *mem_take_lines(struct mem *mem);
/* Gives it to one that has not begun; left as it is if its L2 is of another size. */
void mem_give_lines(struct mem *mem, struct mem_lines *lines);
void mem_lines_free(struct mem_lines *lines);
/* Lines that a copy has written into a memory system that has not begun. */
void mem_hold(struct mem *mem, uint64_t address, uint64_t bytes);

/* Brings near what the SM will look at in a window that ends at `end`; changes nothing. */
void mem_sm_prefetch(const struct mem_sm *sm, uint64_t end);

/* Most cycles that a window may have: no request of a window can be answered within it. */
uint64_t mem_window(const struct mem *mem);

/* The half of SM `sm`; counts into `tally`. */
struct mem_sm *mem_sm_of(struct mem *mem, uint32_t sm, struct tally *tally);

/* Who looks at loads as they enter L1; everything pointed to must outlive the SM. */
struct mem_l1_policy {
    const struct simsm_l1_policy *policy;
    const struct simsm_policy_setup *setup;
    void *state;
    uint32_t sm;
};

/* Asks `policy` from now on, if there is an L1 to ask about. False: out of memory. */
bool mem_sm_watch(struct mem_sm *mem, struct arena *arena, const struct mem_l1_policy *policy);
/* Prefetches that the policy has asked for at once, if ever more than it may; else 0. */
uint32_t mem_sm_excess_prefetches(const struct mem_sm *mem);

/*
 * Offers a request to the load/store stage at cycle `now`: not before an earlier `free_at`, and
 * after what is due at `now` has been collected. Each accepted request is answered by exactly one
 * completion. A refused one is let in in the first cycle in which there is room, if it is offered
 * again at each `free_at` that it is given.
 */
struct mem_outcome mem_sm_access(struct mem_sm *mem, uint64_t now,
                                 const struct mem_request *request);

/* L1 forgets what it holds at `now`; what is on its way to it still comes. */
void mem_sm_empty_l1(struct mem_sm *mem, uint64_t now);

/*
 * At most `now` if the load/store stage can take an instruction, of memory or not; else a cycle
 * before which it cannot. How late that is may depend on the length of windows.
 */
uint64_t mem_sm_stage_free(struct mem_sm *mem, uint64_t now);

/* The same for what does not go through L1: it does not wait for lines of stores. */
uint64_t mem_sm_shared_free(struct mem_sm *mem, uint64_t now);

/*
 * Earliest cycle at which the SM has to be visited (mem_sm_collect): that of a known completion, or
 * at which something goes its way that no window has served. MEM_NEVER if there is none.
 */
uint64_t mem_sm_next(const struct mem_sm *mem);

/*
 * Takes completions due at or before `now`, at most `max`, ordered by (cycle, order of acceptance);
 * returns their number. Call until it returns less than `max`.
 */
unsigned mem_sm_collect(struct mem_sm *mem, uint64_t now, struct mem_done *done, unsigned max);

/*
 * Ends a window: serves what has left the SMs before cycle `window_end`; `tally` takes the counts
 * of L2 and DRAM. What leaves later, because an SM's port is busy, waits for its own window.
 */
void mem_exchange(struct mem *mem, uint64_t window_end, struct tally *tally);

#endif
