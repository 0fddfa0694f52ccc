/* The SM's half of the memory system, from inside. */
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
#include "mem/stage.h"
#include "mem/stores.h"
#include "mem/timing.h"

struct mem_sm {
    const struct mem_timing *timing;
    struct tally *tally;
    uint32_t partition; /* of L2, through which it reads */
    struct stage stage;
    struct flat flat;         /* ideal and fixed */
    struct fast_sm fast;      /* fast */
    struct requests requests; /* fast and full: accepted, not collected; full has the rest: */
    struct mshrs mshrs;
    struct l1 l1;
    struct stores stores; /* on their way to the outbox */
    struct outbox outbox;
    struct mem_l1_policy watch; /* policy NULL: none */
    struct simsm_l1_answer answer;
    uint32_t excess_prefetches;  /* prefetches */
    uint32_t unserved_stores;    /* packets of stores that the shared half has not answered */
    uint64_t stores_known_until; /* none of them is accepted before this cycle */
    uint64_t
        next_departure; /* earliest cycle at which packets that no window has served may leave */
};

/* False: out of memory. `timing` must outlive it. */
bool mem_sm_init(struct mem_sm *sm, struct arena *arena, const struct simsm_config *config,
                 const struct mem_timing *timing, uint32_t shared_bytes, uint64_t window);

/* Nothing will be offered before `window_end`: lines that wait in the stage pass until then. */
void mem_sm_window_ends(struct mem_sm *sm, uint64_t window_end);

/* What leaves the SM before `window_end` has been served, and the replies handed over. */
void mem_sm_window_ended(struct mem_sm *sm, uint64_t window_end);

/* A cycle before which no request completes that has not yet; exact where it can be known. */
uint64_t mem_sm_next_completion(const struct mem_sm *sm);

/* l1_watch.c: asks the policy of L1 about the load in the stage; the answer is in sm->answer. */
void l1_watch_ask(struct mem_sm *sm, uint64_t now, const struct mem_request *request);

/*
 * send.c: sends sectors `mask` of an L1 line, not before `cycle`; `packet` has owner, kind and
 * repeat, and gets the rest. Returns how many packets it takes.
 */
uint32_t send_line(struct mem_sm *sm, uint64_t cycle, uint64_t line, uint32_t mask,
                   struct packet *packet);

/* Stores and reductions at the stage, full grade: global_store.c. */

/* Cycle at which L1 has done with a store, cycles for which it holds the stage, and those that L1
 * takes longer than with a single pass. */
struct store_times {
    uint64_t ready;
    uint32_t busy, extra;
};

/* Parts of the request are the packets that L2 has to accept, and itself. */
void global_store(struct mem_sm *sm, uint64_t now, const struct memop *op,
                  const struct mem_request *request, struct store_times times);

/*
 * Passes the lines of a store that do so up to `now`, each when there is room, as far as L2 lets
 * others leave. No later ones: what L2 lets leave is not known yet.
 */
void global_pass_stores(struct mem_sm *sm, uint64_t now);

/* Cycle at which the next line of a store has been looked up, and can pass if there is room. */
uint64_t global_store_turn(const struct mem_sm *sm);
/* Whether it can pass: the first of L2's lines that it lies in has room among the stores. */
bool global_store_has_room(const struct mem_sm *sm);

/* The stage, full grade: global.c. */

/* Sectors of line `i` of the stage that L1 has. */
uint32_t global_look_up(struct mem_sm *sm, uint32_t i);

/* What has come in by `now` fills L1 and frees registers; lines that waited for one pass. */
void global_advance(struct mem_sm *sm, uint64_t now);

/* A cycle before which the stage takes no instruction; exact where it can be known. */
uint64_t global_stage_free(const struct mem_sm *sm);

/*
 * An instruction for global, local or texture memory, what it touches being in sm->stage.touched,
 * at the stage, which is free.
 */
struct mem_outcome global_access(struct mem_sm *sm, uint64_t now, const struct mem_request *request,
                                 const struct memop *op);

#endif
