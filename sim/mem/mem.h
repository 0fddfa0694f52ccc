/*
 * The interface of the memory system: requests of warps go in, completions with their cycles come
 * out. The memory system does not know warps.
 *
 * The memory system has two halves. `struct mem_sm` belongs to one SM: coalescer, shared-memory
 * banks, L1. Only the thread that simulates the SM touches it during a window. `struct mem` is what
 * all SMs share: crossbar, L2, DRAM.
 *
 * A request that leaves its SM waits in the SM's outbox until the end of the window. mem_exchange
 * then serves the requests of all SMs in the order of (cycle, SM, sequence). The result therefore
 * depends neither on the order in which SMs are simulated nor on the length of the window. A window
 * may have at most mem_window() cycles.
 */
#ifndef SIM_MEM_MEM_H
#define SIM_MEM_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/inst.h"
#include "model/mem_written.h"
#include "model/tally.h"
#include "simsm/config.h"
#include "simsm/policy.h"

#define MEM_NEVER UINT64_MAX

struct mem;
struct mem_sm;
struct mem_lines; /* the lines that L2 holds */

/*
 * Returns the cycles from the issue of a memory instruction until it reaches the load/store stage,
 * if nothing delays it. A configuration's latencies count from issue, so the memory system
 * subtracts these cycles. Under `ideal` and `fixed` nothing queues, and the result is 0.
 */
static inline uint32_t mem_front_cycles(const struct simsm_config *config)
{
    return config->memory_model >= SIMSM_FULL_memory_model ? config->mio_queue_latency : 0;
}

/* One memory instruction of a warp, as it arrives at the SM's load/store stage. */
struct mem_request {
    uint8_t op;                             /* enum simsm_op_class of a memory instruction */
    uint8_t width;                          /* bytes that each lane accesses */
    uint32_t lanes;                         /* bit per lane that accesses memory; may be 0 */
    uint32_t tag;                           /* chosen by the caller; returned with the completion */
    uint32_t line;                          /* index of the static instruction */
    struct simsm_line_stats *line_stats;    /* of the instruction; NULL: sectors are not counted */
    uint8_t atomic;                         /* enum inst_atomic */
    bool past_l1;                           /* a load that L1 must not answer */
    bool remote;                            /* shared memory of another SM of the cluster */
    uint16_t own_sm;                        /* of remote requests */
    bool beside;                            /* of a copy engine: does not pass through L1 */
    bool of_system;                         /* also: a read of another SM must not answer it */
    uint32_t warp;                          /* slot number in the SM, for the L1 policy */
    const struct lane_addresses *addresses; /* read during the call only */
};

/* The result of mem_sm_access. */
struct mem_outcome {
    bool accepted;    /* false: no room; offer the request again at `free_at` */
    uint64_t free_at; /* the stage takes no instruction before this cycle */
    uint32_t held;    /* cycles for which the request's passes hold its sub-partition's way out */
};

struct mem_done {
    uint64_t cycle; /* a dependent instruction may issue from this cycle; stores: L2 has accepted */
    uint32_t tag;
    uint8_t level; /* enum simsm_mem_level */
};

/*
 * Creates the memory system of `sms` SMs; `shared_bytes` is the carve-out for shared memory of each
 * SM. The state lies in `arena`, which must outlive the memory system. `config` is read during the
 * call only. Returns NULL if memory runs out.
 */
struct mem *mem_create(struct arena *arena, const struct simsm_config *config, uint32_t sms,
                       uint32_t shared_bytes);
/* Frees the lines of L2. Everything else belongs to the arena. NULL is allowed. */
void mem_destroy(struct mem *mem);

/*
 * Takes the lines of L2 out of a memory system whose launch has ended. The memory system can then
 * only be destroyed. The caller frees the result with mem_lines_free. Returns NULL if there is no
 * L2 or memory runs out.
 */
struct mem_lines *mem_take_lines(struct mem *mem);
/* Gives `lines` to a memory system that has not served a request. Does nothing if its L2 has
 * another size. `lines` stays the caller's and holds the former lines afterwards. */
void mem_give_lines(struct mem *mem, struct mem_lines *lines);
void mem_lines_free(struct mem_lines *lines);
/* Puts the lines of `written` into L2, whole and dirty. The memory system must not have served a
 * request. */
void mem_hold(struct mem *mem, const struct mem_written *written);

/* No page of memory has been translated before this launch (tlb.h). Without this call all have. The
 * memory system must not have served a request. */
void mem_forget_pages(struct mem *mem);

/* Begins a window that ends at `end`: settles the SM's answers, and brings what the SM reads in the
 * window into the host's caches. Has no effect on results. */
void mem_sm_window_begins(struct mem_sm *mem, uint64_t end);

/* Returns the greatest length of a window in cycles. No request that leaves in such a window can be
 * answered within it. */
uint64_t mem_window(const struct mem *mem);

/* Returns the fewest cycles from the issue of a strong load or an atomic operation to its answer,
 * or a lower bound. */
uint64_t mem_least_answer(const struct mem *mem);

