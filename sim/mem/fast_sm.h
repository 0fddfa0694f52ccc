/* memory.model: fast. The SM's half: the sectors that L1 has, and the packets that it sends to L2.
 * A packet asks for sectors of one L1 line. */
#ifndef SIM_MEM_FAST_SM_H
#define SIM_MEM_FAST_SM_H

#include "mem/fast_cache.h"
#include "mem/ids.h"
#include "mem/mem.h"
#include "mem/memop.h"
#include "mem/port.h"
#include "model/inst.h"

struct mem_sm;

/* A line under way frees its place in steps of FAST_STEP cycles. It holds its place for at most
 * FAST_STEPS steps. */
enum { FAST_STEP = 16, FAST_STEPS = 4096 };
/* Arrivals remembered: more than packets of loads are under way. */
enum { FAST_ARRIVALS = 4096 };

/* A packet: an L1 line that an instruction asks L2 for. */
struct fast_packet {
    uint64_t leaves, line; /* `leaves`: cycle; `line`: of L1 */
    uint16_t request;
    uint16_t join; /* last request that waits for the packet, too; 0: none */
    uint8_t mask;  /* sectors */
    uint8_t kind;  /* enum memop_action */
    uint8_t atomic, repeat, turns;
    bool alone;   /* must not join a read of another SM */
    bool partial; /* a store that fills sectors in part */
};

struct fast_arrival {
    uint64_t cycle;
    uint8_t level;
};

/* A request that waits for a line which another request has asked for. */
struct fast_join {
    uint16_t request, next;
};

struct fast_sm {
    struct fast_cache l1;
    struct port way_out, reply; /* ports to L2 and back */
    struct fast_packet *packet; /* [room]: a ring in the order of departure */
    uint32_t room, head, tail;
    struct fast_join *join; /* by handle; handle 0 means none */
    struct ids joins;
    uint64_t served_until; /* packets that leave earlier have been answered */
    uint32_t flying, limit;
    uint64_t drained; /* step up to which `land` has been subtracted from `flying` */
    uint16_t *land;   /* [FAST_STEPS]: lines that arrive in each step */
    struct fast_arrival
        *arrival; /* [FAST_ARRIVALS]: of each packet, by its number modulo FAST_ARRIVALS */
};

/*
 * Initialises the SM's half. `window`: greatest window in cycles. Returns false if memory runs out.
 */
bool fast_sm_init(struct fast_sm *fast, struct arena *arena, const struct simsm_config *config,
                  uint32_t shared_bytes, uint64_t window);

/* Returns the cycle from which there is room for an instruction; at most `now` if there is room. */
uint64_t fast_room_at(struct mem_sm *sm, uint64_t now, bool stores);

/* Starts an instruction for global, local or texture memory. `ready`: the cycle at which L1 answers
 * it. The stage's free_at must be set, and sm->stage.touched holds the instruction's lines. */
void fast_load(struct mem_sm *sm, uint64_t now, const struct memop *op,
               const struct mem_request *request, uint64_t ready);
void fast_store(struct mem_sm *sm, uint64_t now, const struct memop *op,
                const struct mem_request *request, uint64_t ready);

/* Returns the packet that leaves next, or NULL. */
static inline struct fast_packet *fast_next_packet(const struct fast_sm *fast)
{
    return fast->head != fast->tail ? &fast->packet[fast->head & (fast->room - 1)] : NULL;
}

/* Answers and drops the packet that leaves next: its data arrive at `cycle` from `level`. */
void fast_answer(struct mem_sm *sm, uint64_t cycle, uint8_t level);

/* Returns a cycle before which no packet without an answer completes. */
uint64_t fast_next_unknown(const struct mem_sm *sm);

#endif
