/* The SM's half of the memory system: its state, and the functions that its files share. */
#ifndef SIM_MEM_MEM_SM_H
#define SIM_MEM_MEM_SM_H

#include "mem/fast_sm.h"
#include "mem/flat.h"
#include "mem/l1.h"
#include "mem/mem.h"
#include "mem/memop.h"
#include "mem/mshr.h"
#include "mem/outbox.h"
#include "mem/requests.h"
#include "mem/sm_network.h"
#include "mem/stage.h"
#include "mem/stores.h"
#include "mem/timing.h"

struct mem_sm {
    const struct mem_timing *timing;
    struct tally *tally;
    const struct l2 *l2;      /* grade full: where lines lie */
    uint32_t partition;       /* partition of L2 through which the SM reads */
    bool used_near, used_far; /* lines of this, of the other partition, since the last fence */
    struct stage stage;
    struct flat flat;    /* state of the grades ideal and fixed */
    struct fast_sm fast; /* state of the grade fast */
    struct requests
        requests; /* fast and full: accepted and not collected. The fields below: full only */
    struct mshrs mshrs;
    struct l1 l1;
    struct stores stores; /* lines of stores that have not entered the outbox */
    struct outbox outbox;
    struct mem_l1_policy watch; /* policy NULL: L1 has no policy */
    struct simsm_l1_answer answer;
    uint32_t excess_prefetches;  /* see mem_sm_excess_prefetches */
    uint32_t unserved_stores;    /* packets of stores and reductions that L2 has not answered */
    struct network_end *network; /* NULL: in no cluster, or grade ideal or fixed */
    uint64_t replies_until;      /* replies that arrive earlier have been put */
    uint64_t stores_known_until; /* no packet of a store is accepted before this cycle */
    uint64_t next_departure; /* earliest cycle at which a packet leaves that no window has served */
};

/* Initialises the half of one SM; `window` is the greatest window in cycles. `timing` must outlive
 * the SM. Returns false if memory runs out. */
bool mem_sm_init(struct mem_sm *sm, struct arena *arena, const struct simsm_config *config,
                 const struct mem_timing *timing, uint32_t shared_bytes, uint64_t window);

/* Called before a window is served: no further request comes before `window_end`. Lets the lines
 * that wait in the stage and in the store buffer pass until then. */
void mem_sm_window_ends(struct mem_sm *sm, uint64_t window_end);

/* Called after a window has been served: all packets that left before `window_end` have their
 * answers. The SM settles them when it needs them. */
void mem_sm_window_ended(struct mem_sm *sm, uint64_t window_end);

/* Returns a cycle before which no open request completes; the exact cycle where it can be known. */
uint64_t mem_sm_next_completion(const struct mem_sm *sm);

/* Returns whether an access takes the fewest lines and sectors that can hold its bytes
 * (what_if.coalesced). */
static inline bool timing_is_dense(const struct mem_timing *timing,
                                   const struct mem_request *request, const struct memop *op)
{
    return timing->dense && op->space == MEMOP_GLOBAL && op->action < MEMOP_ATOMIC &&
           !request->beside;
}

/* l1_watch.c: calls the L1 policy for the load in the stage. The result is in sm->answer. */
void l1_watch_ask(struct mem_sm *sm, uint64_t now, const struct mem_request *request);

/* Notes an access to a line of L2. */
static inline void mem_sm_used(struct mem_sm *sm, uint64_t line)
{
    const struct mem_timing *timing = sm->timing;
    bool far = timing->l2_parted && timing_l2_owner(line, timing->l2_sectors) != sm->partition;
    *(far ? &sm->used_far : &sm->used_near) = true;
}

/* send.c: sends the sectors `mask` of L1 line `line`, not before `cycle`. The caller sets owner,
 * kind and repeat of `packet`; the function sets the rest. Returns the number of packets. */
uint32_t send_line(struct mem_sm *sm, uint64_t cycle, uint64_t line, uint32_t mask,
                   struct packet *packet);

/* global_store.c: stores and reductions at the stage, grade full. */

/* Times of a store: `ready` is the cycle at which L1 has processed it; `busy`: cycles for which it
 * holds the stage; `extra`: cycles by which L1 takes longer than with a single pass. */
struct store_times {
    uint64_t ready;
    uint32_t busy, extra;
};

/* Starts store or reduction `request` at `now`; the stage must be free. The parts of the request
 * are one for itself and one for each packet that L2 has to accept. */
void global_store(struct mem_sm *sm, uint64_t now, const struct memop *op,
                  const struct mem_request *request, struct store_times times);

/* Passes the lines of the store in the stage whose turn comes up to `now` and for which there is
 * room. Later lines wait: which packets L2 lets leave after `now` is not known yet. */
void global_pass_stores(struct mem_sm *sm, uint64_t now);

/* Returns the cycle at which the tags of the store's next line have been looked up. The line can
 * then pass if there is room. */
uint64_t global_store_turn(const struct mem_sm *sm);
/* Returns whether the store buffer has room for the store's next line. */
bool global_store_has_room(const struct mem_sm *sm);

/* global.c: loads, stores and atomics at the stage, grade full. */

/* Fills stage.words with the words of stage.touched that the lanes of a request touch. */
void global_find_words(struct mem_sm *sm, const struct mem_request *request);

/* Returns the sectors of the stage's line `i` that L1 has. */
uint32_t global_look_up(struct mem_sm *sm, uint32_t i);

/* Brings L1 and the stage to `now`: arrived sectors fill L1 and free MSHRs, and lines that waited
 * for an MSHR pass. */
void global_advance(struct mem_sm *sm, uint64_t now);

/* Returns a cycle before which the stage takes no instruction; the exact cycle where it can be
 * known. */
uint64_t global_stage_free(const struct mem_sm *sm);

/*
 * Starts an instruction for global, local or texture memory at `now`; the stage must be free, and
 * sm->stage.touched holds the instruction's lines. The request is refused if the outbox, the open
 * requests or the stores in flight leave no room.
 */
struct mem_outcome global_access(struct mem_sm *sm, uint64_t now, const struct mem_request *request,
                                 const struct memop *op);

#endif