/* As mem_least_answer, of accesses to shared memory of other SMs. */
uint64_t mem_least_shared_answer(const struct mem *mem);

/* Creates the half that belongs to SM `sm`, once. It counts into `tally`, which must outlive it.
 * Returns NULL if memory runs out. */
struct mem_sm *mem_sm_create(struct mem *mem, uint32_t sm, struct tally *tally);

/* Stops counting hits into `count` statistics of instructions from `lines` on, which are about to
 * be freed: an SM may hold a load whose warp has exited. */
void mem_forget_lines(struct mem *mem, const struct simsm_line_stats *lines, size_t count);

/* Gives shared memory of the SM `shared_bytes`, not less than mem_create did, and empties L1.
 * Returns false, and changes nothing, while requests of the SM are open. */
bool mem_sm_carve(struct mem *mem, uint32_t sm, uint32_t shared_bytes);

/* Makes the SM part of the network between SMs. Returns false if memory runs out. */
bool mem_join_network(struct mem *mem, uint32_t sm);
/* Serves what SMs have sent through the network before `now`. Called at multiples of a number of
 * cycles that no access through it takes less than, before any window behind them. */
void mem_exchange_network(struct mem *mem, uint64_t now);

/* A policy that sees loads as they enter L1. Everything pointed to must outlive the SM. */
struct mem_l1_policy {
    const struct simsm_l1_policy *policy;
    const struct simsm_policy_setup *setup;
    void *state;
    uint32_t sm;
};

/* Makes the SM call `policy` for each load from here on. Does nothing if the grade or the carve-out
 * leaves no L1. Returns false if memory runs out. */
bool mem_sm_watch(struct mem_sm *mem, struct arena *arena, const struct mem_l1_policy *policy);
/* Returns the number of prefetches in the last answer of the policy that exceeded
 * SIMSM_PREFETCHES; 0 if none did. */
uint32_t mem_sm_excess_prefetches(const struct mem_sm *mem);

/*
 * Offers a request to the load/store stage at cycle `now`. `now` must not be below an earlier
 * `free_at`, and the completions due at `now` must have been collected. Each accepted request
 * yields exactly one completion. A refused request is accepted in the first cycle with room, if the
 * caller offers it again at each returned `free_at`.
 */
struct mem_outcome mem_sm_access(struct mem_sm *mem, uint64_t now,
                                 const struct mem_request *request);

/* Sends bytes to another SM of the cluster. Returns the cycle at which the way is free. */
uint64_t mem_sm_send_remote(struct mem_sm *mem, uint64_t now, uint32_t bytes);

/* A fence of the device or the system begins. Returns the cycles that it takes longer for what the
 * SM has accessed since the last one. */
uint32_t mem_sm_fence(struct mem_sm *mem);

/* Invalidates all lines of L1 at `now`. Lines on their way to L1 still arrive. */
void mem_sm_empty_l1(struct mem_sm *mem, uint64_t now);

/*
 * Returns at most `now` if the load/store stage can take an instruction, whether it accesses memory
 * or not. Otherwise returns a cycle before which it cannot; how late that cycle is may depend on
 * the length of windows.
 */
uint64_t mem_sm_stage_free(struct mem_sm *mem, uint64_t now);

/* As mem_sm_stage_free, for a load past L1 of so many lines that does not wait for MSHRs in the
 * stage. */
uint64_t mem_sm_lines_free(struct mem_sm *mem, uint64_t now, uint32_t lines);

/* As mem_sm_stage_free, for an instruction that does not go through L1: such an instruction does
 * not wait for lines of a store. */
uint64_t mem_sm_shared_free(struct mem_sm *mem, uint64_t now);

/* Settles the answers of the windows that have been served. mem_sm_window_begins does so, too. */
void mem_sm_settle(struct mem_sm *mem);

/*
 * Returns the earliest cycle at which mem_sm_collect must be called for this SM: the cycle of a
 * known completion, or the cycle at which a packet leaves that no window has served. Returns
 * MEM_NEVER if there is none. While answers are not settled, the cycle is a lower bound, which lies
 * behind the windows that have been served.
 */
uint64_t mem_sm_next(const struct mem_sm *mem);

/*
 * Takes up to `max` completions that are due at or before `now`, ordered by (cycle, order of
 * acceptance), and returns their number. The caller repeats the call until it returns less than
 * `max`.
 */
unsigned mem_sm_collect(struct mem_sm *mem, uint64_t now, struct mem_done *done, unsigned max);

/*
 * Ends a window: serves all packets that have left the SMs before cycle `window_end`. Counts of L2
 * and DRAM go to `tally`. A packet that leaves later, because its SM's port is busy or its address
 * is not translated yet, waits for the window in which it leaves.
 */
void mem_exchange(struct mem *mem, uint64_t window_end, struct tally *tally);

/* Returns the cycle at which the next packet leaves that waits outside of the SMs; MEM_NEVER if
 * none does. A window must begin there. */
uint64_t mem_next(const struct mem *mem);

/* Returns whether memory has run out; cycles are then wrong. */
bool mem_no_memory(const struct mem *mem);

#endif
